package main

import (
	"bytes"
	"errors"
	"fmt"
	"os/exec"
	"strings"
)

// llvm is what the programs of LLVM 19 are called.
type llvm struct{ mca, objdump, version string }

// findLLVM looks for the programs as they are called where there are several versions, and then as where
// there is one. Others than 19 have other models of the processors.
func findLLVM() (llvm, error) {
	for _, suffix := range []string{"-19", ""} {
		found := llvm{mca: "llvm-mca" + suffix, objdump: "llvm-objdump" + suffix}
		said, err := output(exec.Command(found.mca, "--version"))
		_, version, _ := strings.Cut(said, "LLVM version ")
		if err == nil && strings.HasPrefix(version, "19.") {
			found.version, _, _ = strings.Cut(version, "\n")
			return found, nil
		}
	}
	return llvm{}, errors.New("llvm-mca and llvm-objdump of LLVM 19 are needed (Debian: apt-get install llvm-19)")
}

// output returns what a command prints, or an error with what it complains of.
func output(c *exec.Cmd) (string, error) {
	var complaint bytes.Buffer
	c.Stderr = &complaint
	said, err := c.Output()
	if err != nil {
		err = fmt.Errorf("%s: %w\n%s", strings.Join(c.Args, " "), err, bytes.TrimSpace(complaint.Bytes()))
	}
	return string(said), err
}

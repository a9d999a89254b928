package main

import (
	"bytes"
	"fmt"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
)

// The major versions of LLVM that are searched for. Some older ones silently use another
// processor's model for a processor without one.
const oldest, newest = 19, 29

// llvm is what the programs of one version are called.
type llvm struct{ mca, objdump, version string }

// findLLVM looks for the programs as they are called where there is one version, and
// then as where there are many.
func findLLVM() (llvm, error) {
	suffixes := []string{""}
	for version := oldest; version <= newest; version++ {
		suffixes = append(suffixes, fmt.Sprint("-", version))
	}
	for _, suffix := range suffixes {
		found := llvm{mca: "llvm-mca" + suffix, objdump: "llvm-objdump" + suffix}
		said, err := output(exec.Command(found.mca, "--version"))
		if err != nil {
			continue
		}
		version, major := versionOf(said)
		if _, err := exec.LookPath(found.objdump); err == nil && major >= oldest {
			found.version = version
			return found, nil
		}
	}
	return llvm{}, fmt.Errorf("llvm-mca and llvm-objdump of LLVM %d or later are needed (Debian: apt-get install llvm-%[1]d)", oldest)
}

var versionIn = regexp.MustCompile(`LLVM version ((\d+)\.\S+)`)

// versionOf returns the version that a program of LLVM says it is of.
func versionOf(said string) (version string, major int) {
	if found := versionIn.FindStringSubmatch(said); found != nil {
		version = found[1]
		major, _ = strconv.Atoi(found[2]) // 0 is too old
	}
	return version, major
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

// Command mca estimates with llvm-mca how many cycles the kernels' loops take for
// a key, on processors that are not at hand too, and writes bench/mca.md. What it
// reads are the instructions as Go's assembler, compiler and linker have left them.
//
// Its files follow the way that a kernel goes: kernels.go lists them, program.go
// builds and disassembles a program that has them, disassembly.go reads that,
// loops.go finds a kernel's loop, iteration.go walks through it once, text.go and
// estimate.go run llvm-mca, and page.go writes its results.
//
// A kernel is added by a row in kernels.go. One whose loop is not found, or is not the
// only one of its shape, is an error that describes all loops of the function: begin
// with an empty shape and choose from that.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/simdbloom/simdbloom/bench/internal/command"
)

func main() {
	os.Exit(command.Run("mca", os.Args[1:], os.Stdout, os.Stderr, parse, run))
}

// parse returns the file to write to, or "" for standard output.
func parse(args []string, stderr io.Writer) (out string, err error) {
	flags := flag.NewFlagSet("mca", flag.ContinueOnError)
	flags.StringVar(&out, "o", "", "write to a `file` instead of standard output")
	if err := command.Parse(flags, args, "mca [OPTIONS]", stderr); err != nil {
		return "", fmt.Errorf("%w (-help lists the flags)", err)
	}
	if flags.NArg() > 0 {
		return "", fmt.Errorf("%q is not a flag", strings.Join(flags.Args(), " "))
	}
	return command.Path(out), nil
}

func run(out string, stdout, _ io.Writer) error {
	llvm, err := findLLVM()
	if err != nil {
		return err
	}
	p := page{llvm: llvm.version}
	for _, arch := range architectures {
		estimates, err := estimateAll(llvm, arch)
		if err != nil {
			return fmt.Errorf("%s: %w", arch.name, err)
		}
		p.sections = append(p.sections, section{arch, estimates})
	}
	var text bytes.Buffer
	p.write(&text)
	if out != "" {
		return os.WriteFile(out, text.Bytes(), 0o644)
	}
	_, err = stdout.Write(text.Bytes())
	return err
}

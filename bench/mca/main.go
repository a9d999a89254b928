// Command mca estimates with llvm-mca how many cycles the loops of the NEON kernels take for a key,
// and writes bench/mca.md: the project measures on no arm64 processor. It reads the instructions as Go's
// assembler, compiler and linker have left them.
//
// kernels.go lists the kernels, program.go builds and disassembles a program that has them, loops.go finds a kernel's
// loop and walks through it once, and estimate.go runs llvm-mca. A kernel is added by a row in kernels.go. One whose
// loop is not found, or is not the only one of its shape, is an error that describes all loops of the function:
// begin with an empty shape and choose from that.
package main

import (
	"flag"
	"io"
	"os"

	"github.com/simdbloom/simdbloom/bench/internal/command"
)

func main() {
	os.Exit(command.Run("mca", os.Args[1:], os.Stdout, os.Stderr, parse, run))
}

// parse returns the file to write to, or "" for standard output.
func parse(args []string, stderr io.Writer) (out string, err error) {
	flags := flag.NewFlagSet("mca", flag.ContinueOnError)
	command.File(flags, &out, "o", "write to a `file` instead of standard output")
	return out, command.Parse(flags, args, "mca [OPTIONS]", stderr)
}

func run(out string, stdout, _ io.Writer) error {
	llvm, err := findLLVM()
	if err != nil {
		return err
	}
	estimates, err := estimateAll(llvm, kernels, processors)
	if err != nil {
		return err
	}
	text := page(llvm, estimates)
	if out != "" {
		return os.WriteFile(out, text, 0o644)
	}
	_, err = stdout.Write(text)
	return err
}

// Command mca estimates with llvm-mca of LLVM 19 how many cycles the loops of the NEON kernels take for a key,
// since the project measures on no arm64 processor, and writes the table of mca.md in the working directory. It reads
// the instructions as Go's assembler, compiler and linker have left them.
//
// kernels.go lists the kernels, disassembly.go builds and disassembles a program that has them, and loops.go finds
// a kernel's loop and walks through it once. tried.go has loops that did not become kernels. A kernel is added by a row
// in kernels.go. One whose loop is not found, or is not the only one of its shape, is an error that describes all loops
// of the function: begin with an empty shape and choose from that.
package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"

	"github.com/simdbloom/simdbloom/internal/test/markdown"
)

func main() {
	if len(os.Args) > 1 {
		fmt.Fprintln(os.Stderr, "USAGE: mca, in folder bench, without arguments")
		os.Exit(2)
	}
	if err := write("mca.md"); err != nil {
		fmt.Fprintln(os.Stderr, "mca:", err)
		os.Exit(1)
	}
}

// write writes the table of a page.
func write(page string) error {
	table, err := table()
	if err != nil {
		return err
	}
	text, err := markdown.Blocks(page, "mca", func(string) string { return table })
	if err != nil {
		return err
	}
	return os.WriteFile(page, text, 0o644)
}

// table has the estimates of all kernels.
func table() (string, error) {
	version, err := llvm()
	if err != nil {
		return "", err
	}
	functions, err := disassembled()
	if err != nil {
		return "", err
	}
	t := markdown.New(append([]string{"loop", "instructions"}, processors...)...)
	add := func(name, loop string, instructions, keys int) error {
		cells := []string{name, fmt.Sprintf("%.1f", float64(instructions)/float64(keys))}
		for _, processor := range processors {
			cycles, err := cycles(loop, instructions, processor)
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			cells = append(cells, fmt.Sprintf("%.1f", cycles/float64(keys)))
		}
		t.Add(cells...)
		return nil
	}
	for _, k := range kernels {
		iteration, err := k.walk(functions[k.function])
		if err != nil {
			return "", fmt.Errorf("%s (%s): %w", k, k.function, err)
		}
		if err := add(k.String(), text(iteration), len(iteration), k.keys); err != nil {
			return "", err
		}
	}
	for _, l := range triedLoops {
		loop, instructions, err := l.read()
		if err != nil {
			return "", err
		}
		if err := add(l.name, loop, instructions, l.keys); err != nil {
			return "", err
		}
	}
	return fmt.Sprintf("LLVM %s, %s:\n\n%s", version, runtime.Version(), t), nil
}

// llvm returns the version of LLVM. Others than 19 have other models of the processors.
func llvm() (version string, err error) {
	said, err := output(exec.Command("llvm-mca-19", "--version"))
	if err != nil {
		return "", fmt.Errorf("LLVM 19 is needed (Debian: apt-get install llvm-19): %w", err)
	}
	_, version, _ = strings.Cut(said, "LLVM version ")
	version, _, _ = strings.Cut(version, "\n")
	return version, nil
}

// cycles returns llvm-mca's estimate for an iteration, whose text is given. The first one's excess over
// the others is less than a hundredth of the simulation.
func cycles(loop string, instructions int, processor string) (float64, error) {
	const simulated = 50_000 // instructions, about
	rounds := simulated/instructions + 1
	c := exec.Command("llvm-mca-19", "-mtriple=aarch64", "-mcpu="+processor, "-instruction-info=false", fmt.Sprint("-iterations=", rounds), "-")
	c.Stdin = strings.NewReader(loop)
	said, err := output(c)
	if err != nil {
		return 0, err
	}
	var total float64
	_, said, _ = strings.Cut(said, "Total Cycles:")
	if _, err := fmt.Sscan(said, &total); err != nil {
		return 0, fmt.Errorf("%s: no number of cycles: %w", processor, err)
	}
	return total / float64(rounds), nil
}

// output returns a command's output, or an error with its complaint.
func output(c *exec.Cmd) (string, error) {
	var complaint bytes.Buffer
	c.Stderr = &complaint
	said, err := c.Output()
	if err != nil {
		err = fmt.Errorf("%s: %w\n%s", strings.Join(c.Args, " "), err, bytes.TrimSpace(complaint.Bytes()))
	}
	return string(said), err
}

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

const module = "github.com/simdbloom/simdbloom/"

// disassembled returns the instructions of the kernels' functions, from a program that has them all: the tests of
// package asm. It is for linux, so that the page does not depend on where it is written.
func disassembled() (map[string][]instruction, error) {
	dir, err := os.MkdirTemp("", "mca")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	program := filepath.Join(dir, "asm.test")
	build := exec.Command("go", "test", "-c", "-o", program, module+"asm")
	build.Env = append(build.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOARCH=arm64", "GOARM64=v8.0")
	if _, err := output(build); err != nil {
		return nil, err
	}
	var symbols []string
	for _, k := range kernels {
		symbols = append(symbols, module+k.function)
	}
	text, err := output(exec.Command("llvm-objdump-19", "--no-show-raw-insn", "--disassemble-symbols="+strings.Join(symbols, ","), program))
	if err != nil {
		return nil, err
	}
	return parseDisassembly(text)
}

// An instruction is a line of a disassembly.
type instruction struct {
	address  uint64
	mnemonic string
	operands string
	target   uint64 // where it jumps to, if that is an address in the line and it is no call, or 0
}

var (
	header  = regexp.MustCompile(`^[0-9a-f]+ <(.+)>:$`)
	row     = regexp.MustCompile(`^([0-9a-f]+):\s+(\S+)\s*(.*?)(?:\s+//.*| <.*)?$`)
	jumps   = regexp.MustCompile(`^(b|b\..+|cbn?z|tbn?z)$`)
	leaves  = regexp.MustCompile(`^(bl|blr|br|ret)$`) // the function, if only for a call
	element = regexp.MustCompile(`\.s\[[0-3]\]$`)
)

// parseDisassembly returns the instructions of each function in what llvm-objdump prints.
func parseDisassembly(text string) (map[string][]instruction, error) {
	functions := make(map[string][]instruction)
	var function string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if found := header.FindStringSubmatch(line); found != nil {
			function = strings.TrimPrefix(found[1], module)
		}
		found := row.FindStringSubmatch(line)
		if found == nil {
			continue // what file and section it is of, or zeros between functions
		}
		in := instruction{mnemonic: found[2], operands: found[3]}
		var err error
		if in.address, err = strconv.ParseUint(found[1], 16, 64); err == nil && jumps.MatchString(in.mnemonic) {
			in.target, err = strconv.ParseUint(in.operands[in.lastOperand():], 0, 64)
		}
		if err != nil {
			return nil, fmt.Errorf("%s, %q: %w", function, line, err)
		}
		functions[function] = append(functions[function], in)
	}
	return functions, nil
}

// lastOperand returns where the last operand begins, which is a jump's target.
func (in instruction) lastOperand() int { return strings.LastIndexByte(in.operands, ' ') + 1 }

// always reports whether a jump has no condition.
func (in instruction) always() bool { return in.mnemonic == "b" }

// text returns instructions for llvm-mca, which takes them one after the other whatever branches say. Those only have
// to name something.
//
// A multiplication by an element of a vector becomes one by the vector. LLVM's other models give both the same units
// and cycles, but those of Neoverse N1 and V1 list the latter alone (as ^MUL(v8i16|v4i32)$, where the former is
// MULv4i32_indexed), and so take the former for the simplest of vector instructions.
func text(instructions []instruction) string {
	var b strings.Builder
	b.WriteString("anywhere:\n")
	for _, in := range instructions {
		operands := in.operands
		switch {
		case in.target != 0:
			operands = operands[:in.lastOperand()] + "anywhere"
		case in.mnemonic == "mul":
			operands = element.ReplaceAllString(operands, ".4s")
		}
		fmt.Fprintf(&b, "\t%s\t%s\n", in.mnemonic, operands)
	}
	return b.String()
}

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

const module = "github.com/simdbloom/simdbloom"

// disassembled returns functions of the module, named with their packages, from a
// program that has them all: the tests of package asm. It is for linux, so that the
// page does not depend on where it is written.
func disassembled(tools llvm, goarch string, names []string) (map[string][]instruction, error) {
	dir, err := os.MkdirTemp("", "mca")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	program := filepath.Join(dir, "asm.test")
	if err := build(program, goarch); err != nil {
		return nil, err
	}
	var symbols []string
	for _, name := range names {
		symbols = append(symbols, symbol(name), assembly(name))
	}
	text, err := output(exec.Command(tools.objdump, "--no-show-raw-insn",
		"--disassemble-symbols="+strings.Join(symbols, ","), program))
	if err != nil {
		return nil, err
	}
	bySymbol, err := parseDisassembly(text)
	if err != nil {
		return nil, err
	}
	functions := make(map[string][]instruction)
	for _, name := range names {
		found, ok := bySymbol[assembly(name)]
		if !ok {
			found, ok = bySymbol[symbol(name)]
		}
		if !ok {
			return nil, fmt.Errorf("%s does not exist", name)
		}
		functions[name] = found
	}
	return functions, nil
}

func build(program, goarch string) error {
	root, err := output(exec.Command("go", "list", "-m", "-f", "{{.Dir}}", module))
	if err != nil {
		return err
	}
	test := exec.Command("go", "test", "-c", "-o", program, "./asm")
	test.Dir = strings.TrimSpace(root)
	test.Env = append(test.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOARCH="+goarch, "GOAMD64=v1", "GOARM64=v8.0")
	_, err = output(test)
	return err
}

func symbol(function string) string { return module + "/" + function }

// assembly returns the symbol of a function in assembly. The one without a suffix is
// then, if it is there, what functions in Go call to get to it.
func assembly(function string) string { return symbol(function) + ".abi0" }

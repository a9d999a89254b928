package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

const module = "github.com/simdbloom/simdbloom"

// disassembled returns the kernels' functions, named with their packages, from a
// program that has them all: the tests of package asm. It is for linux, so that the
// page does not depend on where it is written.
func disassembled(tools llvm, kernels []kernel) (map[string][]instruction, error) {
	dir, err := os.MkdirTemp("", "mca")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	program := filepath.Join(dir, "asm.test")
	if err := build(program); err != nil {
		return nil, err
	}
	var symbols []string
	for _, k := range kernels {
		symbols = append(symbols, symbol(k.function), assembly(k.function))
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
	for _, k := range kernels {
		found, ok := bySymbol[assembly(k.function)]
		if !ok {
			found, ok = bySymbol[symbol(k.function)]
		}
		if !ok {
			return nil, fmt.Errorf("%s does not exist", k.function)
		}
		functions[k.function] = found
	}
	return functions, nil
}

func build(program string) error {
	root, err := output(exec.Command("go", "list", "-m", "-f", "{{.Dir}}", module))
	if err != nil {
		return err
	}
	test := exec.Command("go", "test", "-c", "-o", program, "./asm")
	test.Dir = strings.TrimSpace(root)
	test.Env = append(test.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOARCH=arm64", "GOARM64=v8.0")
	_, err = output(test)
	return err
}

func symbol(function string) string { return module + "/" + function }

// assembly returns the symbol of a function in assembly. The one without a suffix is
// then, if it is there, what functions in Go call to get to it.
func assembly(function string) string { return symbol(function) + ".abi0" }

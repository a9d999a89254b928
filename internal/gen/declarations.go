package main

import (
	"errors"
	"fmt"
	"go/types"
	"path/filepath"
	"strings"

	"github.com/simdbloom/simdbloom/internal/gen/blocks"
	"github.com/simdbloom/simdbloom/internal/gen/dispatch"
	"github.com/simdbloom/simdbloom/internal/gen/hash"
	"github.com/simdbloom/simdbloom/internal/gen/kernel"
	"github.com/simdbloom/simdbloom/internal/gen/linear"
	"github.com/simdbloom/simdbloom/internal/gen/paired"
	"github.com/simdbloom/simdbloom/internal/gen/ribbon"
	"github.com/simdbloom/simdbloom/internal/gen/shared"
)

const module = "github.com/simdbloom/simdbloom/"

// declarations returns package asm as it is built for an architecture: signatures
// name its structs, and kernels load their fields. It is an error if a constant of
// the generator differs from its counterpart there, or in package cpu.
func declarations(root, arch string) (*types.Package, error) {
	load := func(name string, imports ...*types.Package) (*types.Package, error) {
		return kernel.Declarations(filepath.Join(root, name), module+name, arch, imports...)
	}
	fallback, err := load("fallback")
	if err != nil {
		return nil, err
	}
	cpu, err := load("cpu")
	if err != nil {
		return nil, err
	}
	asm, err := load("asm", fallback, cpu)
	if err != nil {
		return nil, err
	}
	packages := map[string]*types.Package{"fallback": fallback, "cpu": cpu, "asm": asm}
	var errs []error
	for _, constants := range sharedConstants[arch] {
		for name, want := range constants {
			errs = append(errs, compare(packages, name, want))
		}
	}
	return asm, errors.Join(errs...)
}

// compare returns an error if a constant has another value in its package.
func compare(packages map[string]*types.Package, constant string, want int) error {
	pkg, name, _ := strings.Cut(constant, ".")
	value, err := kernel.ConstantOf(packages[pkg], name)
	if err == nil && value != want {
		err = fmt.Errorf("%s is %d, but the generator has %d", constant, value, want)
	}
	return err
}

// sharedConstants are those that kernels rely on, by their packages and names, with the
// generator's values.
var sharedConstants = map[string][]map[string]int{
	"amd64": {
		shared.Constants, hash.Constants, dispatch.Constants, blocks.Constants, paired.Constants, linear.Constants, ribbon.Constants,
	},
	"arm64": {blocks.ConstantsNEON, linear.ConstantsNEON},
}

package main

import (
	"errors"
	"fmt"
	"go/types"
	"path/filepath"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
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
	errs := []error{compare(asm, sharedConstants[arch]), compare(fallback, formats)}
	if arch == "amd64" {
		errs = append(errs, compare(cpu, levels))
	}
	return asm, errors.Join(errs...)
}

// compare returns an error for constants that have other values in the package.
func compare(pkg *types.Package, constants map[string]int) error {
	var errs []error
	for name, want := range constants {
		value, err := kernel.ConstantOf(pkg, name)
		if err == nil && value != want {
			err = fmt.Errorf("%s.%s is %d, but the generator has %d", pkg.Name(), name, value, want)
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// sharedConstants are those of package asm that kernels rely on, with the
// generator's values.
var sharedConstants = map[string]map[string]int{
	"amd64": {
		"BlockBytes":       lineBytes,
		"MaxProbes":        maxProbes,
		"octet":            octet,
		"addsFastLocal":    addsFastLocal,
		"addsFastLocal512": addsFastLocal512,
		"ByXX64":           hashesByXX64,
		"ByXXPH3":          hashesByXXPH3,
		"SplitBlock":       splitBlockFormat,
		"SplitBlockBytes":  splitBlockBytes,
		"nearChunk":        pairedChunk,
		"countKeys":        countKeys,
		"mostFewKeys":      mostFewKeys,
		"formGeneric":      0, // the order of entries
		"form256":          1,
		"form512":          2,
		"form512by32":      4,
		"mostAddedProbes":  rowProbes * len(legacyRowsOf),
		"solvedLines":      solvedLines,
		"mostSolvedLines":  mostSolvedLines,
		"lineKeys":         lineKeys,
		"lineSlots":        lineSlots,
		"linearSeeds":      seeds,
		"linearNear":       linearNear,
		"linearHeadersFar": linearHeadersFar,
		"ribbonGroup":      groupColumns,
		"quad":             quad,
		"quadSlots":        quadSlots,
		"rowSlots":         rowSlots,
		"bandRows":         bandRows,
		"bandGroup":        bandGroup,
		"frameSlots":       frameSlots,
		"stepSlots":        stepSlots,
		"windowColumns":    windowColumns,
	},
	"arm64": {
		"BlockBytes": lineBytes,
		"neonKeys":   neonKeys,
		"linearKeys": linearKeys,
		"octet":      octet,
	},
}

// formats are those of package fallback.
var formats = map[string]int{
	"linearHigh":        linearHigh,
	"linearLow":         linearLow,
	"ListShift":         32 - listBits,
	"SegmentSize":       segmentSize,
	"MostRibbonColumns": mostRibbonColumns,
	"RibbonBlockSlots":  ribbonSlots,
}

// levels are those of package cpu that single kernels are called with.
var levels = map[string]int{"AVX2": levelAVX2, "AVX512": levelAVX512}

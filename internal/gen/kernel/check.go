package kernel

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/reg"
)

// Level is a set of instruction set extensions, as package cpu has it.
type Level int

const (
	// Base is what every amd64 has, without vectors.
	Base Level = iota
	// AVX2 is package cpu's AVX2.
	AVX2
	// AVX512 is package cpu's AVX512.
	AVX512
)

// extensions by the names that avo gives them. Go's own baseline has SSE2, but
// kernels do without: see legacy.
var extensions = map[Level][]string{
	Base: {"MMX+"}, // avo's name for the prefetches
	AVX2: {"MMX+", "AVX", "AVX2"},
	AVX512: {
		"MMX+", "AVX", "AVX2", "AVX512F", "AVX512BW", "AVX512DQ", "AVX512VL",
		"AVX512VBMI", "AVX512VBMI2", "AVX512VNNI", "AVX512BITALG",
	},
}

// check refuses what a new machine runs and an older one of the function's level
// does not, or only slowly.
func check(fn *ir.Function, level Level) error {
	var errs []error
	for _, isa := range fn.ISA {
		if !slices.Contains(extensions[level], isa) {
			errs = append(errs, fmt.Errorf("needs %s, beyond its level", isa))
		}
	}
	instructions := fn.Instructions()
	vectors := false
	for _, i := range instructions {
		errs = append(errs, legacy(i))
		for _, r := range i.Registers() {
			physical := reg.ToPhysical(r)
			if physical == nil || physical.Kind() != reg.KindVector {
				continue
			}
			vectors = true
			// Go's assembler encodes an AVX2 instruction on such a register
			// as AVX-512 and says nothing.
			if level < AVX512 && physical.PhysicalIndex() >= 16 {
				errs = append(errs, fmt.Errorf("%s uses %s, a register of AVX-512", i.Opcode, physical.Asm()))
			}
		}
	}
	for n, i := range instructions {
		if i.Opcode == "RET" && vectors && (n == 0 || instructions[n-1].Opcode != "VZEROUPPER") {
			errs = append(errs, errors.New("returns without VZEROUPPER"))
		}
	}
	return errors.Join(errs...)
}

// legacy refuses SSE instructions: behind one, upper halves that are not zero
// cost hundreds of cycles. Go's MOVQ and MOVL of a vector register are such, and
// avo says of them that they need no extension.
func legacy(i *ir.Instruction) error {
	if strings.HasPrefix(i.Opcode, "V") || strings.HasPrefix(i.Opcode, "K") {
		return nil
	}
	for _, r := range i.Registers() {
		if r.Kind() == reg.KindVector {
			return fmt.Errorf("%s is a legacy instruction on a vector register", i.Opcode)
		}
	}
	return nil
}

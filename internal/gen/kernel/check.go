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
	// Base is every amd64 processor's instructions, without vectors.
	Base Level = iota
	// AVX2 is package cpu's AVX2.
	AVX2
	// AVX512 is package cpu's AVX512.
	AVX512
	// NEON is package cpu's NEON, whose instructions package neon emits.
	NEON
)

// extensions by the names that avo gives them. Go's own baseline has SSE2, but
// kernels do without: upper halves that are not zero make its instructions cost
// hundreds of cycles, also MOVQ from a general register to a vector's.
var extensions = map[Level][]string{
	Base: {"MMX+"}, // avo's name for the prefetches
	AVX2: {"MMX+", "POPCNT", "CMOV", "AVX", "AVX2", "BMI", "BMI2", "PCLMULQDQ"},
	AVX512: {
		"MMX+", "POPCNT", "CMOV", "AVX", "AVX2", "BMI", "BMI2", "PCLMULQDQ", "AVX512F", "AVX512BW", "AVX512DQ", "AVX512VL",
		"AVX512VBMI", "AVX512VBMI2", "AVX512VNNI", "AVX512BITALG", "GFNI",
	},
}

// check refuses instructions that a new machine runs, but an older one of the function's
// level does not, or only slowly.
func check(fn *ir.Function, level Level) error {
	var errs []error
	for _, isa := range fn.ISA {
		if !slices.Contains(extensions[level], isa) {
			errs = append(errs, fmt.Errorf("needs %s, beyond its level", isa))
		}
	}
	for _, i := range fn.Instructions() {
		// Go's assembler encodes an AVX2 instruction on such a register as
		// AVX-512 and says nothing.
		for _, r := range vectors(i) {
			if level < AVX512 && r.PhysicalIndex() >= 16 {
				errs = append(errs, fmt.Errorf("%s uses %s, a register of AVX-512", i.Opcode, r.Asm()))
			}
		}
	}
	if strings.HasSuffix(fn.Name, local) && fn.FrameBytes() > 0 {
		errs = append(errs, fmt.Errorf("is jumped to, but has %d bytes on the stack", fn.FrameBytes()))
	}
	return errors.Join(append(errs, exits(fn)...)...)
}

// exits refuses ways out of a function that leave upper halves which are not
// zero (but for registers that only AVX-512 has; instructions on 128 bits zero them), a tail call that would leave the
// frame, and an end without a way out.
func exits(fn *ir.Function) (errs []error) {
	type state struct {
		next  *ir.Instruction
		dirty bool // upper halves
	}
	seen := make(map[state]bool)
	var follow func(s state)
	follow = func(s state) {
		if seen[s] {
			return
		}
		seen[s] = true
		i := s.next
		switch {
		case i == nil:
			errs = append(errs, errors.New("goes on behind its end"))
			return
		case i.IsTerminal && s.dirty:
			errs = append(errs, fmt.Errorf("reaches %s without VZEROUPPER", i.Opcode))
		case i.IsTerminal && i.Opcode != "RET" && fn.FrameBytes() > 0:
			errs = append(errs, fmt.Errorf("reaches %s with %d bytes on the stack", i.Opcode, fn.FrameBytes()))
		case i.Opcode == "VZEROUPPER":
			s.dirty = false
		case slices.ContainsFunc(vectors(i), func(r reg.Physical) bool { return r.PhysicalIndex() < 16 && r.Size() > 16 }):
			s.dirty = true
		}
		for _, next := range i.Succ {
			follow(state{next, s.dirty})
		}
	}
	follow(state{next: append(fn.Instructions(), nil)[0]})
	return errs
}

// vectors returns an instruction's vector registers.
func vectors(i *ir.Instruction) (physical []reg.Physical) {
	for _, r := range i.Registers() {
		if p := reg.ToPhysical(r); p != nil && p.Kind() == reg.KindVector {
			physical = append(physical, p)
		}
	}
	return physical
}

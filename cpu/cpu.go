// Package cpu decides, once per process, which instruction sets simdbloom's
// kernels may use on this machine.
//
// A Level stands for a set of instructions that the kernels of that level need,
// all of them. Current is what package asm goes by:
//
//   - what the processor and the operating system offer (Machine),
//   - without the features that GODEBUG=cpu.NAME=off takes away,
//   - and no more than the environment variable SIMDBLOOM_CPU allows: generic,
//     avx2, avx512 or neon.
//
// A level that this machine does not reach is lowered to the one it does reach.
// A word that is no level means generic, and Problem says so.
package cpu

import (
	"fmt"
	"os"
	"strings"
)

// Level is a set of instructions, named as SIMDBLOOM_CPU names it.
type Level uint8

const (
	// Generic is plain Go, on every architecture.
	Generic Level = iota
	// AVX2 is amd64 with AVX2 and POPCNT: Haswell (2013), Zen (2017) and later.
	AVX2
	// AVX512 is amd64 with AVX-512 F, BW, DQ, VL, VBMI, VBMI2, VNNI, BITALG and GFNI:
	// Ice Lake (2019), Zen 4 (2022) and later.
	AVX512
	// NEON is arm64 with Advanced SIMD, which is every arm64.
	NEON
)

var names = [...]string{Generic: "generic", AVX2: "avx2", AVX512: "avx512", NEON: "neon"}

// String returns the level's name: "generic", "avx2", "avx512" or "neon".
func (l Level) String() string {
	if int(l) < len(names) {
		return names[l]
	}
	return fmt.Sprintf("cpu.Level(%d)", uint8(l))
}

// Includes reports whether a machine of level l runs the kernels of level m.
// Generic < AVX2 < AVX512, and Generic < NEON; NEON compares with neither of
// the other two.
func (l Level) Includes(m Level) bool {
	return m == l || m == Generic || m == AVX2 && l == AVX512
}

// lower returns the highest level that both l and m include.
func lower(l, m Level) Level {
	switch {
	case l.Includes(m):
		return m
	case m.Includes(l):
		return l
	default:
		return Generic
	}
}

// Variable is the environment variable that lowers the level.
const Variable = "SIMDBLOOM_CPU"

var (
	machine          = detect()
	current, problem = choose(machine, os.Getenv(Variable))
)

func choose(machine Level, word string) (Level, error) {
	if word == "" {
		return machine, nil
	}
	for l, name := range names {
		if strings.EqualFold(word, name) {
			return lower(machine, Level(l)), nil
		}
	}
	return Generic, fmt.Errorf("cpu: %s=%q is no level (one of %s): plain Go is used",
		Variable, word, strings.Join(names[:], ", "))
}

// Machine returns the level of the processor, the operating system and GODEBUG,
// whatever SIMDBLOOM_CPU says.
func Machine() Level { return machine }

// Model returns the processor's name as its maker has it, such as "AMD EPYC
// 9R14", or "" where it cannot be told. Benchmarks print it.
func Model() string { return model() }

// IsIntel reports whether Intel made the processor. Thresholds that were measured on
// processors of Intel and of AMD go by it where the two disagree.
func IsIntel() bool { return isIntel() }

// Current returns the level that the kernels run at.
func Current() Level { return current }

// Problem returns an error when SIMDBLOOM_CPU holds a word that is no level,
// and nil otherwise. Tests and benchmarks print it.
func Problem() error { return problem }

// Limit lowers the level to at most l until restore is called. It is for tests
// of one process that compare levels, and not for use beside running lookups. A
// filter that has been opened stays at the level it was opened at.
// Calls nest: restore them in reverse.
func Limit(l Level) (restore func()) {
	before := current
	current = lower(current, l)
	return func() { current = before }
}

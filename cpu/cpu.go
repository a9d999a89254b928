// Package cpu decides, once per process, which instruction sets simdbloom's
// kernels may use on this machine, and has no stable API. Programs need it only to print or to lower the level:
// the filters choose their kernels by themselves.
//
// A [Level] is a set of instructions. A machine has a level if it has all of them.
// [Current] is the level of the kernels in package asm. It is
//
//   - what the processor and the operating system offer ([Machine]),
//   - without the features that GODEBUG=cpu.NAME=off disables,
//   - and at most the level in the environment variable SIMDBLOOM_CPU: generic, avx2,
//     avx512 or neon.
//
// A level that this machine does not have is lowered to one that it has. An unknown word
// selects [Generic], and [Problem] returns the error. The build tag purego leaves all
// assembly out of the program: the level is then always Generic.
package cpu

import (
	"fmt"
	"os"
	"strings"
)

// Level is a set of instructions, named as SIMDBLOOM_CPU names it.
type Level uint8

const (
	// Generic is pure Go, on every architecture.
	Generic Level = iota
	// AVX2 is amd64 with AVX2, BMI1, BMI2, PCLMULQDQ and POPCNT: Haswell (2013), Zen (2017) and later.
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
	return Generic, fmt.Errorf("cpu: %s must be one of %s, not %q: generic is used",
		Variable, strings.Join(names[:], ", "), word)
}

// Machine returns the level of the processor, the operating system and GODEBUG,
// whatever the value of SIMDBLOOM_CPU.
func Machine() Level { return machine }

// Model returns the processor's name as its maker writes it, such as "AMD EPYC
// 9R14", or "" if it is unknown. Benchmarks print it.
func Model() string { return model() }

// Family returns the numbers of the processor's family and model as its maker counts them, such as 25 and 17 of a Zen
// 4, or zeros if they are unknown. Benchmarks print them, because different processors may have the same name.
func Family() (family, model int) { return numbers() }

// IsIntel reports whether Intel made the processor. Package asm chooses thresholds by it
// where measurements on Intel and AMD disagree.
func IsIntel() bool { return isIntel() }

// IsZen4 reports whether the processor is a Zen 4: AMD's family 25 with AVX-512. Package asm chooses a kernel by it
// where Zen 4 and Zen 5 disagree.
func IsZen4() bool { return machine == AVX512 && isZen4() }

// Current returns the level of the kernels that run.
func Current() Level { return current }

// Problem returns an error if SIMDBLOOM_CPU has a word that names no level, and nil
// otherwise. Tests and benchmarks print it.
func Problem() error { return problem }

// Limit lowers the level to at most l until restore is called. Only tests that compare
// levels in one process use it. Do not call it while other goroutines build filters or
// look up keys. A filter that is open keeps its level. Calls nest: restore them in
// reverse order.
func Limit(l Level) (restore func()) {
	before := current
	set(lower(current, l))
	return func() { set(before) }
}

// followers are the arguments of Follow.
var followers []*Level

// Follow sets a variable to Current, now and whenever Limit changes it. Package asm has one, because its assembly reads
// only variables of its own package. Call it from init.
func Follow(level *Level) {
	followers = append(followers, level)
	*level = current
}

func set(l Level) {
	current = l
	for _, level := range followers {
		*level = l
	}
}

// Package asm is the seam between simdbloom's filters and their kernels, and has no stable API. Each
// function runs the fastest implementation that this machine supports (see package
// cpu), and package fallback, in pure Go, where no kernel exists:
//
//	lookups, one key        AVX-512, AVX2; Legacy's and LevelDB's AVX2
//	lookups, batches        AVX-512, AVX2, NEON
//	adding, one key         AVX-512, AVX2; Blobloom's AVX-512; SplitBlock's AVX2, or pure Go if shared
//	adding, counting        AVX-512, AVX2; Legacy's and Blobloom's AVX2
//	partitioning, copying   AVX2
//	hashing numbers         AVX-512, AVX2
//	hashing strings, keys   AVX-512, AVX2
//	equations               AVX2; Linear's also AVX-512
//	sliced tiles            AVX-512, AVX2, NEON
//	slicing bodies          AVX2
//	pairing blocks          pure Go
//	LevelDB's batches       pure Go
//
// A kernel for AVX2 runs at AVX-512, too, where that has none.
//
// [Kernel] is a filter of any format, prepared for lookups. A format has a file that all
// platforms share (paired.go). Its functions are in a table, which functions_amd64.go and functions_go.go explain.
// Kernels of arm64 are called in kernel_arm64.go. internal/gen writes the assembly.
//
// It is the only package that knows of more than one implementation. Use the
// packages of the formats, such as bloom.
//
// Every function checks lengths and the number of probes once, and panics if
// they are invalid. No content of a filter's bytes makes it panic or touch memory
// outside the slices that it is given. Nothing allocates, except that solvers of Linear and
// Ribbon filters keep memory for the next time. Any number of goroutines may query the same
// body; adding needs exclusive access, unless the body is shared (shared.go).
package asm

import (
	"fmt"

	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/fallback"
)

const (
	// BlockBytes is the size of a block. All of a key's bits are in one block, or
	// half of them in each of two in a paired filter.
	BlockBytes = fallback.BlockBytes

	// MaxBodyBytes is the size of the largest body: the formats count its
	// bytes in 32 bits.
	MaxBodyBytes uint64 = 1<<32 - BlockBytes

	// MaxProbes is the largest number of probes in all formats but Legacy.
	MaxProbes = 30
)

const octet = 8 // keys, which kernels answer together

// Level returns the level of the kernels that run, which is [cpu.Current].
func Level() cpu.Level { return cpu.Current() }

// Words returns the number of answer words for the given number of hashes.
func Words(hashes int) int { return (hashes + 63) / 64 }

// checkBody requires a body of whole units. A unit's size is a power of two.
func checkBody(body []byte, unit int) {
	if uint64(len(body))-1 >= MaxBodyBytes || len(body)&(unit-1) != 0 {
		most := MaxBodyBytes / uint64(unit) * uint64(unit)
		panic(fmt.Sprintf("asm: len(body) must be a multiple of %d from %d to %d, not %d", unit, unit, most, len(body)))
	}
}

func checkProbes(probes, least int) {
	if probes < least || probes > MaxProbes {
		panic(fmt.Sprintf("asm: probes must be %d to %d, not %d", least, MaxProbes, probes))
	}
}

// checkBits and checkBools are inlined into their callers. Users of the filters meet their panics, which are not.

func checkBits(hashes, hits []uint64) {
	if len(hits) < Words(len(hashes)) {
		panicBits(len(hits), len(hashes))
	}
}

func checkBools(hashes []uint64, hits []bool) {
	if len(hits) < len(hashes) {
		panicBools(len(hits), len(hashes))
	}
}

//go:noinline
func panicBits(words, hashes int) {
	panic(fmt.Sprintf("simdbloom: len(hits) is %d, but %d hashes need %d words", words, hashes, Words(hashes)))
}

//go:noinline
func panicBools(bools, hashes int) {
	panic(fmt.Sprintf("simdbloom: len(hits) is %d, but there are %d hashes", bools, hashes))
}

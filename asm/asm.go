// Package asm is the seam between simdbloom's filters and their kernels: every
// kernel by its name, with the body chosen that is the fastest this machine
// runs (package cpu says which). At present every level takes the plain Go of
// package fallback.
//
// It is the only package that knows of more than one implementation, and it
// comes without a compatibility promise: use packages bloom and paired.
//
// Every function checks its lengths and the number of probes once and panics
// when they are not what it needs; no content of a filter's bytes makes it
// panic or touch memory outside the slices it is given. None allocates. Any
// number of goroutines may look up in the same body; adding needs it alone.
package asm

import (
	"fmt"

	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/fallback"
)

const (
	// BlockBytes is the size of a block, in which all of a key's bits are (or
	// half of them, in a paired filter).
	BlockBytes = fallback.BlockBytes

	// MaxBodyBytes is the size of the largest body: the formats count its
	// bytes in 32 bits.
	MaxBodyBytes uint64 = 1<<32 - BlockBytes

	// MaxProbes is the largest number of probes that the formats can record.
	MaxProbes = 30
)

// Block returns which of the given number of blocks a hash belongs to.
func Block(hash uint64, blocks uint32) uint32 { return fallback.Block(hash, blocks) }

// Level returns the level of the kernels that run: cpu.Current's, or plain Go
// where that has none.
func Level() cpu.Level { return level() }

// Words returns the number of answer words for the given number of hashes.
func Words(hashes int) int { return (hashes + 63) / 64 }

// The checks are inlined into the wrappers, so the panics are not.

// checkBody wants a body of whole units, whose size is a power of two.
func checkBody(body []byte, unit int) {
	if uint64(len(body))-1 >= MaxBodyBytes || len(body)&(unit-1) != 0 {
		panicBody(len(body), unit)
	}
}

func checkProbes(probes, least int) {
	if probes < least || probes > MaxProbes {
		panicProbes(probes, least)
	}
}

func checkHits(hits, hashes []uint64) {
	if len(hits) < Words(len(hashes)) {
		panicHits(len(hits), len(hashes))
	}
}

func checkBools(hits []bool, hashes []uint64) {
	if len(hits) < len(hashes) {
		panicBools(len(hits), len(hashes))
	}
}

//go:noinline
func panicBody(bytes, unit int) {
	panic(fmt.Sprintf("asm: a body of %d bytes, not of 1 to %d times %d", bytes, MaxBodyBytes/uint64(unit), unit))
}

//go:noinline
func panicProbes(probes, least int) {
	panic(fmt.Sprintf("asm: %d probes, not %d to %d", probes, least, MaxProbes))
}

//go:noinline
func panicHits(words, hashes int) {
	panic(fmt.Sprintf("asm: %d words for the answers of %d hashes", words, hashes))
}

//go:noinline
func panicBools(bools, hashes int) {
	panic(fmt.Sprintf("asm: %d bools for the answers of %d hashes", bools, hashes))
}

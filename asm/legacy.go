package asm

import (
	"fmt"

	"github.com/simdbloom/simdbloom/fallback"
)

// Legacy is a legacy filter prepared for queries by 32-bit hashes: [NewLegacy] checks the
// arguments and chooses the kernels once. It is immutable, and any number of goroutines may
// query it.
//
// Kernels are for lines that are blocks. They see a FastLocal filter with other probes,
// which looks up widened hashes.
type Legacy struct {
	// A lookup of one key reads these.
	body       []byte
	reciprocal uint64
	lines      uint32
	probes     int
	singles    int // whether there are kernels for one key

	blocks FastLocal // without a body, and formGeneric, if there is no kernel for batches
}

// MaxLegacyProbes is the largest number of probes that a legacy filter can record.
const MaxLegacyProbes = 127

// legacySteps has, for every number of probes, the steps from the hash to each: 0 to
// probes-1, and 0 where a vector has room for more. They are at the top of words, as
// positions in a block are.
var legacySteps = func() (rows [MaxProbes + 1][32]uint32) {
	const shift = 32 - 9
	for probes := range rows {
		for i := range probes {
			rows[probes][i] = uint32(i) << shift
		}
	}
	return rows
}()

// NewLegacy returns the filter with the given body, which is lines of 2^m bytes, and the
// number of probes, 1 to MaxLegacyProbes.
func NewLegacy(body []byte, lines uint32, probes int) Legacy {
	checkLegacy(body, lines, probes)
	f := Legacy{body: body, lines: lines, probes: probes}
	if form := legacyForm(probes); form != formGeneric && inBlocks(body, lines) && probes <= MaxProbes {
		f.reciprocal, f.singles = fallback.NewModulus(uint64(lines)).Reciprocal(), legacySingles
		f.blocks = FastLocal{
			body: body, form: form, level: int(level()), probes: probes, multipliers: &legacySteps[probes],
		}
	}
	return f
}

// inBlocks reports whether the lines are blocks, and no more than kernels take.
func inBlocks(body []byte, lines uint32) bool {
	return uint64(len(body)) == uint64(lines)*BlockBytes && uint64(len(body)) <= MaxBodyBytes
}

func checkLegacy(body []byte, lines uint32, probes int) {
	if lines == 0 || len(body) == 0 || uint64(len(body))%uint64(lines) != 0 {
		panicLegacy(len(body), lines)
	}
	if size := uint64(len(body)) / uint64(lines); size&(size-1) != 0 {
		panicLegacy(len(body), lines)
	}
	if uint(probes-1) >= MaxLegacyProbes {
		panic(fmt.Sprintf("asm: %d probes, not 1 to %d", probes, MaxLegacyProbes))
	}
}

//go:noinline
func panicLegacy(bytes int, lines uint32) {
	panic(fmt.Sprintf("asm: %d bytes are not %d lines of 2^m bytes", bytes, lines))
}

// LegacyAdd is fallback.LegacyAdd.
func LegacyAdd(body []byte, lines uint32, probes int, hashes []uint32) {
	f := NewLegacy(body, lines, probes)
	f.add(hashes)
}

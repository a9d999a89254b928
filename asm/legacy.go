package asm

import (
	"fmt"
	"runtime"
	"unsafe"

	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/tables"
)

// maxLegacyProbes is the largest number of probes that a legacy filter can record.
const maxLegacyProbes = 127

// legacySteps has, for every number of probes, the steps from the hash to each: 0 to
// probes-1, and 0 where a vector has room for more. They are at the top of words, as
// positions in a block are.
var legacySteps tables.Table[probeRows]

func fillLegacySteps(rows *probeRows) {
	const shift = 32 - 9
	for probes := range rows {
		for i := range probes {
			rows[probes][i] = uint32(i) << shift
		}
	}
}

// NewLegacy returns the filter with the given body, which is lines of 2^m bytes, and the
// number of probes, 1 to 127.
//
// Kernels are for lines that are blocks. They see a FastLocal filter with other probes,
// which looks up widened hashes.
func NewLegacy(body []byte, lines uint32, probes int) Kernel {
	checkLegacy(body, lines, probes)
	k := Kernel{body: body, format: Legacy, probes: probes}
	own := k.legacy()
	own.lines = lines
	if areBlocks(body, lines) && probes <= MaxProbes {
		k.form, own.modulus = legacyForm(probes), fallback.NewModulus(uint64(lines))
		k.multipliers = &legacySteps.Of(fillLegacySteps)[probes]
	}
	k.oneByOneMax = oneByOneMaxOf(Legacy, k.form, body)
	k.use(&legacyFunctions)
	return k
}

// legacyFilter is in the place of other formats' first multipliers.
type legacyFilter struct {
	modulus fallback.Modulus // of the lines
	lines   uint32
}

func (k *Kernel) legacy() *legacyFilter { return (*legacyFilter)(unsafe.Pointer(&k.eight)) }

func legacyContainsGo(k *Kernel, hash uint64) (_ uint64, found bool) {
	found = fallback.LegacyContains(k.body, k.legacy().lines, k.probes, hash)
	runtime.KeepAlive(k)
	return 0, found
}

func legacyBitsInGo(k *Kernel, hashes, hits []uint64) {
	fallback.LegacyContainsBatch(k.body, k.legacy().lines, k.probes, hashes, hits)
	runtime.KeepAlive(k)
}

// areBlocks reports whether the lines are blocks, and no more than kernels take.
func areBlocks(body []byte, lines uint32) bool {
	return uint64(len(body)) == uint64(lines)*BlockBytes && uint64(len(body)) <= MaxBodyBytes
}

func checkLegacy(body []byte, lines uint32, probes int) {
	size := uint64(len(body)) / uint64(max(lines, 1))
	if lines == 0 || size == 0 || size&(size-1) != 0 || uint64(len(body)) != size*uint64(lines) {
		panic(fmt.Sprintf("asm: %d bytes are not %d lines of 2^m bytes", len(body), lines))
	}
	if uint(probes-1) >= maxLegacyProbes {
		panic(fmt.Sprintf("asm: probes must be 1 to %d, not %d", maxLegacyProbes, probes))
	}
}

// LegacyAdd is [fallback.LegacyAdd].
func LegacyAdd(body []byte, lines uint32, probes int, hashes []uint64) {
	k := NewLegacy(body, lines, probes)
	k.addLegacy(hashes)
}

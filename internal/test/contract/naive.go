package contract

import (
	"encoding/binary"
	"slices"

	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/test/naive"
)

// LinearBuilt returns the bytes of [naive.LinearBy] with lines that package fallback solves, which takes less time.
func LinearBuilt(hashes []uint64, millibits, most, load uint64) []byte {
	var solver fallback.LinearSolver
	return naive.LinearBy(func(r int, multiplier uint64, hashes []uint64) (line [64]byte, header byte) {
		header = fallback.LinearSolve(&solver, line[:], r, uint32(multiplier), hashes)
		return line, header
	}, hashes, millibits, most, load).Bytes()
}

// The naive readings take the bytes of a filter that has a block at least.

func fastLocalParts(data []byte) (body []byte, probes int) {
	n := len(data) - 5
	return data[:n/64*64], int(data[n+2])
}

func naiveFastLocal(data []byte) func(hash uint64) bool {
	body, probes := fastLocalParts(data)
	return func(hash uint64) bool { return naive.FastLocalContains(body, probes, hash) }
}

func naiveFastLocalAdd(data []byte) func(hash uint64) {
	body, probes := fastLocalParts(data)
	return func(hash uint64) { naive.FastLocalAdd(body, probes, hash) }
}

// naivePaired reads the filters of this library's names, and NaiveSpeedb those with Speedb's key hash.
func naivePaired(data []byte) func(hash uint64) bool {
	n := len(data) - 4
	batch := map[byte]int{0: 32, 7: 128}[data[n+2]]
	return func(hash uint64) bool { return naive.PairedContains(data[:n], batch, int(data[n+1]), hash) }
}

// NaiveSpeedb returns the naive lookup in a paired filter that Speedb may have written. One whose blocks are paired in
// no way may contain every key.
func NaiveSpeedb(data []byte) func(hash uint64) bool {
	n := len(data) - 4
	if data[n+2] != 0 {
		return naivePaired(data)
	}
	batches := naive.PairedBatches(data[:n])
	return func(hash uint64) bool {
		return len(batches) == 0 ||
			slices.ContainsFunc(batches, func(batch int) bool { return naive.PairedContains(data[:n], batch, int(data[n+1]), hash) })
	}
}

// naiveRibbon reads the FastLocal filters, too, that the builder makes of few keys.
func naiveRibbon(data []byte) func(hash uint64) bool {
	if data[len(data)-5] == 0xff {
		return naiveFastLocal(data)
	}
	return func(hash uint64) bool { return naive.RibbonContains(data, hash) }
}

func naiveBlobloom(data []byte) func(hash uint64) bool {
	return func(hash uint64) bool { return naive.BlobloomContains(data[64:], blobloomK(data), hash) }
}

func naiveBlobloomAdd(data []byte) func(hash uint64) {
	return func(hash uint64) { naive.BlobloomAdd(data[64:], blobloomK(data), hash) }
}

// blobloomK returns the k that a header stands for: more than 1,025 repeat the same bits.
func blobloomK(data []byte) int {
	return int(min(max(binary.LittleEndian.Uint32(data[16:]), 2), 1025))
}

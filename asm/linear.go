package asm

import (
	"fmt"

	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/fallback"
)

const (
	// MaxLinearLayers is the largest number of layers that the format allows.
	MaxLinearLayers = fallback.MaxLinearLayers

	// LeastLinearBits is the number of bits in the shortest fingerprint.
	LeastLinearBits = fallback.LeastLinearBits

	// MostLinearBits is the number of bits in the longest fingerprint.
	MostLinearBits = fallback.MostLinearBits
)

// Linear is a linear filter prepared for queries: arguments are checked once. It is
// immutable.
type Linear struct {
	body   []byte
	lines  [MaxLinearLayers]uint32 // of each layer
	layers int
	r      int
	level  cpu.Level    // of the kernels that look up in it
	shape  *linearShape // theirs, nil without kernels or layers
}

// NewLinear returns the filter with fingerprints of r bits whose layers have the given
// numbers of lines. Each has at least one, and their sum is the body's. Without layers it
// contains nothing.
func NewLinear(body []byte, lines []uint32, r int) Linear {
	checkLinear(body, lines, r)
	f := Linear{body: body, layers: len(lines), r: r}
	copy(f.lines[:], lines)
	if len(lines) > 0 {
		f.level, f.shape = level(), linearShapeOf(r)
	}
	return f
}

// Layers returns the numbers of lines in the layers.
func (f *Linear) Layers() []uint32 { return f.lines[:f.layers] }

// IsFarAmong reports whether to Prefetch before lookups in f, one of the given number
// of filters.
func (f *Linear) IsFarAmong(filters int) bool { return areFar(f.body, filters) }

// Prefetch prefetches the lines of hashes, at least one, in the first layer.
func (f *Linear) Prefetch(hashes []uint64) {
	if first := uint(f.lines[0]) * BlockBytes; first > 0 {
		prefetch(f.body[:first], hashes)
	}
}

// ContainsBitsAmong is ContainsBits of one of the given number of filters. If it is far
// among them, the lines of the first LinesAhead hashes in the first layer have been
// prefetched.
func (f *Linear) ContainsBitsAmong(filters int, hashes, hits []uint64) {
	checkBits(hashes, hits)
	if isFarOnlyAmong(filters, f.body) {
		first := f.body[:uint(f.lines[0])*BlockBytes]
		for len(hashes) > LinesAhead {
			prefetchNext(first, hashes)
			f.ContainsBits(hashes[:LinesAhead], hits)
			hashes, hits = hashes[LinesAhead:], hits[LinesAhead/64:]
		}
	}
	f.ContainsBits(hashes, hits)
}

// ContainsBools sets hits[i] to Contains(hashes[i]) for every hash.
func (f *Linear) ContainsBools(hashes []uint64, hits []bool) { f.boolsOfBits(hashes, hits) }

// LinearSolver is the memory of LinearSolveLines. The zero LinearSolver is ready for use.
type LinearSolver struct {
	fallback fallback.LinearSolver
	kernel   solverKernel
}

// LinearSlotsOf is fallback.LinearSlotsOf.
func LinearSlotsOf(r int) int { return fallback.LinearSlotsOf(r) }

// LinearPlace is fallback.LinearPlace.
func LinearPlace(hash uint64, lines uint32) (line uint32, order uint64) {
	return fallback.LinearPlace(hash, lines)
}

// LinearThreshold is fallback.LinearThreshold.
func LinearThreshold(line []byte) uint64 { return fallback.LinearThreshold(line) }

// LinearPlacesBelow is fallback.LinearPlacesBelow.
func LinearPlacesBelow(header byte) int { return fallback.LinearPlacesBelow(header) }

// LinearNext is fallback.LinearNext.
func LinearNext(hash uint64) uint64 { return fallback.LinearNext(hash) }

// solveEach solves one line after the other.
func solveEach(solver *LinearSolver, body []byte, r int, lines uint32, ends []int, hashes []uint64) {
	from := 0
	for i, to := range ends {
		fallback.LinearSolve(&solver.fallback, body[i*BlockBytes:][:BlockBytes], r, lines, hashes[from:to])
		from = to
	}
}

func checkLines(body []byte, r int, lines uint32, ends []int, hashes []uint64) {
	if len(body) != len(ends)*BlockBytes || LinearSlotsOf(r) == 0 || lines == 0 || len(ends) > 0 && ends[len(ends)-1] != len(hashes) {
		panic(fmt.Sprintf("asm: %d bytes for %d lines out of %d, with fingerprints of %d bits", len(body), len(ends), lines, r))
	}
}

func checkLinear(body []byte, lines []uint32, r int) {
	if len(lines) > MaxLinearLayers || LinearSlotsOf(r) == 0 || !areLayersOf(body, lines) {
		panicLinear(len(body), len(lines), r)
	}
}

// areLayersOf reports whether layers of the given numbers of lines, at least one each, are
// the body.
func areLayersOf(body []byte, lines []uint32) bool {
	sum := uint64(0)
	for _, n := range lines {
		if n == 0 {
			return false
		}
		sum += uint64(n)
	}
	return sum < 1<<32 && sum*BlockBytes == uint64(len(body))
}

//go:noinline
func panicLinear(bytes, layers, r int) {
	panic(fmt.Sprintf("asm: len(body) is %d, which is not that of %d layers of fingerprints of %d bits", bytes, layers, r))
}

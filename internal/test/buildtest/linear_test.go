package buildtest

import (
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/test/naive"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/linear"
)

// Linear filters have no other size before they are built than the largest possible, and
// layers instead of one body.

// sized reports whether a builder may say that a filter of the given bytes has the size.
func (k kind) sized(size, bytes int) bool {
	return size == bytes || k.batch == inLines && size > bytes
}

// plainLinear solves one line after the other, with all keys of a layer sorted by line.
func (k kind) plainLinear(hashes []uint64) []byte {
	r, lines := naive.LinearPlan(uint64(len(hashes)), uint64(k.millibits()))
	for attempt := 1; ; attempt++ {
		body, layers, left := plainLayers(hashes, r, lines)
		if left == 0 || attempt == 3 || r == fallback.LeastLinearBits {
			end := naive.Linear(nil, 0)
			for _, lines := range layers {
				body = append(body, byte(lines), byte(lines>>8), byte(lines>>16), byte(lines>>24))
			}
			end[0], end[1] = byte(r), byte(len(layers))
			return append(body, end...)
		}
		for r--; fallback.LinearSlotsOf(r) == 0; r-- {
		}
	}
}

// plainLayers returns layers of at most the given number of lines, and how many keys they
// do not hold.
func plainLayers(keys []uint64, r int, left uint64) (body []byte, layers []uint32, lost int) {
	var solver fallback.LinearSolver
	for len(keys) > 0 && left > 0 && len(layers) < fallback.MaxLinearLayers {
		lines := left
		if len(layers)+1 < fallback.MaxLinearLayers {
			lines = naive.LinearNextLayer(r, uint64(len(keys)), left)
		}
		left -= lines
		layers = append(layers, uint32(lines))
		sorted, ends := byLine(keys, uint32(lines))
		keys = nil
		from := 0
		for _, to := range ends {
			var line [fallback.BlockBytes]byte
			threshold := fallback.LinearSolve(&solver, line[:], r, uint32(lines), sorted[from:to])
			body = append(body, line[:]...)
			for _, hash := range sorted[from:to] {
				if _, order := fallback.LinearPlace(hash, uint32(lines)); order < uint64(threshold) {
					keys = append(keys, fallback.LinearNext(hash))
				}
			}
			from = to
		}
	}
	return body, layers, len(keys)
}

// byLine returns the keys sorted by line, and where those of each line end.
func byLine(keys []uint64, lines uint32) (sorted []uint64, ends []int) {
	counts := make([]int, lines)
	for _, hash := range keys {
		counts[fallback.Block(hash, lines)]++
	}
	ends = make([]int, lines) // where they begin, until they are filled
	for i, at := 1, 0; i < len(ends); i++ {
		at += counts[i-1]
		ends[i] = at
	}
	sorted = make([]uint64, len(keys))
	for _, hash := range keys {
		line := fallback.Block(hash, lines)
		sorted[ends[line]] = hash
		ends[line]++
	}
	return sorted, ends
}

// TestLinearWithoutRoom builds filters whose layers do not hold all keys, in parts and by
// several goroutines: they contain every key, and have the same bytes.
func TestLinearWithoutRoom(t *testing.T) {
	enoughProcs(t)
	if emulated {
		return // as for the kinds
	}
	for i, skew := range skews {
		hashes := slices.Compact(skewed(skew.hash, unlessSlow(300_000, 30_000)))
		k := kinds[slices.IndexFunc(kinds, func(k kind) bool { return k.batch == inLines })].within(len(hashes) / 2)
		var want []byte
		some := fewSettings(i)
		for j := range min(2, len(some)) {
			s := some[(i+j)%len(some)]
			b := k.verifying(t, s.concurrency)
			b.AddHashes(hashes)
			data := finish(t, b)
			if want == nil {
				want = data
			}
			same(t, data, want, "%s, %v", skew.name, s)
			f, err := linear.Open(data, keyhash.XX64)
			if err != nil || len(data) > k.maxBytes || len(f.AppendHits(nil, hashes)) != len(hashes) {
				t.Errorf("%s, %v: %d bytes, %v, or keys are missing", skew.name, s, len(data), err)
			}
		}
	}
}

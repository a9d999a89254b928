package fallback

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

var benchmarkLinearBits = []int{7, 9, 14, 15, 18, 21, 22, 28, 31}

// BenchmarkLinear looks up in filters of 1 MiB whose first layer has 0.95 keys per slot.
func BenchmarkLinear(b *testing.B) {
	const lines = 1 << 20 / BlockBytes
	for _, r := range benchmarkLinearBits {
		added := randomHashes(1, lines*LinearSlotsOf(r)*95/100)
		f, _ := linearOf(added, r, lines*5/4)
		for _, share := range shares {
			hashes := randomHashes(2, queries)
			for i := range hashes {
				if share == "present" || share == "mixed" && rand.IntN(2) == 0 {
					hashes[i] = added[rand.IntN(len(added))]
				}
			}
			name := fmt.Sprintf("R=%d/%s", r, share)
			measure(b, name+"/single", func() {
				for _, h := range hashes {
					count(f.contains(h))
				}
			})
			hits := make([]uint64, queries/64)
			measure(b, name+"/batch", func() { f.containsBatch(hits, hashes) })
		}
	}
}

// BenchmarkLinearSolve solves the lines of a first layer, ns a key of these.
func BenchmarkLinearSolve(b *testing.B) {
	for _, r := range benchmarkLinearBits {
		for _, percent := range []int{80, 100, 120} { // of keys per slot
			slots := LinearSlotsOf(r)
			lines := uint32(100 * queries / (slots * percent))
			all := byLine(randomHashes(3, queries), lines)
			var solver LinearSolver
			var line [BlockBytes]byte
			measure(b, fmt.Sprintf("R=%d/%d%%", r, percent), func() {
				for _, hashes := range all {
					LinearSolve(&solver, line[:], r, lines, hashes)
				}
			})
		}
	}
}

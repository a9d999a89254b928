package fallback

import (
	"fmt"
	"testing"
)

// BenchmarkLinearSolve solves the lines of a first layer, ns a key of these.
func BenchmarkLinearSolve(b *testing.B) {
	for _, r := range []int{7, 9, 14, 15, 18, 21, 22, 28, 32} {
		for _, percent := range []int{80, 100, 120} { // of keys per slot
			slots := LinearSlotsOf(r)
			lines := uint32(100 * queries / (slots * percent))
			all := make([][]uint64, lines)
			for _, hash := range randomHashes(3, queries) {
				line, _ := LinearPlace(hash, lines)
				all[line] = append(all[line], hash)
			}
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

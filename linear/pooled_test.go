//go:build !race

package linear_test

import (
	"testing"

	"github.com/simdbloom/simdbloom/internal/test/vectors"
)

// TestABuilderUsedAgainAllocatesNothing is about one goroutine and memory for the filter.
// What pools hold is used again. (The race detector has pools drop some of it.)
func TestABuilderUsedAgainAllocatesNothing(t *testing.T) {
	const most = 4 // room in lists, for a few more keys than before
	for _, n := range []int{0, 50, 1000, 200_000} {
		b := builder(t, 20)
		hashes := vectors.Hashes(1, n)
		var memory []byte
		build := func() {
			var err error
			b.AddHashes(hashes)
			if memory, err = b.AppendFinish(memory[:0]); err != nil {
				t.Fatal(err)
			}
		}
		build()
		build()
		if allocs := testing.AllocsPerRun(5, build); allocs > most {
			t.Errorf("%d keys: %v allocations", n, allocs)
		}
	}
}

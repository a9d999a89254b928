package buildtest

import (
	"math"
	"runtime"
	"testing"

	"github.com/simdbloom/simdbloom/internal/test/vectors"
)

// TestAnyConcurrency allows many more goroutines than ever run: GOMAXPROCS limits what that
// costs.
func TestAnyConcurrency(t *testing.T) {
	enoughProcs(t)
	for _, k := range kinds {
		hashes := vectors.Hashes(60, k.manyHashes())
		want := k.plain(hashes)
		for _, concurrency := range []int{10_000, math.MaxInt} {
			func() {
				defer func() {
					if r := recover(); r != nil {
						t.Errorf("%s, concurrency %d: %v", k.name, concurrency, r)
					}
				}()
				b := k.builder(t, concurrency)
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				b.AddHashes(hashes)
				runtime.ReadMemStats(&after)
				if more := int(after.TotalAlloc-before.TotalAlloc) - 8*len(hashes); more > 80<<20 {
					t.Errorf("%s, concurrency %d: %d MiB beyond the hashes", k.name, concurrency, more>>20)
				}
				same(t, finish(t, b), want, "%s, concurrency %d", k.name, concurrency)
			}()
		}
	}
}

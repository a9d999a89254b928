//go:build !race

package buildtest

import (
	"math"
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/simdbloom/simdbloom/internal/test/vectors"
)

// Memory in pools is used again. (Under the race detector pools drop some of it, and the
// garbage collector frees all.)

// TestABuilderUsedAgainAllocatesItsFilter builds filters of a size until one allocates no
// memory but its own. The first ones may allocate more: a pool does not return what was just
// put back on another of the runtime's processors, and how many goroutines hold memory at
// once is a matter of chance.
func TestABuilderUsedAgainAllocatesItsFilter(t *testing.T) {
	enoughProcs(t)
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	const (
		rounds       = 30
		small        = 64 << 10     // for a goroutine
		around       = 64 + 8<<10   // the filter, to align it and because the heap has whole pages
		mostFilter   = 8<<20 - 8192 // from 8 MiB on a filter may have a huge page more
		countsOfLine = 2            // bytes, of a paired filter
	)
	hashes := vectors.Hashes(51, unlessSlow(2_300_000, 100_000))
	sizes, numbers := []int{300, 50_000, 900_000, len(hashes)}, concurrencies
	if slow() {
		sizes, numbers = []int{300, len(hashes)}, []int{1, 3}
	}
	for i, k := range kinds {
		for j, n := range sizes {
			for m, goroutines := range numbers {
				if m != (i+j)%len(numbers) { // each two of the three together
					continue
				}
				runtime.GC() // the filters of the last rounds; pools keep things for another cycle
				b := k.builder(t, goroutines)
				allowed := small * (1 + goroutines)
				b.AddHashes(hashes[:n])
				size := b.SizeBytes()
				b.Reset()
				if k.batch > 0 {
					allowed += size / 64 * countsOfLine
				}
				var memory []byte
				into := leastAllocated(rounds, allowed, func() {
					var err error
					b.AddHashes(hashes[:n])
					if memory, err = b.AppendFinish(memory[:0]); err != nil {
						t.Fatal(err)
					}
				})
				if into > allowed {
					t.Errorf("%s, %d hashes, %d goroutines: %d KiB for a filter in memory from before", k.name, n, goroutines, into>>10)
				}
				allowed += size + around
				if len(memory) > mostFilter {
					t.Fatal("this test expects smaller filters")
				}
				own := leastAllocated(rounds, allowed, func() {
					b.AddHashes(hashes[:n])
					finish(t, b)
				})
				if own > allowed {
					t.Errorf("%s, %d hashes, %d goroutines: %d KiB for a filter of %d KiB", k.name, n, goroutines, own>>10, len(memory)>>10)
				}
			}
		}
	}
}

// leastAllocated runs f until it allocates no more bytes than are allowed, or the given
// number of times. It returns the fewest bytes that a run allocated.
func leastAllocated(rounds, allowed int, f func()) int {
	f()
	least := math.MaxInt
	for range rounds {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		f()
		runtime.ReadMemStats(&after)
		if least = min(least, int(after.TotalAlloc-before.TotalAlloc)); least <= allowed {
			break
		}
	}
	return least
}

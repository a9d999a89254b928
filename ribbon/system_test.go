package ribbon_test

import (
	"bytes"
	"runtime"
	"testing"

	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/ribbon"
)

// TestGoroutinesChangeNoByte has filters of several parts, which goroutines share, and hashes for
// which no seed works.
func TestGoroutinesChangeNoByte(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(5))
	sets := [][]uint64{vectors.Hashes(3, 20_000), vectors.Hashes(4, 60_000), vectors.Hashes(5, 200_000)}
	for _, v := range vectors.RibbonRaw() {
		if v.Set == "cluster:111803" {
			sets = append(sets, append(vectors.Hashes(6, 50_000), v.Hashes()...))
		}
	}
	for i, hashes := range sets {
		var want []byte
		for _, goroutines := range []int{1, 2, 3, 5} {
			b := builder(t, 23.4, keyhash.XX64, ribbon.WithConcurrency(goroutines), ribbon.WithVerification())
			b.AddHashes(hashes)
			data, err := b.Finish()
			if err != nil {
				t.Fatal(err)
			}
			if want == nil {
				want = data
			}
			if !bytes.Equal(data, want) {
				t.Errorf("set %d: other bytes from %d goroutines", i, goroutines)
			}
		}
	}
}

// raced says that the race detector is on: it has pools drop some of their memory.
var raced bool

// TestABuilderUsedAgainAllocatesNothing is about one goroutine and memory for the filter. What
// pools hold is used again.
func TestABuilderUsedAgainAllocatesNothing(t *testing.T) {
	if raced {
		t.Skip("pools drop memory")
	}
	for _, n := range []int{0, 50, 1000, 100_000} {
		b := builder(t, 20, keyhash.XX64)
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
		const most = 4 // closures
		if allocs := testing.AllocsPerRun(5, build); allocs > most {
			t.Errorf("%d keys: %v allocations", n, allocs)
		}
	}
}

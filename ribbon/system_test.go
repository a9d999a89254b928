package ribbon_test

import (
	"bytes"
	"runtime"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
)

// TestGoroutinesChangeNoByte has filters of several parts, which goroutines share, and hashes for
// which no seed works.
func TestGoroutinesChangeNoByte(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(5))
	sets, others := [][]uint64{vectors.Hashes(3, 20_000), vectors.Hashes(4, 60_000)}, 20_000
	if !testing.Short() {
		sets, others = append(sets, vectors.Hashes(5, 200_000)), 50_000
	}
	for _, v := range vectors.RibbonRaw() {
		if v.Set == "cluster:111803" && !contract.Slow {
			sets = append(sets, append(vectors.Hashes(6, others), v.Hashes()...))
		}
	}
	for i, hashes := range sets {
		var want []byte
		for _, goroutines := range []int{1, 2, 3, 5} {
			b := contract.Ribbon.Builder(t, 23.4, simdbloom.WithConcurrency(goroutines), simdbloom.WithVerification())
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

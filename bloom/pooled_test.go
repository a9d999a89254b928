//go:build !race

package bloom_test

import (
	"testing"

	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
)

// What pools hold is used again. (The race detector has pools drop some of it.)

func TestAHashFromOutsideAllocatesNothing(t *testing.T) {
	mine := keyhash.New("mine", func(key []byte) uint64 { return keyhash.XX64.Sum64(key) })
	f := open(t, vectors.User1000(), mine)
	keys, hits := vectors.Keys("user8", 0, 300), make([]bool, 300)
	if allocs := testing.AllocsPerRun(100, func() {
		key := [16]byte{15: byte(f.NumProbes())}
		f.Contains(key[:])
		f.ContainsString("user:00000007")
		f.ContainsKeys(keys, hits)
	}); allocs >= 1 {
		t.Errorf("%v allocations", allocs)
	}
}

func TestABuilderUsedAgainAllocatesNoMemoryForHashes(t *testing.T) {
	const most = 4 // small ones in Finish
	for _, n := range []int{50, 1000, 200_000} {
		b, err := bloom.NewBuilder(10, keyhash.XX64)
		if err != nil {
			t.Fatal(err)
		}
		hashes := vectors.Hashes(1, n)
		var memory []byte
		build := func() {
			b.AddHashes(hashes)
			if memory, err = b.AppendFinish(memory[:0]); err != nil {
				t.Fatal(err)
			}
		}
		build()
		build()
		if allocs := testing.AllocsPerRun(10, build); allocs > most {
			t.Errorf("%d keys: %v allocations", n, allocs)
		}
	}
}

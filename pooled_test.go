//go:build !race

package simdbloom_test

import (
	"testing"

	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
)

// TestAHashFromOutsideAllocatesNothing: what pools hold is used again. (The race detector has pools drop
// some of it.)
func TestAHashFromOutsideAllocatesNothing(t *testing.T) {
	mine := keyhash.New("mine", func(key []byte) uint64 { return keyhash.XX64.Sum64(key) })
	f := contract.FastLocal.With(mine).Opened(t, vectors.User1000())
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

//go:build !race

package hashlog

import (
	"runtime/debug"
	"testing"

	"github.com/simdbloom/simdbloom/internal/test/vectors"
)

// Under the race detector, pools drop some of what is put into them.

func TestUsedAgainWithoutAllocating(t *testing.T) {
	hashes := vectors.Hashes(8, 2_000_000)
	l := New(300_000, 1)
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // a collection costs each pool an allocation
	if n := testing.AllocsPerRun(3, func() {
		for i := 0; i < 500_000; i += 500 {
			l.AddAll(hashes[i : i+500])
		}
		l.AddAll(hashes)
		l.Flush()
		for range l.All() {
		}
		l.Reset()
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

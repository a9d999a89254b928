package filterset_test

import (
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/simdbloom/simdbloom/filterset"
	"github.com/simdbloom/simdbloom/policy"
)

// TestMappingsAreCounted: what a set has mapped is counted until it is closed, and a set that is refused, or that is above
// the limit, leaves nothing counted.
func TestMappingsAreCounted(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "set")
	buildSet(t, dir, policy.FastLocal(10), someHashes(1, 1000), filterset.WithParts(4))
	before := filterset.NumMapped()
	for settled := 0; settled < 3; settled++ { // sets of other tests, which are closed
		runtime.GC()
		time.Sleep(10 * time.Millisecond)
		if now := filterset.NumMapped(); now != before {
			before, settled = now, -1
		}
	}
	for _, limited := range []bool{false, true} {
		restore := func() {}
		if limited {
			restore = filterset.UnmapParts()
		}
		at := filterset.NumMapped()
		s := must(filterset.Open(dir))
		s.ContainsHash(1)
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		for range 100 { // the garbage collector unmaps them
			if runtime.GC(); filterset.NumMapped() == at {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		if after := filterset.NumMapped(); after != at {
			t.Errorf("%d parts are mapped after Close, %d before", after, at)
		}
		restore()
	}
	if after := filterset.NumMapped(); after != before {
		t.Errorf("%d parts are mapped, and were %d", after, before)
	}
}

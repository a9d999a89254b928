package filterset_test

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/simdbloom/simdbloom/filterset"
	"github.com/simdbloom/simdbloom/internal/test/testmem"
	"github.com/simdbloom/simdbloom/policy"
)

// TestMappingsAreCounted: what a set has mapped is counted until it is closed, and a set that is refused, or that is
// above the limit, leaves nothing counted.
func TestMappingsAreCounted(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "set")
	buildSet(t, dir, policy.FastLocal(10), someHashes(1, 1000), filterset.WithParts(4))
	before := filterset.NumMapped()
	for range 300 { // the garbage collector unmaps the sets of other tests, which are closed
		if runtime.GC(); before == 0 {
			break
		}
		time.Sleep(10 * time.Millisecond)
		before = filterset.NumMapped()
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

// TestCloseClosesFiles that are not mapped, at once: Windows does not remove open ones. Lookups that are under way find
// their part again, or answer "may contain" if it is gone.
func TestCloseClosesFiles(t *testing.T) {
	defer filterset.UnmapParts()()
	dir := filepath.Join(t.TempDir(), "set")
	hashes, absent := someHashes(1, 1000), someHashes(2, 1000)
	buildSet(t, dir, policy.FastLocal(10), hashes, filterset.WithParts(4))
	s, gone := must(filterset.Open(dir)), must(filterset.Open(dir))
	if on, ok := testmem.OpenFiles(dir); ok && on != 8 {
		t.Errorf("%d files are open, want 8", on)
	}
	contains, mayContain := s.Underway(), gone.Underway()
	for _, s := range []*filterset.Set{s, gone} {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
	if on, _ := testmem.OpenFiles(dir); on != 0 {
		t.Errorf("%d files are open after Close", on)
	}
	falsePositives := 0
	for i, hash := range hashes {
		if !contains(hash) {
			t.Fatalf("hash %d is missing after Close", i)
		}
		if contains(absent[i]) {
			falsePositives++
		}
	}
	if falsePositives > 100 {
		t.Errorf("%d of %d absent hashes may be contained", falsePositives, len(absent))
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	for i, hash := range hashes {
		if !mayContain(hash) {
			t.Fatalf("hash %d is missing when its part is gone", i)
		}
	}
}

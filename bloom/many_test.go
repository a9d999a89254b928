package bloom_test

import (
	"testing"

	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
)

// TestCandidatesOnTheStack has few keys, of which none may be in the filters.
func TestCandidatesOnTheStack(t *testing.T) {
	filters := []*bloom.Filter{open(t, nil, keyhash.XX64), open(t, nil, keyhash.XX64)}
	hashes, wanted := vectors.Hashes(1, 64), []uint64{0xff0ff}
	if allocs := testing.AllocsPerRun(10, func() {
		for range bloom.Candidates(filters, hashes, wanted) {
			t.Error("an empty filter contains something")
		}
	}); allocs != 0 {
		t.Errorf("%v allocations", allocs)
	}
}

package simdbloom_test

import (
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
)

// TestManyOfAllFormats looks up in slices of filters of all formats, one after the other.
func TestManyOfAllFormats(t *testing.T) {
	contract.TestMany(t, contract.FastLocal, contract.Paired32, contract.Linear, contract.Ribbon, contract.Legacy, contract.LevelDB,
		contract.Paired128, contract.FastLocal.Growing(false), contract.FastLocal.Growing(true),
		contract.SplitBlock, contract.SplitBlock.Growing(false), contract.SplitBlock.Growing(true))
}

// TestCandidatesOnTheStack has few keys, of which none may be in the filters.
func TestCandidatesOnTheStack(t *testing.T) {
	filters := []*simdbloom.Filter{filterOf(), filterOf()}
	hashes, wanted := vectors.Hashes(1, 64), []uint64{0xff0ff}
	if allocs := testing.AllocsPerRun(10, func() {
		for range simdbloom.Candidates(filters, hashes, wanted) {
			t.Error("an empty filter contains something")
		}
	}); allocs != 0 {
		t.Errorf("%v allocations", allocs)
	}
}

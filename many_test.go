package simdbloom_test

import (
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
)

// TestManyOfAllFormats looks up in slices of filters of all formats, one after the other.
func TestManyOfAllFormats(t *testing.T) {
	contract.TestMany(t, contract.FastLocal, contract.Paired32, contract.Linear, contract.Ribbon, contract.Legacy, contract.LevelDB,
		contract.Paired128, contract.FastLocal.Adder(false), contract.FastLocal.Adder(true),
		contract.SplitBlock, contract.SplitBlock.Adder(false), contract.SplitBlock.Adder(true))
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

// TestFewCandidates: one hash and few have ways of their own, which answer what a loop of ContainsHash does, while keys
// are found and others are not wanted.
func TestFewCandidates(t *testing.T) {
	hashes := vectors.Hashes(2, 20)
	var filters []*simdbloom.Filter
	for i := range 100 {
		filters = append(filters, filterOfHashes(hashes[i%5], hashes[i%9], hashes[i%17]))
	}
	for _, n := range []int{0, 1, 2, 3, 4, 7, 8, 9, 20} {
		for _, number := range []int{0, 1, 7, 8, 9, 15, 16, 64, 65, 100} {
			for _, bitmap := range []uint64{^uint64(0), 0, 0x2a5a5, 1} {
				wanted, left := []uint64{bitmap}, bitmap
				yielded := 0
				for i, found := range simdbloom.Candidates(filters[:number], hashes[:n], wanted) {
					for ; yielded < i; yielded++ {
						if got := foundIn(filters[yielded], hashes[:n], left); len(got) > 0 {
							t.Fatalf("%d hashes: filter %d was left out, which may contain %v", n, yielded, got)
						}
					}
					if want := foundIn(filters[i], hashes[:n], left); !slices.Equal(found, want) || len(want) == 0 {
						t.Fatalf("%d hashes of %#x, filter %d: %v, want %v", n, left, i, found, want)
					}
					if yielded++; i%3 == 0 {
						wanted[0] &^= 1 << found[0]
						left = wanted[0]
					}
				}
				for ; yielded < number; yielded++ {
					if got := foundIn(filters[yielded], hashes[:n], left); len(got) > 0 {
						t.Fatalf("%d hashes: the iteration ended before filter %d, which may contain %v", n, yielded, got)
					}
				}
			}
		}
	}
}

func filterOfHashes(hashes ...uint64) *simdbloom.Filter {
	b := must(bloom.NewBuilder(10, keyhash.XX64))
	b.AddHashes(hashes)
	return must(b.Filter())
}

func foundIn(f *simdbloom.Filter, hashes []uint64, wanted uint64) (found []int) {
	for i, hash := range hashes {
		if wanted>>i&1 != 0 && f.ContainsHash(hash) {
			found = append(found, i)
		}
	}
	return found
}

// TestAppendFiltersNearAndFar: numbers and sizes of filters around those from which lines are prefetched.
func TestAppendFiltersNearAndFar(t *testing.T) {
	hashes := vectors.Hashes(3, 40_000)
	far, near := filterOfHashes(hashes...), filterOfHashes(hashes[:100]...)
	for _, number := range []int{0, 1, 15, 16, 17, 63, 64, 65, 2000} {
		for _, last := range []*simdbloom.Filter{near, far} {
			filters := make([]*simdbloom.Filter, number)
			for i := range filters {
				filters[i] = near
				if i%3 == 0 || i == number-1 {
					filters[i] = last
				}
			}
			for _, hash := range []uint64{hashes[0], hashes[20_000], 12345} {
				want := []int{-1}
				for i, f := range filters {
					if f.ContainsHash(hash) {
						want = append(want, i)
					}
				}
				if got := simdbloom.AppendFilters([]int{-1}, filters, hash); !slices.Equal(got, want) {
					t.Fatalf("%d filters, hash %#x: %v, want %v", number, hash, got, want)
				}
			}
		}
	}
}

package policy_test

import (
	"fmt"
	"testing"

	"github.com/simdbloom/simdbloom/policy"
)

// TestRoomByLevel: a table of the policy's first level has a Ribbon filter, which has room for more
// keys than the FastLocal filter of a table below that level.
func TestRoomByLevel(t *testing.T) {
	const bytes = 3687
	fastLocal := parse(t, "bloomfilter:10").EntriesFor(bytes)
	ribbon := parse(t, "rocksdb.internal.Standard128RibbonFilter:10").EntriesFor(bytes)
	for _, first := range []int{-1, 0, 2, 6} {
		p := parse(t, fmt.Sprint("ribbonfilter:10:", first))
		for level, want := range map[int]int{first - 1: fastLocal, first: ribbon, first + 1: ribbon} {
			if got := p.EntriesFor(bytes, policy.WithLevel(level)); got != want {
				t.Errorf("%v, level %d: room for %d keys, want %d", p, level, got, want)
			}
		}
	}
}

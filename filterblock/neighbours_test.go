package filterblock_test

import (
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom/filterblock"
)

// TestNeighbouringPartitionsAnswersAreCounted: a prefix that the key's partition lacks, and that may go on in the one
// beside it, was looked up, as RocksDB counts it, and the filter was of no use.
func TestNeighbouringPartitionsAnswersAreCounted(t *testing.T) {
	p := parse(t, "bloomfilter:20")
	builder := p.NewBuilder()
	builder.AddString("another")
	partition, err := builder.Finish()
	if err != nil {
		t.Fatal(err)
	}
	index := filterblock.NewIndexWriter(filterblock.IndexFormat{})
	index.Add([]byte("group1.m"), filterblock.Handle{Size: uint64(len(partition))})
	index.Add([]byte("group3.m"), filterblock.Handle{Offset: 100, Size: uint64(len(partition))})
	var counters filterblock.Counters
	r, err := filterblock.OpenPartitioned(p, index.Finish(), func(filterblock.Handle) ([]byte, error) { return partition, nil },
		filterblock.ReadOptions{Prefix: extractor(t, "fixed:6"), Counters: &counters})
	if err != nil {
		t.Fatal(err)
	}
	keys := [][]byte{[]byte("group1.a"), []byte("group1.x"), []byte("group2.a"), []byte("group3.a"), []byte("absent.")}
	want, prefixes, hits := []bool{true, true, false, true, false}, make([][]byte, len(keys)), make([]bool, len(keys))
	for i, key := range keys {
		prefixes[i] = key[:6]
		if r.MayContain(key) != want[i] || r.MayContainSeek(key) != want[i] {
			t.Errorf("%s: not %v", key, want[i])
		}
	}
	counts := filterblock.Counts{PrefixChecked: 5, PrefixUseful: 2, SeekMatches: 3, SeekFiltered: 2}
	if got := counters.Read(); got != counts {
		t.Errorf("one by one: %+v, want %+v", got, counts)
	}
	if r.MayContainKeys(keys, hits); !slices.Equal(hits, want) {
		t.Error(hits)
	}
	if r.MayContainPrefixes(prefixes, hits); !slices.Equal(hits, want) {
		t.Error(hits)
	}
	counts = filterblock.Counts{PrefixChecked: 10, PrefixUseful: 4, SeekMatches: 6, SeekFiltered: 4}
	if got := counters.Read(); got != counts {
		t.Errorf("and together: %+v, want %+v", got, counts)
	}
}

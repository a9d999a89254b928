package filterblock_test

import (
	"bytes"
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

// TestKeysThatEqualIndexKeys: where keys of different bytes are equal, one that equals a partition's index key may be
// in the partition behind it alone. It is found by itself and with others.
func TestKeysThatEqualIndexKeys(t *testing.T) {
	p := parse(t, "bloomfilter:20")
	index := filterblock.NewIndexWriter(filterblock.IndexFormat{})
	var partitions [][]byte
	for i, part := range []struct{ key, indexKey string }{{"a", "k"}, {"K", "s"}, {"S", "z"}} {
		builder := p.NewBuilder()
		builder.AddString(part.key)
		partition, err := builder.Finish()
		if err != nil {
			t.Fatal(err)
		}
		partitions = append(partitions, partition)
		index.Add([]byte(part.indexKey), filterblock.Handle{Offset: uint64(i), Size: uint64(len(partition))})
	}
	r, err := filterblock.OpenPartitioned(p, index.Finish(), func(h filterblock.Handle) ([]byte, error) { return partitions[h.Offset], nil },
		filterblock.ReadOptions{WholeKeys: true, Compare: func(a, b []byte) int { return bytes.Compare(bytes.ToLower(a), bytes.ToLower(b)) }})
	if err != nil {
		t.Fatal(err)
	}
	keys, want := [][]byte{[]byte("S"), []byte("b"), []byte("K"), []byte("a"), []byte("z")}, []bool{true, false, true, true, false}
	hits := make([]bool, len(keys))
	for i, key := range keys {
		if r.MayContain(key) != want[i] {
			t.Errorf("%s: not %v", key, want[i])
		}
	}
	if r.MayContainKeys(keys, hits); !slices.Equal(hits, want) {
		t.Errorf("together: %v, want %v", hits, want)
	}
}

// TestPrefixesOfOtherPartitions: where keys with a prefix are not next to each other, only the index keys beside a
// key's partition matter.
func TestPrefixesOfOtherPartitions(t *testing.T) {
	p := parse(t, "bloomfilter:20")
	builder := p.NewBuilder()
	builder.AddString("another")
	partition, err := builder.Finish()
	if err != nil {
		t.Fatal(err)
	}
	index := filterblock.NewIndexWriter(filterblock.IndexFormat{})
	for _, key := range []string{"a2", "b4", "c6", "d8"} { // by their last bytes
		index.Add([]byte(key), filterblock.Handle{Size: uint64(len(partition))})
	}
	r, err := filterblock.OpenPartitioned(p, index.Finish(), func(filterblock.Handle) ([]byte, error) { return partition, nil },
		filterblock.ReadOptions{Prefix: extractor(t, "fixed:1"), Compare: func(a, b []byte) int { return bytes.Compare(a[1:], b[1:]) }})
	if err != nil {
		t.Fatal(err)
	}
	keys := [][]byte{[]byte("a5"), []byte("b5"), []byte("c5"), []byte("d5"), []byte("d9")}
	hits, want := make([]bool, len(keys)), []bool{false, true, true, false, true}
	for i, key := range keys {
		if r.MayContain(key) != want[i] {
			t.Errorf("%s: not %v", key, want[i])
		}
	}
	if r.MayContainKeys(keys, hits); !slices.Equal(hits, want) {
		t.Errorf("together: %v, want %v", hits, want)
	}
}

package filterblock_test

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom/filterblock"
)

// TestOlderReaders: RocksDB up to 9.4 and Speedb, which write other entries than this package and RocksDB since 9.6,
// lose nothing in its filters. Their readers look a key or a prefix up in one partition: the first whose index key is
// at or after the key that is sought, or the last one (PartitionedFilterBlockReader::MayMatch). An iterator with that
// prefix then goes forward or backward.
func TestOlderReaders(t *testing.T) {
	p := parse(t, "bloomfilter:30")
	random := rand.New(rand.NewPCG(7, 8))
	cuts, seeks := 0, 0
	for round := range 400 {
		keys := make([][]byte, 1+random.IntN(40))
		for i := range keys {
			keys[i] = randomKey(random)
		}
		slices.SortFunc(keys, bytes.Compare)
		keys = slices.CompactFunc(keys, bytes.Equal)
		for _, c := range []contents{
			{true, nil},
			{true, extractor(t, "fixed:2")},
			{false, extractor(t, "fixed:2")},
			{true, extractor(t, "capped:2")},
			{false, extractor(t, "capped:2")},
			{false, extractor(t, "noop")},
		} {
			var f file
			o := filterblock.Options{WholeKeys: c.wholeKeys, Prefix: c.prefix, PartitionBytes: 64, Store: f.store, CutByCaller: round%2 == 0}
			w := newWriter(t, p, o)
			for i, key := range keys {
				w.Add(key)
				if o.CutByCaller && i+1 < len(keys) && random.IntN(4) == 0 {
					separator := randomKey(random) // anywhere between the two keys
					if bytes.Compare(separator, key) < 0 || bytes.Compare(separator, keys[i+1]) >= 0 {
						separator = key
					}
					w.Cut(separator)
				}
			}
			x, err := filterblock.ReadIndex(finish(t, w), filterblock.IndexFormat{})
			if err != nil {
				t.Fatal(err)
			}
			cuts += max(x.Len()-1, 0)
			may := func(at, entry []byte) bool {
				return x.Len() > 0 && p.MayContain(f.partitions[x.Handle(x.Find(at, nil))], entry)
			}
			for _, key := range keys {
				if entry, ok := c.entry(key); ok && !may(key, entry) {
					t.Fatalf("%v: Get of %q is lost", c, key)
				}
			}
			for range 20 {
				sought := randomKey(random)
				prefix, ok := c.prefix.Prefix(sought)
				if !ok || may(sought, prefix) {
					continue
				}
				seeks++
				for _, key := range keys {
					if its, ok := c.prefix.Prefix(key); ok && bytes.Equal(its, prefix) {
						t.Fatalf("%v: a seek of %q does not find %q, of the same prefix", c, sought, key)
					}
				}
			}
		}
	}
	if cuts < 4000 || seeks < 5000 {
		t.Errorf("%d cuts, %d seeks that found nothing", cuts, seeks)
	}
}

// randomKey returns one of few keys, of which many have the same prefix.
func randomKey(random *rand.Rand) []byte {
	key := make([]byte, random.IntN(6))
	for i := range key {
		key[i] = 'a' + byte(random.IntN(3))
	}
	return key
}

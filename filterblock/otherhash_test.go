package filterblock_test

import (
	"fmt"
	"testing"

	"github.com/simdbloom/simdbloom/internal/test/vectors"
)

// TestBatchesInFiltersOfAnotherHash: a RocksDB policy that reads partitions built with another key
// hash looks up the keys themselves, also in batches of few and of many keys a partition.
func TestBatchesInFiltersOfAnotherHash(t *testing.T) {
	keys := vectors.Keys("group", 0, 2000)
	absent := make([][]byte, len(keys))
	for i, key := range keys {
		absent[i] = fmt.Appendf(nil, "%s-%d", key, i)
	}
	for _, c := range []struct{ written, read string }{
		{"rocksdb.internal.LegacyBloomFilter:10", "bloomfilter:10"},
		{"rocksdb.internal.LegacyBloomFilter:10", "ribbonfilter:10"},
		{"bloomfilter:10", "rocksdb.internal.LegacyBloomFilter:10"},
		{"ribbonfilter:10", "rocksdb.internal.LegacyBloomFilter:10"},
	} {
		b := write(t, parse(t, c.written), contents{wholeKeys: true}, keys, 300, false)
		b.p = parse(t, c.read)
		if b.p.HashApplies(b.file.partitions[b.handles()[0]]) {
			t.Errorf("%v: the hash applies", c)
		}
		r := b.open(t)
		b.o.Unordered = true
		checkFound(t, fmt.Sprint(c, ", present in any order"), b.open(t).MayContainKeys, keys, 1, 1)
		for _, step := range []int{1, 40} { // partitions are opened for 8 keys and more, and have about 200
			checkFound(t, fmt.Sprint(c, ", present"), r.MayContainKeys, everyOf(keys, step), 1, 1)
			checkFound(t, fmt.Sprint(c, ", absent"), r.MayContainKeys, everyOf(absent, step), 0, 0.05)
		}
	}
}

// everyOf returns every step-th key.
func everyOf(keys [][]byte, step int) (some [][]byte) {
	for i := 0; i < len(keys); i += step {
		some = append(some, keys[i])
	}
	return some
}

// checkFound requires that a lookup finds a share of the keys.
func checkFound(t *testing.T, what string, lookUp func(keys [][]byte, hits []bool), keys [][]byte, least, most float64) {
	t.Helper()
	hits, found := make([]bool, len(keys)), 0
	lookUp(keys, hits)
	for _, hit := range hits {
		if hit {
			found++
		}
	}
	if share := float64(found) / float64(len(keys)); share < least || share > most {
		t.Errorf("%s: %d of %d keys may be contained", what, found, len(keys))
	}
}

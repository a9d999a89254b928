//go:build librocksdb

package rocksdb_test

import (
	"fmt"
	"testing"
)

// TestLegacyFilters has RocksDB's filters of before format_version 5. It writes them until then,
// and later if it is asked to.
func TestLegacyFilters(t *testing.T) {
	for _, c := range []struct {
		version      int
		theirs, ours string
	}{
		{2, "bloomfilter:10:false", "rocksdb.internal.LegacyBloomFilter:10"},
		{4, "bloomfilter:10:false", "rocksdb.internal.LegacyBloomFilter:10"},
		{2, "rocksdb.BloomFilter:15.5", "rocksdb.internal.LegacyBloomFilter:15.5"},
		{4, "rocksdb.BloomFilter:1.4", "rocksdb.internal.LegacyBloomFilter:1.4"},
		{5, "rocksdb.internal.LegacyBloomFilter:24", "rocksdb.internal.LegacyBloomFilter:24"},
	} {
		for kind := range keyKinds {
			for _, n := range []int{1, 2, 51, 52, 1000, 10_000, 50_000} {
				t.Run(fmt.Sprintf("%d/%s/%s/%d", c.version, c.theirs, kind, n), func(t *testing.T) {
					var absent [][]byte
					if n >= 10_000 && kind == "short" {
						absent = sortedKeys(kind, 0xab5e27, 50_000)
					}
					checkFullFilter(t, c.version, c.theirs, c.ours, sortedKeys(kind, 1, n), absent)
				})
			}
		}
	}
}

func TestLegacyFiltersOfPrefixes(t *testing.T) {
	for _, version := range []int{2, 4} {
		checkPrefixes(t, version, "rocksdb.internal.LegacyBloomFilter:10")
	}
}

//go:build librocksdb

package rocksdb_test

import (
	"bytes"
	"fmt"
	"testing"
)

// TestPartitionedFilters splits the keys as the index of the partitions does. With a
// restart interval above 1, the index has most handles as differences, since
// format_version 4.
func TestPartitionedFilters(t *testing.T) {
	for _, name := range []string{"bloomfilter:15.5", "ribbonfilter:10"} {
		for kind := range keyKinds {
			for _, n := range []int{1, 100, 10_000, 50_000} {
				keys := sortedKeys(kind, 4, n)
				for _, restartInterval := range []int{1, 16} {
					for _, size := range []int{1 << 10, 16 << 10} {
						t.Run(fmt.Sprintf("%s/%s/%d/%d/%d", name, kind, n, restartInterval, size), func(t *testing.T) {
							checkPartitions(t, name, keys, size, restartInterval)
						})
					}
				}
			}
		}
	}
}

// checkPartitions has a policy by its name, partitions of at most a size, and the restart interval
// of their index.
func checkPartitions(t *testing.T, name string, keys [][]byte, size, restartInterval int) {
	read := written(t, fmt.Sprintf("format_version=5;filter_policy=%s;partition_filters=true;index_type=kTwoLevelIndexSearch;"+
		"metadata_block_size=%d;index_block_restart_interval=%d", name, size, restartInterval), keys)
	filters := filtersOf(t, read)
	if read.Layout != "partitioned" || len(keys) >= 10_000 && size < 16<<10 && len(filters) < 2 {
		t.Fatalf("layout %v, %d partitions", read.Layout, len(filters))
	}
	p, rest := parsed(t, name), keys
	for i, filter := range filters {
		in := 0
		for in < len(rest) && bytes.Compare(rest[in], filter.Last) <= 0 {
			if first, end := read.FindFilters(rest[in]); first != i || end != i+1 {
				t.Fatalf("a key of partition %d is looked up in %d to %d", i, first, end)
			}
			in++
		}
		if !bytes.Equal(built(t, p, rest[:in]), filter.Data) {
			t.Fatalf("partition %d of %d: the builder's bytes of %d keys are others", i, len(filters), in)
		}
		mustContain(t, p, filter.Data, rest[:in])
		rest = rest[in:]
	}
	if len(rest) > 0 {
		t.Errorf("%d keys are in no partition", len(rest))
	}
}

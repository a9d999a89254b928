//go:build librocksdb

package rocksdb_test

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom/filterblock"
	"github.com/simdbloom/simdbloom/internal/test/modules/rocksdb"
	"github.com/simdbloom/simdbloom/table"
)

// checkAnswers lets RocksDB write a table of the present keys, with the options of a column family,
// and get every key. It compares the filter's answers with those of module table. It returns the size
// of the file, the number of keys that RocksDB looked up in a filter, and of those that the filter
// does not contain.
func checkAnswers(t *testing.T, options string, present, absent [][]byte) (size, asked, misses int) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "table.sst")
	if err := rocksdb.WriteTable(file, options, present); err != nil {
		t.Fatal(err)
	}
	data := readFile(t, file)
	directory := t.TempDir()
	if err := rocksdb.Ingest(directory, options, file); err != nil {
		t.Fatal(err)
	}
	keys := slices.Concat(present, absent)
	theirs, err := rocksdb.Get(directory, options, rocksdb.DefaultFamily, keys)
	if err != nil {
		t.Fatal(err)
	}
	ours := make([]bool, len(keys))
	if err := opened(t, data).MayContainKeys(keys, ours); err != nil {
		t.Fatal(err)
	}
	least, greatest := present[0], present[len(present)-1]
	if bytes.Compare(least, greatest) > 0 {
		least, greatest = greatest, least
	}
	more := 0
	if strings.Contains(options, "whole_key_filtering=false") {
		more = mostMore(opened(t, data), options, len(keys))
	}
	for i, key := range keys {
		a := theirs[i]
		asked += a.Hits + a.Misses
		misses += a.Misses
		if a.Found != (i < len(present)) || a.Found && !ours[i] {
			t.Fatalf("key %d of %d, %.40x: RocksDB finds it: %v; table: %v", i, len(present), key, a.Found, ours[i])
		}
		outside := bytes.Compare(key, least) < 0 || bytes.Compare(greatest, key) < 0
		switch { // a key that RocksDB does not look up may be there
		case outside && a.Hits+a.Misses == 0:
		case a.Misses == 1 && ours[i] && more > 0:
			more--
		case a.Hits+a.Misses > 1 || ours[i] != (a.Misses == 0):
			t.Fatalf("key %d of %d, %.40x: RocksDB's filter answers %+v; table: %v", i, len(present), key, a, ours[i])
		}
	}
	if opened(t, data).Layout == "none" { // no key has a prefix, and only prefixes were asked for
		if asked > 0 {
			t.Fatalf("RocksDB looked up %d keys in no filter", asked)
		}
		return len(data), 0, 0
	}
	if strings.Contains(options, "prefix_extractor") {
		checkSeeks(t, options, directory, opened(t, data), keys, len(present))
	}
	return len(data), asked, misses
}

// mostMore is the number of prefixes, of n that are looked up, for which table may say "may contain" though RocksDB's
// filter says no: with partitions, those of an index key beside the key's partition, which two neighbors of each last
// key have, and all if the order is not that of bytes.
func mostMore(read *table.Table, options string, n int) int {
	switch {
	case read.Layout != "partitioned":
		return 0
	case strings.Contains(options, descending):
		return n
	}
	return 2*read.NumFilters() + n/200
}

// checkSeeks compares what the filter answers of the prefixes of keys that are sought. The first of
// the keys are present.
func checkSeeks(t *testing.T, options, directory string, read *table.Table, keys [][]byte, present int) {
	t.Helper()
	theirs, err := rocksdb.Seek(directory, options, keys)
	if err != nil {
		t.Fatal(err)
	}
	ours, err := read.Reader(filterblock.ReadOptions{OnError: func(h filterblock.Handle, err error) { t.Error(h, err) }})
	if err != nil {
		t.Fatal(err)
	}
	more := mostMore(read, options, len(keys))
	for i, key := range keys {
		a, may := theirs[i], ours.MayContainSeek(key)
		if a.Misses > 0 && may {
			more--
		}
		if a.Hits+a.Misses > 1 || a.Hits > 0 && !may || more < 0 || i < present && (!a.Found || !may) {
			t.Fatalf("seek %d of %d, %.40x: RocksDB's filter answers %+v; Reader: %v", i, len(keys), key, a, may)
		}
	}
}

// TestAnswers compares 200,000 answers of each kind of filter, half of them of present keys.
func TestAnswers(t *testing.T) {
	const n = 100_000
	present := sortedKeys("short", 11, n)
	absent := absentOf(present, sortedKeys("short", 12, n))
	for _, options := range []string{
		"filter_policy=bloomfilter:10", "filter_policy=ribbonfilter:10", "filter_policy=bloomfilter:10;format_version=4",
		"filter_policy=bloomfilter:10;" + partitions, "filter_policy=ribbonfilter:10;" + partitions,
		"filter_policy=bloomfilter:10;optimize_filters_for_memory=true", "filter_policy=ribbonfilter:10;optimize_filters_for_memory=true",
		"filter_policy=bloomfilter:10;optimize_filters_for_memory=true;" + partitions,
	} {
		t.Run(options, func(t *testing.T) {
			t.Parallel()
			_, asked, misses := checkAnswers(t, columnFamily(options), present, absent)
			if asked < len(present)+len(absent)-10 || misses < len(absent)*96/100 {
				t.Errorf("%d of %d keys looked up, %d misses", asked, len(present)+len(absent), misses)
			}
		})
	}
}

// TestCompression has each kind of compression, with each kind of checksum.
func TestCompression(t *testing.T) {
	var present, absent [][]byte
	for i := range 5000 {
		present = append(present, fmt.Appendf(nil, "key%07d", i))
		absent = append(absent, fmt.Appendf(nil, "key%07d-", i))
	}
	uncompressed := 0
	for _, compression := range compressions {
		for i, checksum := range checksums {
			t.Run(compression+"/"+checksum, func(t *testing.T) {
				options := "filter_policy=bloomfilter:10;block_restart_interval=1;checksum=" + checksum
				if i%2 == 1 {
					options += ";" + partitions
				}
				size, asked, _ := checkAnswers(t, "compression="+compression+";block_based_table_factory={"+options+"}", present, absent)
				if asked < len(present) {
					t.Errorf("%d keys looked up", asked)
				}
				switch { // partitions of other checksums change the size
				case i > 0:
				case compression == "kNoCompression":
					uncompressed = size
				case size > uncompressed*3/4:
					t.Errorf("%d bytes, and %d without compression", size, uncompressed)
				}
			})
		}
	}
}

var (
	compressions = []string{
		"kNoCompression", "kSnappyCompression", "kZlibCompression", "kBZip2Compression", "kLZ4Compression", "kLZ4HCCompression", "kZSTD",
	}
	checksums = []string{"kCRC32c", "kxxHash", "kxxHash64", "kXXH3", "kNoChecksum"}
)

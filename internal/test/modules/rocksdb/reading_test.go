//go:build librocksdb

package rocksdb_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/simdbloom/simdbloom/internal/test/modules/rocksdb"
)

// TestRocksDBReads puts filters that RocksDB did not write into its table: an empty one,
// which shows that RocksDB queries the filter, and the library's of the same size, but with
// another number of probes.
func TestRocksDBReads(t *testing.T) {
	checkReading(t, 5, "rocksdb.BloomFilter:10.1", 1000)
	checkReading(t, 4, "rocksdb.internal.LegacyBloomFilter:11", 100)
	checkReading(t, 2, "rocksdb.internal.LegacyBloomFilter:11", 100)
}

// checkReading has n keys, such that filters by the policy are as large as RocksDB's of 10 bits
// per key in a table of the given version.
func checkReading(t *testing.T, version int, policy string, n int) {
	t.Helper()
	keys := sortedKeys("short", 5, n)
	options := columnFamily(fmt.Sprintf("format_version=%d;checksum=kNoChecksum;filter_policy=bloomfilter:10", version))
	file := filepath.Join(t.TempDir(), "table.sst")
	if err := rocksdb.WriteTable(file, options, keys); err != nil {
		t.Fatal(err)
	}
	written := readFile(t, file)
	theirs := filtersOf(t, opened(t, written))[0].Data
	empty := append(make([]byte, len(theirs)-5), theirs[len(theirs)-5:]...)
	ours := built(t, parsed(t, policy), keys)
	if len(ours) != len(theirs) || bytes.Equal(ours[len(ours)-5:], theirs[len(theirs)-5:]) {
		t.Fatalf("%d bytes in place of %d", len(ours), len(theirs))
	}
	for _, c := range []struct {
		what   string
		filter []byte
		want   int
	}{{"RocksDB's", theirs, n}, {"an empty filter", empty, 0}, {"ours", ours, n}} {
		if count := countFound(t, file, options, bytes.Replace(written, theirs, c.filter, 1), keys); count != c.want {
			t.Errorf("version %d, %s: RocksDB finds %d keys of %d, want %d", version, c.what, count, n, c.want)
		}
	}
}

// countFound returns how many of the keys RocksDB finds in a table, for which there is a file.
func countFound(t *testing.T, file, options string, data []byte, keys [][]byte) (count int) {
	t.Helper()
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	directory := t.TempDir()
	if err := rocksdb.Ingest(directory, options, file); err != nil {
		t.Fatal(err)
	}
	answers, err := rocksdb.Get(directory, options, rocksdb.DefaultFamily, keys)
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range answers {
		if a.Found {
			count++
		}
	}
	return count
}

//go:build librocksdb

package rocksdb_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/simdbloom/simdbloom/internal/test/rocksdb"
)

// TestRocksDBReads puts filters that RocksDB did not write into its table: an empty one,
// which shows that RocksDB queries the filter, and the library's of the same size, but with
// another number of probes.
func TestRocksDBReads(t *testing.T) {
	const n = 1000
	keys := sortedKeys("short", 5, n)
	options := columnFamily("format_version=5;checksum=kNoChecksum;filter_policy=bloomfilter:10")
	file := filepath.Join(t.TempDir(), "table.sst")
	if err := rocksdb.WriteTable(file, options, keys); err != nil {
		t.Fatal(err)
	}
	written := readFile(t, file)
	theirs := filtersOf(t, opened(t, written))[0].Data
	empty := append(make([]byte, len(theirs)-5), theirs[len(theirs)-5:]...)
	ours := built(t, parsed(t, "rocksdb.BloomFilter:10.1"), keys)
	if len(ours) != len(theirs) || bytes.Equal(ours[len(ours)-5:], theirs[len(theirs)-5:]) {
		t.Fatalf("%d bytes in place of %d", len(ours), len(theirs))
	}
	for _, c := range []struct {
		what   string
		filter []byte
		want   int
	}{{"RocksDB's", theirs, n}, {"an empty filter", empty, 0}, {"ours", ours, n}} {
		if err := os.WriteFile(file, bytes.Replace(written, theirs, c.filter, 1), 0o600); err != nil {
			t.Fatal(err)
		}
		found, err := rocksdb.Found(t.TempDir(), file, options, keys)
		if err != nil {
			t.Fatal(err)
		}
		count := 0
		for _, is := range found {
			if is {
				count++
			}
		}
		if count != c.want {
			t.Errorf("%s: RocksDB finds %d keys of %d, want %d", c.what, count, n, c.want)
		}
	}
}

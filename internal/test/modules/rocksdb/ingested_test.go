//go:build librocksdb

package rocksdb_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/simdbloom/simdbloom/internal/test/modules/rocksdb"
	"github.com/simdbloom/simdbloom/table"
)

// TestIngested has tables into which RocksDB wrote a sequence number after their checksums were computed: the
// keys were already in the store.
func TestIngested(t *testing.T) {
	for _, checksum := range []string{"kCRC32c", "kxxHash", "kxxHash64", "kXXH3", "kNoChecksum"} {
		for _, version := range []int{2, 3, 4, 5} {
			for _, more := range []string{"", ";" + partitions} {
				options := fmt.Sprintf("format_version=%d;filter_policy=bloomfilter:10;checksum=%s%s", version, checksum, more)
				keys := ingestedKeys(500)
				checkIngested(t, options, keys, ingested(t, options, keys))
			}
		}
	}
	if *update {
		data := ingested(t, "format_version=5;filter_policy=bloomfilter:10", ingestedKeys(10))
		if err := os.WriteFile(filepath.Join(testdata, "ingested.sst"), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func ingestedKeys(n int) (keys [][]byte) {
	for i := range n {
		keys = append(keys, fmt.Appendf(nil, "key%05d", i))
	}
	return keys
}

// ingested returns a table that was ingested twice, as it is in the store after that.
func ingested(t *testing.T, options string, keys [][]byte) []byte {
	t.Helper()
	options = columnFamily(options)
	file := filepath.Join(t.TempDir(), "table.sst")
	if err := rocksdb.WriteTable(file, options, keys); err != nil {
		t.Fatal(err)
	}
	directory := t.TempDir()
	for range 2 {
		if err := rocksdb.Ingest(directory, options, file); err != nil {
			t.Fatal(err)
		}
	}
	tables, err := filepath.Glob(filepath.Join(directory, "*.sst"))
	if err != nil || len(tables) != 2 {
		t.Fatalf("%d tables, %v", len(tables), err)
	}
	written := readFile(t, file)
	for _, name := range tables {
		if data := readFile(t, name); !bytes.Equal(data, written) {
			return data
		}
	}
	t.Fatal("RocksDB changed no table")
	return nil
}

func checkIngested(t *testing.T, options string, keys [][]byte, data []byte) {
	t.Helper()
	read, err := table.Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Errorf("%s: %v", options, err)
		return
	}
	hits := make([]bool, len(keys))
	if err := read.MayContainKeys(keys, hits); err != nil {
		t.Fatal(err)
	}
	found := 0
	for i, key := range keys {
		if !hits[i] {
			t.Fatalf("%s: %s is lost", options, key)
		}
		if may, _ := read.MayContain(append([]byte("absent"), key...)); may {
			found++
		}
	}
	if found > len(keys)/10 {
		t.Errorf("%s: %d absent keys are found", options, found)
	}
}

//go:build librocksdb

package rocksdb_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/test/modules/rocksdb"
	"github.com/simdbloom/simdbloom/policy"
	"github.com/simdbloom/simdbloom/table"
)

// written lets RocksDB write a table and reads it back. The options are those of its
// block-based tables.
func written(t testing.TB, options string, keys [][]byte) *table.Table {
	t.Helper()
	file := filepath.Join(t.TempDir(), "table.sst")
	if err := rocksdb.WriteTable(file, columnFamily(options), keys); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(file); err != nil { // not only at the end of a test that writes many
		t.Fatal(err)
	}
	return opened(t, data)
}

func opened(t testing.TB, data []byte) *table.Table {
	t.Helper()
	read, err := table.Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	return read
}

// columnFamily puts options of block-based tables into those of a column family that writes
// nothing about the machine into the file.
func columnFamily(options string) string {
	return "compression=kNoCompression;db_host_id=simdbloom;block_based_table_factory={" + options + "}"
}

// filtersOf returns the table's filters.
func filtersOf(t testing.TB, read *table.Table) (all []table.Filter) {
	t.Helper()
	for filter, err := range read.Filters() {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, filter)
	}
	return all
}

// built returns the filter that the policy builds of the keys.
func built(t testing.TB, p *policy.Policy, keys [][]byte) []byte {
	t.Helper()
	b := p.NewBuilder()
	for _, key := range keys {
		b.Add(key)
	}
	data, err := b.Finish()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// parsed returns a policy by its name.
func parsed(t testing.TB, name string) *policy.Policy {
	t.Helper()
	p, err := policy.Parse(name)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// mustContain fails if the filter, queried in any way, lacks one of the keys.
func mustContain(t testing.TB, p *policy.Policy, data []byte, keys [][]byte) *simdbloom.Filter {
	t.Helper()
	f, err := p.Open(data)
	if err != nil {
		t.Fatal(err)
	}
	hits := make([]bool, len(keys))
	f.ContainsKeys(keys, hits)
	for i, key := range keys {
		if !hits[i] || !f.Contains(key) || !p.MayContain(data, key) {
			t.Fatalf("key %d, %.40x, is lost: ContainsKeys %v, Contains %v, MayContain %v",
				i, key, hits[i], f.Contains(key), p.MayContain(data, key))
		}
	}
	return f
}

package table

import (
	"context"
	"fmt"
	"testing"
)

// TestTablesOfNewerRocksDBs has the keys user00000, user00007 to user01393 in tables of RocksDB 9.7.4, with an index of
// blocks' first keys, and of 11.8.1, whose blocks have keys apart from values, and whose filter has partitions of its
// own.
func TestTablesOfNewerRocksDBs(t *testing.T) {
	for name, want := range map[string]struct {
		format  Format
		layout  string
		filters int
	}{
		"rocksdb-9.7.sst":  {Format{databaseRocksDB, 6, xxh64Sum}, layoutFull, 1},
		"rocksdb-11.8.sst": {Format{databaseRocksDB, 7, xxh3Sum}, layoutPartitioned, 2},
	} {
		read, err := open(testTable(t, name))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if read.Format != want.format || read.Layout != want.layout || read.NumFilters() != want.filters {
			t.Errorf("%s: %v, layout %s, %d filters", name, read.Format, read.Layout, read.NumFilters())
		}
		const keys = 200
		found := 0
		for i := range 7 * keys {
			key := fmt.Appendf(nil, "user%05d", i)
			may, err := read.MayContain(key)
			if err != nil || !may && i%7 == 0 {
				t.Fatalf("%s: %s: %v, %v", name, key, may, err)
			}
			if may {
				found++
			}
		}
		if absent := found - keys; absent > 6*keys/40 {
			t.Errorf("%s: %d absent keys are found", name, absent)
		}
		v, err := read.Verify(context.Background(), VerifyOptions{})
		if err != nil || len(v.Problems) > 0 || v.Keys != keys || v.NotVerified != "" {
			t.Errorf("%s: %+v, %v", name, v, err)
		}
	}
}

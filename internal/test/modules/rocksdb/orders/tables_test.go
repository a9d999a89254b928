//go:build librocksdb && libleveldb

package orders_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/simdbloom/simdbloom/internal/test/modules/rocksdb/orders"
	"github.com/simdbloom/simdbloom/table"
)

const testdata = "../../../../../table/testdata/orders"

// TestTables: the tables that package table is tested with have the filters of those that the databases write.
func TestTables(t *testing.T) {
	const partitioned = "compression=kNoCompression;db_host_id=simdbloom;block_based_table_factory={filter_policy=bloomfilter:10;block_size=512;" +
		"index_type=kTwoLevelIndexSearch;partition_filters=true;metadata_block_size=128}"
	var texts, numbers [][]byte
	for i := range 200 {
		texts = append(texts, fmt.Appendf(nil, "key%05d", i))
		numbers = append(numbers, binary.NativeEndian.AppendUint64(nil, math.Float64bits(float64(i)*1.5-40)))
	}
	for name, order := range map[string]orders.Order{
		"leveldb-reverse.ldb": orders.Reverse, "leveldb-numbers.ldb": orders.Numbers, "leveldb-built.ldb": orders.Numbers,
		"rocksdb-reverse.sst": orders.Reverse, "rocksdb-numbers.sst": orders.Numbers, "rocksdb-timestamps.sst": orders.Timestamps,
	} {
		keys := texts
		switch order {
		case orders.Numbers:
			keys = numbers
		case orders.Timestamps: // with many versions
			keys = texts[:60]
		}
		var data []byte
		var err error
		levelDB := orders.LevelDB{BitsPerKey: 10, BlockSize: 256}
		switch {
		case name == "leveldb-built.ldb":
			data, err = orders.BuildLevelDB(filepath.Join(t.TempDir(), "table"), order, levelDB, keys, 40)
		case filepath.Ext(name) == ".ldb":
			var tables [][]byte
			tables, err = orders.WriteLevelDB(filepath.Join(t.TempDir(), "store"), order, levelDB, keys, 40)
			if len(tables) == 1 {
				data = tables[0]
			}
		default:
			data, err = orders.WriteRocksDB(filepath.Join(t.TempDir(), "table.sst"), order, partitioned, keys, 2)
		}
		if err != nil {
			t.Fatal(name, err)
		}
		path := filepath.Join(testdata, name)
		if *update {
			if err := os.WriteFile(path, data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		kept, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(filtersOf(t, kept), filtersOf(t, data)) {
			t.Errorf("%s has other filters", name)
		}
	}
}

// filtersOf returns a table's filters.
func filtersOf(t *testing.T, data []byte) (filters [][]byte) {
	t.Helper()
	read, err := table.Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	if read.Layout == "block-based" {
		block, err := read.ReadFilterBlock()
		if err != nil {
			t.Fatal(err)
		}
		return [][]byte{block}
	}
	for filter, err := range read.Filters() {
		if err != nil {
			t.Fatal(err)
		}
		filters = append(filters, filter.Data)
	}
	return filters
}

//go:build librocksdb

package rocksdb_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom/internal/test/modules/rocksdb"
)

var update = flag.Bool("update", false, "write the tables that table is tested with again")

const testdata = "../../../../table/testdata"

type testTable struct {
	name, options string
	keys          int
}

// testTables are the tables of table/testdata, each with the keys from
// "key00000" on.
var testTables = []testTable{
	{"fastlocal-xxh3.sst", "format_version=5;filter_policy=bloomfilter:10", 100},
	{"fastlocal-xxh64.sst", "format_version=5;filter_policy=bloomfilter:10;checksum=kxxHash64", 100},
	{"fastlocal-xxh32.sst", "format_version=5;filter_policy=bloomfilter:10;checksum=kxxHash", 100},
	{"fastlocal-crc32c.sst", "format_version=5;filter_policy=bloomfilter:10;checksum=kCRC32c", 100},
	{"fastlocal-unchecked.sst", "format_version=5;filter_policy=bloomfilter:15.5;checksum=kNoChecksum", 100},
	{"legacy-0.sst", "format_version=0;filter_policy=bloomfilter:10;checksum=kCRC32c", 100},
	{"legacy-1.sst", "format_version=1;filter_policy=bloomfilter:10;checksum=kxxHash", 100},
	{"legacy-2.sst", "format_version=2;filter_policy=bloomfilter:10;checksum=kCRC32c", 100},
	{"legacy-3.sst", "format_version=3;filter_policy=bloomfilter:10;checksum=kxxHash64", 100},
	{"legacy-4.sst", "format_version=4;filter_policy=bloomfilter:15.5;checksum=kNoChecksum", 100},
	{"ribbon.sst", "format_version=5;filter_policy=ribbonfilter:10", 2000},
	{"none.sst", "format_version=5", 100},
	{"partitioned.sst", "format_version=5;filter_policy=bloomfilter:10;" + partitions, 1000},
	{"partitioned-restarts.sst", "format_version=5;filter_policy=bloomfilter:10;index_block_restart_interval=3;checksum=kNoChecksum;" + partitions, 1000},
	{"partitioned-3.sst", "format_version=3;filter_policy=bloomfilter:10;" + partitions, 1000},
	{"partitioned-ribbon.sst", "format_version=5;filter_policy=ribbonfilter:10;checksum=kNoChecksum;" + partitions, 1000},
	{"prefixes.sst", "format_version=5;filter_policy=bloomfilter:10;whole_key_filtering=false};prefix_extractor={id=rocksdb.FixedPrefix.7", 100},
	{"partitioned-prefixes.sst", "format_version=5;filter_policy=bloomfilter:10;whole_key_filtering=false;" + partitions + "};prefix_extractor={id=rocksdb.FixedPrefix.7", 1000},
	{"partitioned-descending.sst", "format_version=4;filter_policy=bloomfilter:10;" + partitions + "};prefix_extractor={id=rocksdb.CappedPrefix.7};" + descending, 1000},
	{"keys-and-prefixes.sst", "format_version=5;filter_policy=bloomfilter:10};prefix_extractor={id=rocksdb.FixedPrefix.7", 100},
}

// Those of compressed say in their names what data and index are compressed by, and the format_version.
func init() {
	for _, compression := range compressions[1:] {
		for _, version := range []int{1, 4} {
			testTables = append(testTables, testTable{
				name:    fmt.Sprintf("compressed/%s-%d.sst", strings.ToLower(strings.TrimSuffix(compression[1:], "Compression")), version),
				options: fmt.Sprintf("format_version=%d;block_size=512};compression={%s", version, compression),
				keys:    500,
			})
		}
	}
}

const partitions = "partition_filters=true;index_type=kTwoLevelIndexSearch;block_size=512;metadata_block_size=256"

const descending = "comparator={id=rocksdb.ReverseBytewiseComparator"

// TestTables: RocksDB still writes the same, apart from times and identities.
func TestTables(t *testing.T) {
	for _, table := range testTables {
		var keys [][]byte
		for i := range table.keys {
			keys = append(keys, fmt.Appendf(nil, "key%05d", i))
		}
		if strings.Contains(table.options, descending) {
			slices.Reverse(keys)
		}
		file := filepath.Join(testdata, table.name)
		if !*update {
			file = filepath.Join(t.TempDir(), filepath.Base(table.name))
		}
		if err := rocksdb.WriteTable(file, columnFamily(table.options), keys); err != nil {
			t.Fatal(err)
		}
		if *update {
			continue
		}
		now, then := opened(t, readFile(t, file)), opened(t, readFile(t, filepath.Join(testdata, table.name)))
		if now.Format != then.Format || now.Layout != then.Layout || now.FilterName != then.FilterName || now.Properties != then.Properties {
			t.Errorf("%s: RocksDB writes\n%+v, not\n%+v", table.name, now, then)
		}
		if !reflect.DeepEqual(filtersOf(t, now), filtersOf(t, then)) {
			t.Errorf("%s: RocksDB writes other filters", table.name)
		}
		if host, _ := os.Hostname(); len(host) > 4 && bytes.Contains(readFile(t, file), []byte(host)) {
			t.Errorf("%s has the name of this machine in it", table.name)
		}
	}
}

func readFile(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

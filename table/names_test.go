package table

import (
	"errors"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/leveldb"
)

// TestNamesOfBlockBasedFilters has the names that RocksDB and TiKV gave to filters for ranges of the file. (Full and partitioned filters
// by these names: internal/test/modules/rocksdb.)
func TestNamesOfBlockBasedFilters(t *testing.T) {
	for _, name := range []string{
		"rocksdb.BuiltinBloomFilter", "rocksdb.internal.DeprecatedBlockBasedBloomFilter", "bloomfilter", "rocksdb.BuiltinBloomFilter.BlockBloom",
	} {
		b := blockTables()["RocksDB 2"]
		b.filterName = name
		data, offsets := b.write()
		read, err := open(data)
		if err != nil {
			t.Fatal(err)
		}
		present, absent := make([][]byte, len(offsets)), make([][]byte, len(offsets))
		for i := range offsets {
			present[i], absent[i] = keysOf(i)
		}
		hits := make([]bool, len(offsets))
		if err := read.MayContainKeys(present, hits); err != nil {
			t.Fatal(err)
		}
		for i, hit := range hits {
			if !hit {
				t.Fatalf("%s: %s is lost", name, present[i])
			}
		}
		if err := read.MayContainKeys(absent, hits); err != nil {
			t.Fatal(err)
		}
		found := 0
		for _, hit := range hits {
			if hit {
				found++
			}
		}
		if found > len(hits)/30 {
			t.Errorf("%s: %d absent keys are found", name, found)
		}
	}
}

// TestBashosFilters have LevelDB's name, and another format. Only Basho's LevelDB has the block stats.sst1.
func TestBashosFilters(t *testing.T) {
	i := &image{format: Format{LevelDB, 0, CRC32c}}
	filters := leveldb.NewBlockBuilder(10, 11, keyhash.LevelDB32)
	filters.StartBlock(0)
	filters.Add([]byte("apple"))
	b := filters.Finish()
	filter, counters := i.add(b, uncompressed), i.add([]byte("counters"), uncompressed)
	i.index = i.add(rowBlock(internal([]byte("zebra"), 1), encoded(handle{0, 1})), uncompressed)
	read, err := open(i.finish(rowBlock([]byte("filter.leveldb.BuiltinBloomFilter2"), encoded(filter), []byte("stats.sst1"), encoded(counters))))
	if err != nil {
		t.Fatal(err)
	}
	answers, err := read.Answers([]Query{{Key: []byte("pear")}})
	if err != nil || !answers[0].MayContain || !strings.Contains(answers[0].Why, "unknown kind") {
		t.Errorf("%+v, %v", answers, err)
	}
	if _, err := OpenFilter(read.Layout, read.FilterName, b); !errors.Is(err, ErrUnsupported) || read.FilterName != "leveldb.BuiltinBloomFilter2 (Basho)" {
		t.Errorf("%s: %v", read.FilterName, err)
	}
}

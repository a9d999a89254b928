package table

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom"
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

// TestBashosFilters has the keys user00000 to user00099 in a table of Basho's LevelDB, in blocks compressed by LZ4. Its filters
// have LevelDB's name, and another format. Only Basho's tables have the block stats.sst1.
func TestBashosFilters(t *testing.T) {
	read, err := open(testTable(t, "basho.ldb"))
	if err != nil {
		t.Fatal(err)
	}
	for i := range 100 {
		answers, err := read.Answers([]Query{{Key: fmt.Appendf(nil, "user%05d", i)}})
		if err != nil || !answers[0].MayContain || !strings.Contains(answers[0].Why, "unknown kind") {
			t.Fatalf("%d: %+v, %v", i, answers, err)
		}
	}
	if _, err := OpenFilter(read.Layout, read.FilterName, nil); !errors.Is(err, ErrUnsupported) || !errors.Is(err, simdbloom.ErrUnknown) || read.FilterName != "leveldb.BuiltinBloomFilter2 (Basho)" {
		t.Errorf("%s: %v", read.FilterName, err)
	}
	v, err := read.Verify(context.Background(), VerifyOptions{})
	if err != nil || !v.Sound() || v.Entries != 100 {
		t.Errorf("%+v, %v", v, err)
	}
}

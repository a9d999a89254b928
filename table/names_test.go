package table

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/filterblock"
	"github.com/simdbloom/simdbloom/internal/geometry"
)

// TestNamesOfBlockBasedFilters has the names that RocksDB and TiKV gave to filters for ranges of the file. (Full and
// partitioned filters by these names: internal/test/modules/rocksdb.)
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

// TestBashosFilters has the keys user00000 to user00099 in a table of Basho's LevelDB, in blocks compressed by LZ4. Its
// filters have LevelDB's name, and another format. Only Basho's tables have the block stats.sst1.
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
	if _, err := read.OpenFilter(nil); !errors.Is(err, ErrUnsupported) || !errors.Is(err, simdbloom.ErrUnknown) || read.FilterName != "leveldb.BuiltinBloomFilter2 (Basho)" {
		t.Errorf("%s: %v", read.FilterName, err)
	}
	v, err := read.Verify(context.Background(), VerifyOptions{})
	if err != nil || len(v.Problems) > 0 || v.Entries != 100 {
		t.Errorf("%+v, %v", v, err)
	}
}

// TestSpeedb21: a table of Speedb 2.1, whose filter's batches are told by its pair indexes only.
func TestSpeedb21(t *testing.T) {
	data := testTable(t, "pebble/as-speedb-2.1.sst")
	read := opened(t, data)
	f, err := read.ReadFilter(0)
	if err != nil || read.FilterName != "speedb_paired_bloom_filter" || !bytes.HasSuffix(f.Data, []byte{1, 16, 0, 0}) {
		t.Fatalf("%q, %x, %v", read.FilterName, f.Data[max(0, len(f.Data)-4):], err)
	}
	filter, err := read.OpenFilter(f.Data)
	if err != nil || geometry.Of(filter[0]).BatchBlocks != 128 {
		t.Fatal(err)
	}
	reader, err := read.Reader(filterblock.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range tableKeys(200) {
		if may, err := read.MayContain(key); !may || err != nil || !filter[0].Contains(key) || !reader.MayContain(key) {
			t.Fatalf("%s is lost, %v", key, err)
		}
	}
	absent := 0
	for _, key := range tableKeys(3000)[200:] {
		if may, err := read.MayContain(key); err != nil {
			t.Fatal(err)
		} else if may {
			absent++
		}
	}
	if absent > 0 { // at 16 probes and 655 bits per key
		t.Errorf("%d absent keys are found", absent)
	}
	if v := verified(t, read); len(v.Problems) > 0 || v.Keys != 200 || v.Missing != 0 || v.NotVerified != "" {
		t.Errorf("%+v", v)
	}
	h := read.filters.rows[0].handle
	data[h.offset] ^= 31 // a pair that fits neither size: every key may be there
	read = opened(t, rechecked(read, data, h))
	v := verified(t, read)
	if len(v.Problems) == 0 || v.Damaged != 1 || v.Missing != 0 || v.Keys != 200 || v.Problems[0].Name != "filter" {
		t.Fatalf("%+v", v)
	}
	if err := v.Problems[0].Err; !errors.Is(err, simdbloom.ErrCorrupt) || !strings.Contains(err.Error(), "the pair indexes fit batches of neither 32 blocks (block 0 is paired with ") ||
		!strings.Contains(err.Error(), ") nor 128 (block 0 is paired with ") {
		t.Error(err)
	}
	for _, key := range tableKeys(3000) {
		if may, err := read.MayContain(key); !may || err != nil {
			t.Fatalf("%s is absent, %v", key, err)
		}
	}
}

// TestVerifyBashosTables: keys with a time behind them are none of goleveldb's recovery, and none may lack it.
func TestVerifyBashosTables(t *testing.T) {
	const kindAndSequence = "\x02\x01\x00\x00\x00\x00\x00\x00"
	for key, damaged := range map[string]uint64{"b12345678": 0, "1234567": 1} {
		i := &image{format: levelDB}
		plain, timed := internal([]byte("0"), 7), []byte(key+kindAndSequence)
		first, second := i.add(rowBlock(plain, nil), uncompressed), i.add(rowBlock(timed, nil), uncompressed)
		i.index = i.add(rowBlock(plain, encoded(first), timed, encoded(second)), uncompressed)
		h := encoded(i.add([]byte{0, 0, 0, 0, 11}, uncompressed))
		v := verified(t, opened(t, i.finish(rowBlock([]byte("filter."+levelDBName), h, []byte(bashoCounters), h))))
		if v.NotVerified != unknownFilter(bashoName) || v.Entries != 2-damaged || v.Damaged != damaged {
			t.Errorf("%s: %+v", key, v)
		}
	}
}

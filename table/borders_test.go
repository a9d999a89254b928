package table

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/filterblock"
	"github.com/simdbloom/simdbloom/internal/test/levelblock"
	"github.com/simdbloom/simdbloom/keyhash"
)

// borderTable is a table of a few data blocks, whose filters, one for each, have keys as the test says.
type borderTable struct {
	blocks, filters [][]string
	partitioned     bool // RocksDB's partitions, and not LevelDB's filter block
}

func (b borderTable) write(t *testing.T) []byte {
	t.Helper()
	i := &image{format: levelDB}
	if b.partitioned {
		i.format = rocksDB5
	}
	small := levelblock.New(10, 11, keyhash.LevelDB32)
	index := filterblock.NewIndexWriter(filterblock.IndexFormat{FullHandles: true})
	var rows [][]byte
	add := func(last string, h handle) {
		if b.partitioned {
			index.Add([]byte(last), filterblock.Handle{Offset: h.offset, Size: h.size})
		} else {
			rows = append(rows, internal([]byte(last), 1), encoded(h))
		}
	}
	entries := uint64(0)
	for n, keys := range b.blocks {
		small.StartBlock(uint64(len(i.data)))
		for _, key := range b.filters[n] {
			small.Add([]byte(key))
		}
		var block []byte
		for at, key := range keys {
			block = append(block, row(0, internal([]byte(key), uint64(99-10*n-at)), make([]byte, 1500))...)
			entries++
		}
		add(keys[len(keys)-1], i.add(restarts(block, 1), uncompressed))
	}
	if !b.partitioned {
		i.index = i.add(rowBlock(rows...), uncompressed)
		h := i.add(small.Finish(), uncompressed)
		return i.finish(rowBlock([]byte("filter.leveldb.BuiltinBloomFilter2"), encoded(h)))
	}
	i.index = i.add(index.Finish(), uncompressed)
	index = filterblock.NewIndexWriter(filterblock.IndexFormat{FullHandles: true})
	for n, keys := range b.filters {
		builder, err := bloom.NewBuilder(16, keyhash.XXPH3)
		if err != nil {
			t.Fatal(err)
		}
		for _, key := range keys {
			builder.AddString(key)
		}
		last := b.blocks[n][len(b.blocks[n])-1]
		add(last, i.add(finished(t, builder), uncompressed))
	}
	filters := i.add(index.Finish(), uncompressed)
	properties := i.add(rowBlock(
		hasPrefixes, []byte("0"),
		hasKeys, []byte("1"),
		comparator, []byte(bytewise),
		userKeyIndex, number(1),
		[]byte("rocksdb.num.entries"), number(entries),
	), uncompressed)
	return i.finish(rowBlock([]byte(partitionedFilter+"rocksdb.BuiltinBloomFilter"), encoded(filters), property, encoded(properties)))
}

// borderTables are tables with keys beside the border of two data blocks, and what Verify says of them.
var borderTables = map[string]struct {
	borderTable
	missing uint64
	key     string // the first one that is missing
	block   string // in which it is
}{
	"sound.ldb": {borderTable{[][]string{{"a", "b"}, {"c", "d"}}, [][]string{{"a", "b"}, {"c", "d"}}, false}, 0, "", ""},
	"sound.sst": {borderTable{[][]string{{"a", "b"}, {"c", "d"}}, [][]string{{"a", "b"}, {"c", "d"}}, true}, 0, "", ""},

	// The database looks a key up in the filter of its own block, or of the partition that the index names.
	"in-the-next.ldb": {borderTable{[][]string{{"a", "b"}, {"c", "d"}}, [][]string{{"a"}, {"b", "c", "d"}}, false}, 1, "b", "data block 1 of 2"},
	"in-the-next.sst": {borderTable{[][]string{{"a", "b"}, {"c", "d"}}, [][]string{{"a"}, {"b", "c", "d"}}, true}, 1, "b", "data block 1 of 2"},
	"in-the-last.ldb": {borderTable{[][]string{{"a", "b"}, {"c", "d"}}, [][]string{{"a", "b", "c"}, {"d"}}, false}, 1, "c", "data block 2 of 2"},
	"in-the-last.sst": {borderTable{[][]string{{"a", "b"}, {"c", "d"}}, [][]string{{"a", "b", "c"}, {"d"}}, true}, 1, "c", "data block 2 of 2"},

	// Versions of a key are in both blocks. LevelDB looks into both; in RocksDB the index names the first partition.
	"both-sides.ldb":     {borderTable{[][]string{{"a", "m"}, {"m", "z"}}, [][]string{{"a", "m"}, {"m", "z"}}, false}, 0, "", ""},
	"not-the-second.ldb": {borderTable{[][]string{{"a", "m"}, {"m", "z"}}, [][]string{{"a", "m"}, {"z"}}, false}, 1, "m", "data block 2 of 2"},
	"not-the-first.ldb":  {borderTable{[][]string{{"a", "m"}, {"m", "z"}}, [][]string{{"a"}, {"m", "z"}}, false}, 1, "m", "data block 1 of 2"},
	"not-the-second.sst": {borderTable{[][]string{{"a", "m"}, {"m", "z"}}, [][]string{{"a", "m"}, {"z"}}, true}, 0, "", ""},
	"not-the-first.sst":  {borderTable{[][]string{{"a", "m"}, {"m", "z"}}, [][]string{{"a"}, {"m", "z"}}, true}, 2, "m", "data block 1 of 2"},
}

// TestVerifyBesideBorders: a filter that has the key by accident, of the block before or behind, is none that a Get
// reads.
func TestVerifyBesideBorders(t *testing.T) {
	for name, c := range borderTables {
		data := c.write(t)
		v := verified(t, opened(t, data))
		if v.Missing != c.missing || v.Damaged != 0 || v.Blocks != 2 || v.Entries != 4 || v.Keys != 4 || v.NotVerified != "" {
			t.Errorf("%s: %+v", name, v)
		}
		if first := firstMissing(v); c.missing > 0 && (first == nil || string(first.Missing.Key) != c.key || first.Name != c.block) {
			t.Errorf("%s: %+v", name, first)
		}
		if strings.HasPrefix(name, "in-the-next") || name == "not-the-second.ldb" || name == "not-the-first.sst" {
			isStored(t, name, data)
		}
	}
}

// isStored compares a table with the one in testdata/borders, which the command verifies.
func isStored(t *testing.T, name string, data []byte) {
	t.Helper()
	name = filepath.Join("borders", name)
	if *update {
		if err := os.WriteFile(filepath.Join("testdata", name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(data, testTable(t, name)) {
		t.Errorf("testdata/%s is another table", name)
	}
}

// TestVerifyOverlappingIndexPartitions: a part of an index whose block overlaps that of the part before, by a byte or
// whole, is damaged, and the other parts are read. Otherwise a small file could name a block any number of times.
func TestVerifyOverlappingIndexPartitions(t *testing.T) {
	for _, values := range []int{0, 5000} {
		i := &image{format: levelDB}
		add := func(key string) handle {
			return i.add(rowBlock(internal([]byte(key), 7), make([]byte, values)), uncompressed)
		}
		first, second := add("a"), add("b")
		third := add("c")
		begin := len(i.data)
		for what, c := range map[string]struct {
			second  handle
			overlap bool
		}{
			"none":          {second, false},
			"a byte":        {handle{second.offset - 1, 10}, true},
			"the same":      {first, true},
			"all but bytes": {handle{first.offset + 1, first.size}, true},
		} {
			i.data = i.data[:begin:begin]
			var top [][]byte
			for n, h := range []handle{first, c.second, third} {
				last := internal([]byte{byte('a' + n)}, 7)
				top = append(top, last, encoded(i.add(rowBlock(last, encoded(h)), uncompressed)))
			}
			i.index = i.add(rowBlock(top...), uncompressed)
			properties := i.add(rowBlock(indexKind, []byte{2, 0, 0, 0}), uncompressed)
			data := i.finish(rowBlock(property, encoded(properties)))
			if what == "the same" && values == 0 {
				isStored(t, "overlapping.ldb", data)
			}
			v := verified(t, opened(t, data))
			if !c.overlap {
				if v.Damaged != 0 || v.Blocks != 3 {
					t.Errorf("%s: %+v", what, v)
				}
				continue
			}
			if v.Damaged != 1 || v.Blocks != 2 || v.Entries != 2 || v.Problems[0].Name != "index's partition 2 of 3" || !strings.Contains(v.Problems[0].Err.Error(), "overlap") {
				t.Errorf("values of %d bytes, %s: %+v", values, what, v)
			}
		}
	}
}

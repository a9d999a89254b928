package table

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/snappy"
	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/filterblock"
)

// withIndex is a LevelDB table whose index is the given block.
func withIndex(index []byte, c compression, properties ...[]byte) []byte {
	i := &image{format: levelDB, data: make([]byte, 500_000)}
	filters := i.add([]byte{0, 0, 0, 0, 11}, uncompressed)
	i.index = i.add(index, c)
	metaindex := [][]byte{[]byte("filter.name"), encoded(filters)}
	if properties != nil {
		metaindex = append(metaindex, property, encoded(i.add(rowBlock(properties...), uncompressed)))
	}
	return i.finish(rowBlock(metaindex...))
}

// withIndexParts is a table of RocksDB's format_version 0 whose index has the given parts, and an index
// of them.
func withIndexParts(c compression, parts ...[]byte) []byte {
	i := &image{format: levelDB, data: make([]byte, 100_000)}
	filters := i.add([]byte{0, 0, 0, 0, 11}, uncompressed)
	var top []byte
	for n, part := range parts {
		top = append(top, row(0, internal(fmt.Appendf(nil, "part%05d", n), 7), encoded(i.add(part, c)))...)
	}
	i.index = i.add(restarts(top, 1), uncompressed)
	properties := i.add(rowBlock(indexKind, []byte{2, 0, 0, 0}), uncompressed)
	return i.finish(rowBlock([]byte("filter.name"), encoded(filters), property, encoded(properties)))
}

// longKeyParts are parts of an index with one row each, whose key compresses well.
func longKeyParts(parts, length int) (compressed [][]byte) {
	compress := withZstd(compressedByZstd, true)
	for i := range parts {
		key := internal(bytes.Repeat([]byte("k"), length), 7)
		part, _ := compress(rowBlock(key, encoded(handle{offset: 5 * uint64(i)})))
		compressed = append(compressed, part)
	}
	return compressed
}

// longKeys are rows of an index whose keys share almost all of a long one.
func longKeys(length, rows int) []byte {
	key := append(bytes.Repeat([]byte("k"), length), make([]byte, 8)...)
	block := row(0, key, []byte{0, 0})
	for i := range rows {
		block = append(block, row(len(key), nil, encoded(handle{offset: 5 * uint64(i+1)}))...)
	}
	return restarts(block, 1)
}

// TestHostileIndexes: an error that says what is wrong, in memory that the file's size explains.
func TestHostileIndexes(t *testing.T) {
	entry := func(key string, h handle) []byte { return row(0, []byte(key+"12345678"), encoded(h)) }
	for what, c := range map[string]struct {
		data []byte
		want string
	}{
		"none":             {withIndex(rowBlock(), uncompressed), ""},
		"no block":         {withIndex(nil, uncompressed), ""},
		"sound":            {withIndex(restarts(bytes.Join([][]byte{entry("a", handle{0, 5}), entry("b", handle{10, 5})}, nil), 1), uncompressed), ""},
		"short":            {withIndex([]byte{1}, uncompressed), "too few for rows"},
		"overlap":          {withIndex(restarts(bytes.Join([][]byte{entry("a", handle{0, 5}), entry("b", handle{9, 5})}, nil), 1), uncompressed), "overlap"},
		"behind":           {withIndex(restarts(entry("a", handle{0, 1 << 40}), 1), uncompressed), "would end behind"},
		"short key":        {withIndex(rowBlock([]byte("1234567"), []byte{0, 0}), uncompressed, comparator, []byte(bytewise)), "too short for its sequence number"},
		"user keys":        {withIndex(rowBlock([]byte("1234567"), []byte{0, 0}), uncompressed), ""}, // of no store
		"no handle":        {withIndex(rowBlock([]byte("12345678"), []byte{0}), uncompressed), "without a handle"},
		"zlib":             {withIndex(nil, 2, comparator, []byte(bytewise)), "zlib"},
		"deflate":          {withIndex(nil, 4), "deflate"},
		"nonsense, Snappy": {withIndex([]byte{100, 1, 2, 3}, compressedBySnappy), "Snappy"},
		"great, Snappy":    {withIndex(binary.AppendUvarint(nil, math.MaxInt32), compressedBySnappy), "are decompressed"},
		"nonsense, Zstd":   {withIndex(append(bytes.Clone(zstdMagic), 1, 2, 3), levelDB2), "Zstandard"},
		"nonsense, LZ4":    {withIndex([]byte{100, 0, 0, 0, 3}, levelDB2), "zlib or LZ4"},
		"great, LZ4":       {withIndex([]byte{255, 255, 255, 255, 3}, levelDB2), "zlib or LZ4"},
		"of 5":             {withIndex(nil, 5), "compression 5 of LevelDB's"},
		"long keys":        {withIndex(longKeys(10_000, 99_000), uncompressed), "that share prefixes"},
		"longer keys":      {withIndex(snappy.Encode(nil, longKeys(100_000, 99_000)), compressedBySnappy), "that share prefixes"},
		"first keys":       {withIndex(rowBlock(), uncompressed, indexKind, []byte{3, 0, 0, 0}), ""},
		"no index partition": {
			withIndex(restarts(entry("a", handle{1 << 40, 5}), 1), uncompressed, indexKind, []byte{2, 0, 0, 0}), "would end behind",
		},
		"another order":      {withIndex(restarts(append(entry("b", handle{0, 5}), entry("a", handle{10, 5})...), 1), uncompressed, comparator, []byte(bytewise)), "not in the order of"},
		"another descending": {withIndex(restarts(append(entry("a", handle{0, 5}), entry("b", handle{10, 5})...), 1), uncompressed, comparator, []byte(reverseBytewise)), "not in the order of"},
		"parts":              {withIndexParts(uncompressed, rowBlock(internal([]byte("a"), 7), []byte{0, 5}), rowBlock(internal([]byte("b"), 7), []byte{10, 5})), ""},
		"parts that descend": {withIndexParts(uncompressed, rowBlock(internal([]byte("a"), 7), []byte{10, 5}), rowBlock(internal([]byte("b"), 7), []byte{0, 5})), "overlap"},
		"a part of no rows":  {withIndexParts(uncompressed, rowBlock()), "index's partition 1 of 1 has no rows"},
		"a part of no bytes": {withIndexParts(uncompressed, nil), "index's partition 1 of 1 has no rows"},
		"parts of long keys": {withIndexParts(compressedByZstd, longKeyParts(3, 30_000_000)...), "are decompressed"},
		"other partition": {
			withIndex(restarts(entry("a", handle{0, 5}), 1), uncompressed, indexKind, []byte{2, 0, 0, 0}), "index's partition 1 of 1",
		},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		table, err := open(c.data)
		if err == nil {
			_, err = table.readBlockFilters()
		}
		runtime.ReadMemStats(&after)
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", what, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: %v, want something of %q", what, err, c.want)
		case err != nil && !errors.Is(err, simdbloom.ErrCorrupt) && !errors.Is(err, ErrUnsupported):
			t.Errorf("%s: %v is of no kind", what, err)
		}
		// Slices that grow take more than what they end with.
		if table != nil {
			checkAnswers(t, what, table)
		}
		if took, most := after.TotalAlloc-before.TotalAlloc, uint64(20<<20+1024*len(c.data)); took > most {
			t.Errorf("%s: %d bytes of memory for a file of %d", what, took, len(c.data))
		}
	}
}

// TestNoIndex: a filter block is of no use without an index, or with Pebble's in columns.
func TestNoIndex(t *testing.T) {
	i := &image{format: pebble7}
	h := encoded(i.add([]byte{0, 0, 0, 0, 11}, uncompressed))
	read := opened(t, i.finish(columns([]byte(blockBasedFilter+levelDBName), h, []byte(indexName), h)))
	if a, err := answersFor(read, [][]byte{[]byte("key")}); err != nil || !a[0].MayContain || !strings.Contains(a[0].Why, "Pebble's columns") {
		t.Errorf("%+v, %v", a, err)
	}
	i = &image{format: levelDB}
	filters := i.add([]byte{0, 0, 0, 0, 11}, uncompressed)
	data := i.finish(rowBlock([]byte("filter.name"), encoded(filters)))
	copy(data[len(data)-legacyFooterBytes+2:], bytes.Repeat([]byte{0xff}, handlesBytes-2))
	table, err := open(data)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := table.readBlockFilters(); !errors.Is(err, simdbloom.ErrCorrupt) {
		t.Errorf("no handle of an index: %v", err)
	}
}

// TestLongKeysOfPartitions: the same limit holds for indexes of partitions.
func TestLongKeysOfPartitions(t *testing.T) {
	i := &image{format: rocksDB5, data: make([]byte, 500_000)}
	index := i.add(longKeys(100_000, 99_000), uncompressed)
	if _, err := open(i.finish(rowBlock(partitionedName, encoded(index)))); err == nil || !strings.Contains(err.Error(), "that share prefixes") {
		t.Error(err)
	}
}

// TestLongKeysOfReaders: package filterblock's reader has room for keys of 64 MiB and 64 times the index, and not for
// such as the table's lookups do.
func TestLongKeysOfReaders(t *testing.T) {
	for each, fits := range map[int]bool{300: true, 600: false} { // together they have 60 or 120 MB
		i := &image{format: rocksDB5, data: make([]byte, 50_000)}
		var rows []byte
		for n, c := range []byte("kl") {
			key := internal(bytes.Repeat([]byte{c}, 100_000), 7)
			for at := range each {
				shared := len(key)
				if at == 0 {
					shared = 0
				}
				rows = append(rows, row(shared, key[shared:], encoded(handle{offset: uint64(10_000*n + 5*at)}))...)
			}
		}
		index := i.add(restarts(rows, 1), uncompressed)
		read := opened(t, i.finish(rowBlock([]byte(partitionedFilter+"rocksdb.BuiltinBloomFilter"), encoded(index))))
		if _, err := read.Reader(filterblock.ReadOptions{}); fits != (err == nil) || err != nil && (!errors.Is(err, ErrUnsupported) || !strings.Contains(err.Error(), "share prefixes")) {
			t.Errorf("%d keys: %v", 2*each, err)
		}
	}
}

// TestVerifyEmptyIndexPartitions: a part of an index without rows hides no other.
func TestVerifyEmptyIndexPartitions(t *testing.T) {
	part := func(key string, begin uint64) []byte {
		return rowBlock(internal([]byte(key), 7), encoded(handle{begin, 5}))
	}
	for _, parts := range [][][]byte{{rowBlock(), part("a", 0), part("b", 10)}, {part("a", 0), rowBlock(), part("b", 10)}} {
		v := &verifier{table: opened(t, withIndexParts(uncompressed, parts...)), found: new(Verification)}
		if blocks, err := v.dataBlocks(); err != nil || !slices.Equal(blocks, []handle{{0, 5}, {10, 5}}) {
			t.Errorf("%v, %v", blocks, err)
		}
	}
}

// TestFindFilters: a key is looked up in the partition that it is in, and only there.
func TestFindFilters(t *testing.T) {
	for _, name := range []string{"partitioned.sst", "partitioned-restarts.sst", "partitioned-3.sst", "partitioned-ribbon.sst"} {
		table, filters, err := read(testTable(t, name))
		if err != nil {
			t.Fatal(err)
		}
		at := 0
		for i := range 1000 {
			key := fmt.Appendf(nil, "key%05d", i)
			for bytes.Compare(key, filters[at].Last) > 0 {
				at++
			}
			if first, end := table.FindFilters(key); first != at || end != at+1 {
				t.Fatalf("%s: %s is in %d to %d, want %d", name, key, first, end, at)
			}
		}
		if first, end := table.FindFilters([]byte("l")); first != len(filters)-1 || end != len(filters) {
			t.Errorf("%s: a key above all is in %d to %d", name, first, end)
		}
		table.filters.compare = nil
		if first, end := table.FindFilters([]byte("key")); first != 0 || end != len(filters) {
			t.Errorf("%s, another comparator: %d to %d", name, first, end)
		}
	}
	for name, want := range map[string]int{"none.sst": 0, "legacy-2.sst": 1} {
		table, err := open(testTable(t, name))
		if err != nil {
			t.Fatal(err)
		}
		if first, end := table.FindFilters(nil); first != 0 || end != want {
			t.Errorf("%s: %d to %d", name, first, end)
		}
	}
}

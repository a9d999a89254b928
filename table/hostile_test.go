package table

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"runtime"
	"strings"
	"testing"

	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
	"github.com/simdbloom/simdbloom"
)

var (
	rocksDB5 = Format{databaseRocksDB, 5, xxh3Sum}
	pebble7  = Format{databasePebble, 7, crc32c}

	filterName      = []byte(fullFilter + "name")
	partitionedName = []byte(partitionedFilter + "name")
	property        = []byte(propertiesName)
)

// withMetaindex is a table with nothing else.
func withMetaindex(format Format, metaindex []byte) []byte {
	i := &image{format: format, context: 1}
	if !format.contextual() {
		i.context = 0
	}
	return i.finish(metaindex)
}

// withProperties is a table of properties only.
func withProperties(format Format, c compression, properties []byte) []byte {
	i := &image{format: format, data: make([]byte, 1)}
	h := i.add(properties, c)
	if format.columnarMetaindex() {
		return i.finish(columns(property, encoded(h)))
	}
	return i.finish(rowBlock(property, encoded(h)))
}

// withPartitions is a table whose index of partitions has the given rows. Its keys are
// user keys.
func withPartitions(deltas byte, rows ...[]byte) []byte {
	i := &image{format: rocksDB5}
	for range 4 {
		i.add(make([]byte, 95), uncompressed) // at 0, 100, 200, 300
	}
	index := i.add(restarts(bytes.Join(rows, nil), 1), uncompressed)
	properties := i.add(rowBlock([]byte("rocksdb.index.key.is.user.key"), []byte{1},
		[]byte("rocksdb.index.value.is.delta.encoded"), []byte{deltas}), uncompressed)
	return i.finish(rowBlock(partitionedName, encoded(index), property, encoded(properties)))
}

// delta is a row of an index whose handles say their own length.
func delta(shared byte, key string, value ...byte) []byte {
	return append(append([]byte{shared, byte(len(key))}, key...), value...)
}

// hostile are files with right checksums that no database wrote, and words of the
// error, none where there is nothing wrong.
func hostile() map[string]struct {
	data []byte
	want string
} {
	type file = struct {
		data []byte
		want string
	}
	files := make(map[string]file)
	add := func(what string, data []byte, want string) { files[what] = file{data, want} }

	for what, h := range map[string]handle{
		"far behind":  {1 << 40, 10},
		"long":        {0, 1 << 40},
		"overflowing": {math.MaxUint64 - 2, 10},
		"longest":     {10, math.MaxUint64 - 5},
		"a byte more": {0, 1 << 8},
	} {
		add("filter "+what, withMetaindex(rocksDB5, rowBlock(filterName, encoded(h))), "would end behind")
		add("properties "+what, withMetaindex(rocksDB5, rowBlock(property, encoded(h))), "would end behind")
		add("partitions "+what, withMetaindex(rocksDB5, rowBlock(partitionedName, encoded(h))), "would end behind")
		add("columnar filter "+what, withMetaindex(pebble7, columns(filterName, encoded(h))), "would end behind")
		add("columnar properties "+what, withMetaindex(pebble7, columns(property, encoded(h))), "would end behind")
		i := &image{format: rocksDB5, data: make([]byte, 10)}
		add("metaindex "+what, i.footer(h), "would end behind")
	}
	for what, h := range map[string]handle{"metaindex of 6": {size: 1 << 31}} {
		i := &image{format: Format{databaseRocksDB, 6, crc32c}, context: 1}
		add(what, i.footer(h), "longer than the file")
	}
	i := &image{format: Format{databaseRocksDB, 6, crc32c}, context: 1}
	add("metaindex of 6, a byte more than there is", i.footer(handle{size: i.add(rowBlock(), uncompressed).size + 1}), "longer than the file")
	noContext := &image{format: Format{databaseRocksDB, 6, crc32c}}
	add("no context", noContext.finish(rowBlock()), "no context")

	add("empty metaindex", withMetaindex(rocksDB5, rowBlock()), "")
	add("no rows of 6", withMetaindex(Format{databaseRocksDB, 6, crc32c}, make([]byte, 4)), "")
	add("empty columns", withMetaindex(pebble7, columns()), "")
	add("no block", withMetaindex(rocksDB5, nil), "too few for rows")
	add("no columns", withMetaindex(pebble7, nil), "columnar block of 0 bytes")
	add("restarts", withMetaindex(rocksDB5, restarts(nil, 1<<28-1)), "restarts")
	add("features", withMetaindex(rocksDB5, restarts(nil, 1<<31)), "features")
	add("spread evenly", withMetaindex(rocksDB5, binary.LittleEndian.AppendUint32(nil, 1<<29)), "")
	add("half a row", withMetaindex(rocksDB5, restarts([]byte{0}, 1)), "longer than its block")
	add("long key", withMetaindex(rocksDB5, restarts([]byte{0, 100, 0}, 1)), "longer than its block")
	add("long value", withMetaindex(rocksDB5, restarts([]byte{0, 0, 100}, 1)), "longer than its block")
	add("endless varint", withMetaindex(rocksDB5, restarts(bytes.Repeat([]byte{0xff}, 30), 1)), "longer than its block")
	add("shares what is not there", withMetaindex(rocksDB5, restarts(row(1, []byte("a"), nil), 1)), "longer than its block")
	add("no handle", withMetaindex(rocksDB5, rowBlock(filterName, nil)), "no handle")
	add("no handle in columns", withMetaindex(pebble7, columns(filterName, nil)), "no handle")
	add("endless handle", withMetaindex(rocksDB5, rowBlock(filterName, bytes.Repeat([]byte{0xff}, 20))), "no handle")
	add("half a handle", withMetaindex(rocksDB5, rowBlock(filterName, []byte{1})), "no handle")

	for c, name := range map[compression]string{compressedBySnappy: "Snappy", compressedByZstd: "Zstandard", 4: "LZ4", 99: "compression 0x63"} {
		add("properties compressed by "+name, withProperties(rocksDB5, c, nil), name)
		i := &image{format: rocksDB5, data: make([]byte, 1)}
		add("filter compressed by "+name, i.finish(rowBlock(filterName, encoded(i.add(nil, c)))), name)
		i = &image{format: rocksDB5}
		add("metaindex compressed by "+name, i.footer(i.add(rowBlock(), c)), name)
		add("nothing that was compressed by "+name, withProperties(pebble7, c, nil), name)
	}
	great := columns([]byte("rocksdb.comparator"), make([]byte, 2<<20))
	encoder, _ := zstd.NewWriter(nil)
	small := encoder.EncodeAll(great, nil)
	add("great when decompressed by Snappy", withProperties(pebble7, compressedBySnappy, snappy.Encode(nil, great)), "at most")
	add("said to be great", withProperties(pebble7, compressedByZstd, binary.AppendUvarint(nil, 1<<62)), "at most")
	add("said to be small", withProperties(pebble7, compressedByZstd, append([]byte{10}, small...)), "Zstandard")
	add("shorter than said", withProperties(pebble7, compressedByZstd, append([]byte{10}, encoder.EncodeAll(nil, nil)...)), "0 bytes, but 10")
	add("Snappy of nonsense", withProperties(pebble7, compressedBySnappy, []byte{100, 1, 2, 3}), "Snappy")
	add("MinLZ of nonsense", withProperties(pebble7, compressedByMinLZ, []byte{0, 100, 1, 2, 3}), "MinLZ")

	sound := columns([]byte("some key"), []byte("some value"), []byte("some other key"), []byte("some other value"))
	for what, change := range map[string]func(block []byte){
		"version":     func(b []byte) { b[0] = 2 },
		"columns":     func(b []byte) { b[1] = 3 },
		"rows":        func(b []byte) { binary.LittleEndian.PutUint32(b[3:], 100) },
		"most rows":   func(b []byte) { binary.LittleEndian.PutUint32(b[3:], math.MaxUint32) },
		"type":        func(b []byte) { b[7] = 4 },
		"begin":       func(b []byte) { binary.LittleEndian.PutUint32(b[8:], math.MaxUint32) },
		"width of 3":  func(b []byte) { b[17] = 3 },
		"width of 8":  func(b []byte) { b[17] = 8 },
		"differences": func(b []byte) { b[17] = 0x81 },
		"descending":  func(b []byte) { b[18] = 99 },
		"behind":      func(b []byte) { b[20] = 255 },
	} {
		changed := bytes.Clone(sound)
		change(changed)
		add("columns with other "+what, withMetaindex(pebble7, changed), "colum")
	}
	add("sound columns", withMetaindex(pebble7, sound), "")
	add("columns without widths", withMetaindex(pebble7, columns(nil, nil, nil, nil)), "")

	filter := func(key string, offset, size byte) []byte { return row(0, []byte(key), []byte{offset, size}) }
	add("two partitions", withPartitions(0, filter("a", 0, 95), filter("b", 100, 95)), "")
	add("partitions that overlap", withPartitions(0, filter("a", 0, 95), filter("b", 0, 95)), "overlap")
	add("partitions that descend", withPartitions(0, filter("a", 100, 95), filter("b", 0, 95)), "overlap")
	add("a partition without a handle", withPartitions(0, row(0, []byte("a"), []byte{1})), "without a handle")
	add("a partition behind the file", withPartitions(0, row(0, []byte("a"), encoded(handle{1, 1 << 50}))), "would end behind")
	add("differences", withPartitions(1, delta(0, "aa", 0, 95), delta(1, "b", 0), delta(1, "c", 0)), "")
	add("no difference", withPartitions(1, delta(0, "aa", 0, 95), delta(1, "b")), "without a handle")
	add("no first handle", withPartitions(1, delta(0, "aa")), "without a handle")
	add("a key too long", withPartitions(1, []byte{0, 9}), "longer than its block")
	add("a negative size", withPartitions(1, delta(0, "aa", 0, 95), delta(1, "b", binary.AppendVarint(nil, -96)...)), "would end behind")
	add("the least size", withPartitions(1, delta(0, "aa", 0, 95), delta(1, "b", binary.AppendVarint(nil, math.MinInt64)...)), "would end behind")

	i = &image{format: rocksDB5}
	index := i.add(restarts(filter("a", 0, 0), 1), uncompressed)
	add("no sequence number", i.finish(rowBlock(partitionedName, encoded(index))), "a key of 1 bytes, too short for its sequence number")
	i = &image{format: rocksDB5, data: make([]byte, 1)}
	index = i.add(nil, uncompressed)
	add("no partitions", i.finish(rowBlock(partitionedName, encoded(index))), "")
	add("no rows of partitions", withPartitions(0), "has no rows")
	i = &image{format: rocksDB5, data: make([]byte, 200)}
	index = i.add(restarts(append(filter("b", 0, 95), filter("a", 100, 95)...), 1), uncompressed)
	properties := i.add(rowBlock([]byte("rocksdb.index.key.is.user.key"), []byte{1}, comparator, []byte(bytewise)), uncompressed)
	add("another order", i.finish(rowBlock(partitionedName, encoded(index), property, encoded(properties))), "not in the order of")
	add("rows that share a long key", withMetaindex(rocksDB5, longKeys(10_000, 20_000)), "")
	return files
}

// TestHostileFiles: an error that says what is wrong, and no more memory than the file
// has, but for what a decompressor and the properties' limit take.
func TestHostileFiles(t *testing.T) {
	for what, c := range hostile() {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, _, err := read(c.data)
		runtime.ReadMemStats(&after)
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", what, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: %v, want something of %q", what, err, c.want)
		case err != nil && !errors.Is(err, simdbloom.ErrCorrupt) && !errors.Is(err, ErrUnsupported):
			t.Errorf("%s: %v is of no kind", what, err)
		}
		most := 2*uint64(len(c.data)) + 16<<10
		if strings.Contains(c.want, "Zstandard") || strings.Contains(c.want, "but 10") {
			most += 8 << 20
		}
		if took := after.TotalAlloc - before.TotalAlloc; took > most {
			t.Errorf("%s: %d bytes of memory for a file of %d", what, took, len(c.data))
		}
		if table, err := open(c.data); err == nil {
			checkAnswers(t, what, table)
		}
	}
}

// TestPebblesFooters: a footer's checksum covers all of it.
func TestPebblesFooters(t *testing.T) {
	for version, size := range map[int]int{6: pebbleV6FooterBytes, 7: pebbleV7FooterBytes} {
		data := withMetaindex(Format{databasePebble, version, crc32c}, columns())
		for at := len(data) - size; at < len(data); at++ {
			changed := bytes.Clone(data)
			changed[at] ^= 1
			if _, err := open(changed); err == nil || at < len(data)-12 && !strings.Contains(err.Error(), "the footer of a Pebble table v") {
				t.Errorf("v%d: byte %d of the footer was changed: %v", version, at-len(data)+size, err)
			}
		}
	}
}

// checkAnswers queries a table whose filters nobody built: an error, or "may contain".
func checkAnswers(t *testing.T, what string, table *Table) {
	t.Helper()
	if _, err := table.Verify(context.Background(), VerifyOptions{}); err != nil && !errors.Is(err, simdbloom.ErrCorrupt) && !errors.Is(err, ErrUnsupported) {
		t.Errorf("%s: %v is of no kind", what, err)
	}
	keys := [][]byte{nil, []byte("a"), []byte("ab"), []byte("b"), bytes.Repeat([]byte{0xff}, 30)}
	own := NewOrder("another's", byLength)
	for _, properties := range []Properties{table.Properties, prefixes("fixed:1"), keysAndPrefixes("capped:2")} {
		for _, order := range []struct {
			recorded string
			given    *Order
		}{{table.Properties.Comparator, nil}, {reverseBytewise, nil}, {"another's", nil}, {"another's", &own}, {bytewise + timestamped, nil}} {
			queried := *table
			properties.Comparator = order.recorded
			queried.Properties, queried.given = properties, order.given
			queried.FilterName = "rocksdb.BuiltinBloomFilter"
			filters := *table.filters
			if queried.setOrder(&filters, blockName{kind: kindFilterIndex}) != nil {
				continue
			}
			queried.filters = &filters
			hits := make([]bool, len(keys))
			err := queried.MayContainKeys(keys, hits)
			for i, key := range keys {
				may, alone := queried.MayContain(key)
				prefix, of := queried.MayContainPrefix(key)
				if err != nil && !hits[i] || alone != nil && !may || of != nil && !prefix {
					t.Errorf("%s: %q: errors and not contained: %v, %v, %v", what, key, err, alone, of)
				}
				if err == nil && (alone != nil || may != hits[i]) {
					t.Errorf("%s: %q: alone %v, %v, but %v", what, key, may, alone, hits[i])
				}
			}
		}
	}
}

func TestForeignFiles(t *testing.T) {
	end := func(magic uint64) []byte {
		return binary.LittleEndian.AppendUint64(make([]byte, 60), magic)
	}
	version := func(magic uint64, v uint32) []byte {
		return binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint32(make([]byte, 60), v), magic)
	}
	legacy := Format{databaseRocksDB, 0, crc32c}
	compressed := &image{format: legacy}
	for what, c := range map[string]struct {
		data []byte
		want string
	}{
		"empty":              {nil, "cut short, or not a table: the file is empty"},
		"short":              {make([]byte, 47), "cut short, or not a table: 47 bytes are too few"},
		"short for 5":        {version(magicRocksDB, 5)[60+12-50:], "50 bytes, too few"},
		"text":               {bytes.Repeat([]byte("some text\n"), 9), "cut short, or not a table: the file ends in text"},
		"zeros":              {make([]byte, 100), "cut short, or not a table: the last 8 bytes, 0000000000000000,"},
		"plain":              {end(magicPlain), "plain"},
		"plain, old":         {end(magicPlainLegacy), "plain"},
		"cuckoo":             {end(magicCuckoo), "cuckoo"},
		"RocksDB 0":          {version(magicRocksDB, 0), "format_version 0"},
		"RocksDB 8":          {version(magicRocksDB, 8), "format_version 8"},
		"Pebble 0":           {version(magicPebble, 0), "Pebble table v0"},
		"Pebble 8":           {version(magicPebble, 8), "Pebble table v8"},
		"checksum":           {append([]byte{9}, version(magicRocksDB, 5)[60-40:]...), "type of checksum"},
		"LevelDB compressed": {compressed.footer(compressed.add(nil, compressedBySnappy)), "Snappy"},
	} {
		if _, err := open(c.data); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want something of %q", what, err, c.want)
		}
	}
}

// TestBlockBased: RocksDB's oldest filters are told apart from LevelDB's.
func TestBlockBased(t *testing.T) {
	i := &image{format: Format{databaseRocksDB, 0, crc32c}}
	properties := i.add(rowBlock([]byte("rocksdb.filter.size"), []byte{77}), uncompressed)
	got, filters, err := read(i.finish(rowBlock([]byte("filter.rocksdb.BuiltinBloomFilter"), []byte{0, 1}, []byte(oldPropertiesName), encoded(properties))))
	if err != nil || got.Layout != layoutBlockBased || got.FilterName != "rocksdb.BuiltinBloomFilter" || got.Properties.FilterBytes != 77 || len(filters) != 0 {
		t.Errorf("%+v, %v", got, err)
	}
}

// failing is a file that cannot be read at all, or is shorter than it said.
type failing struct{ err error }

func (f failing) ReadAt([]byte, int64) (int, error) { return 0, f.err }

func TestFilesThatFail(t *testing.T) {
	broken := errors.New("broken")
	for err, want := range map[error]error{broken: broken, io.EOF: io.ErrUnexpectedEOF, nil: io.ErrUnexpectedEOF} {
		if _, got := Open(failing{err}, 1000); !errors.Is(got, want) {
			t.Errorf("%v, want %v", got, want)
		}
	}
	data := testTable(t, "fastlocal-xxh3.sst")
	if _, err := Open(bytes.NewReader(data[:len(data)-1]), int64(len(data))); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Error(err)
	}
}

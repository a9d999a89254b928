package table

import (
	"context"
	"encoding/binary"
	"errors"
	"path/filepath"
	"testing"

	"github.com/simdbloom/simdbloom"
)

var fuzzedFormats = []Format{rocksDB5, levelDB, {databaseRocksDB, 6, xxh3Sum}, {databasePebble, 4, crc32c}, pebble7}

// fuzzedBlocks are those of a table with one data block.
type fuzzedBlocks struct {
	data, index, filter, parts, properties []byte
	compressed                             compression // the data
}

// write returns a table of the blocks, with right checksums. Without an index, it has one of the data block, and
// without parts the filter is for all keys.
func (b *fuzzedBlocks) write(format Format) []byte {
	i := &image{format: format}
	columnar, name := format.columnarMetaindex(), fullFilter+"rocksdb.BuiltinBloomFilter"
	if format.contextual() {
		i.context = 1
	}
	block := i.add(b.data, b.compressed)
	index := b.index
	if len(index) == 0 {
		index = rowBlock(internal([]byte("\xff\xff"), 1), encoded(block))
	}
	filter := i.add(b.filter, uncompressed)
	if len(b.parts) > 0 {
		name, filter = partitionedFilter+"rocksdb.BuiltinBloomFilter", i.add(b.parts, uncompressed)
	}
	if format.Database == databaseLevelDB {
		name = blockBasedFilter + levelDBName
	}
	i.index = i.add(index, uncompressed)
	pairs := [][]byte{[]byte(name), encoded(filter)}
	if format.contextual() || columnar {
		pairs = append(pairs, []byte(indexName), encoded(i.index))
	}
	if len(b.properties) > 0 {
		pairs = append(pairs, property, encoded(i.add(b.properties, uncompressed)))
	}
	if columnar {
		return i.finish(columns(pairs...))
	}
	return i.finish(rowBlock(pairs...))
}

// fuzzedBlocksOf returns the first data block and filter of a stored table.
func fuzzedBlocksOf(t testing.TB, name string) (b fuzzedBlocks) {
	read := opened(t, testTable(t, name))
	plain := func(h handle) []byte {
		block, err := read.blocks.readPlain(h, blockName{kind: kindFilterBlock})
		if err != nil {
			t.Fatal(name, err)
		}
		return block
	}
	handles, err := (&verifier{table: read, found: new(Verification)}).dataBlocks()
	if err != nil {
		t.Fatal(name, err)
	}
	if b.data, b.compressed, err = read.blocks.read(handles[0], blockName{kind: kindData}); err != nil {
		t.Fatal(name, err)
	}
	if read.Layout != layoutNone {
		b.filter = plain(read.filter)
	}
	if read.Format.columnarData() {
		b.index = plain(*read.indexBlock)
	}
	if read.Layout == layoutPartitioned {
		b.filter = plain(read.filters.rows[0].handle)
		b.parts = rowBlock(internal([]byte("\xff\xff"), 1), encoded(handle{uint64(len(b.data)) + 5, uint64(len(b.filter))}))
	}
	return b
}

// FuzzVerify has any bytes in the blocks of a table whose checksums are right: in one of its data blocks, the index,
// the filter, its partitions' index and the properties. It compares Verify with a naive reading of the data, and with
// MayContain.
func FuzzVerify(f *testing.F) {
	properties := [][]byte{
		nil, rowBlock(comparator, []byte(bytewise)), rowBlock(comparator, []byte(bytewise+timestamped)),
		rowBlock(comparator, []byte(bytewise), []byte("rocksdb.prefix.extractor.name"), []byte("fixed:4"), []byte("rocksdb.prefix.filtering"), []byte("1")),
		columns(comparator, []byte("leveldb.BytewiseComparator"), []byte("rocksdb.num.entries"), []byte{9}),
	}
	for name, formats := range map[string][]byte{
		"fastlocal-xxh3.sst": {0, 2}, "legacy-4.sst": {0}, "ribbon.sst": {0, 2}, "partitioned.sst": {0, 2}, "prefixes.sst": {0},
		"compressed/zstd-4.sst": {0}, "compressed/lz4-4.sst": {0}, "leveldb.ldb": {1}, "goleveldb-snappy.ldb": {1},
		"pebble/4-paired.sst": {3}, "pebble/7-linear.sst": {4}, "pebble/7-builtin.sst": {4},
	} {
		b := fuzzedBlocksOf(f, filepath.FromSlash(name))
		for _, format := range formats {
			for _, p := range properties {
				f.Add(format, byte(b.compressed), b.data, b.index, b.filter, b.parts, p)
			}
		}
	}
	f.Fuzz(func(t *testing.T, format, compressed byte, data, index, filter, parts, properties []byte) {
		b := fuzzedBlocks{data, index, filter, parts, properties, compression(compressed)}
		read, err := open(b.write(fuzzedFormats[int(format)%len(fuzzedFormats)]))
		var v *Verification
		if err == nil {
			v, err = read.Verify(context.Background(), VerifyOptions{})
		}
		if err != nil {
			if !errors.Is(err, simdbloom.ErrCorrupt) && !errors.Is(err, ErrUnsupported) {
				t.Fatalf("%v is of no kind", err)
			}
			return
		}
		if (len(v.Problems) == 0) != (v.Damaged+v.Missing == 0) || v.Missing > v.Keys+v.Prefixes || v.Keys > v.Entries || v.Prefixes > v.Entries ||
			(firstMissing(v) == nil) != (v.Missing == 0) || len(v.Problems) != int(min(v.Damaged, mostDamaged)+min(v.Missing, 1)) {
			t.Fatalf("%+v", v)
		}
		keys, ok := naiveKeys(data)
		if v.Damaged > 0 || !ok || compressed != 0 || len(index) > 0 || read.Format.columnarData() {
			return
		}
		if v.Entries != uint64(len(keys)) {
			t.Fatalf("%+v, want %d entries", v, len(keys))
		}
		entries, order := read.entries(), read.Properties.Comparator
		if v.Missing > 0 || v.NotVerified != "" || read.Format.Database == databaseLevelDB || !entries.wholeKeys || entries.splits || order != "" && order != bytewise {
			return
		}
		for _, key := range keys[:min(len(keys), 100)] {
			if may, err := read.MayContain(key[:len(key)-internalKeyBytes]); err != nil || !may {
				t.Fatalf("%q: %v, %v, but %+v", key, may, err, v)
			}
		}
	})
}

// naiveKeys returns the keys of a data block without features.
func naiveKeys(block []byte) (keys [][]byte, ok bool) {
	if len(block) < 4 {
		return nil, false
	}
	number := uint64(binary.LittleEndian.Uint32(block[len(block)-4:]))
	if behind := 4 + 4*number; number>>28 != 0 || behind > uint64(len(block)) {
		return nil, false
	} else {
		block = block[:uint64(len(block))-behind]
	}
	var key []byte
	for len(block) > 0 {
		var lengths [3]uint64 // shared, unshared, the value's
		for i := range lengths {
			x, n := binary.Uvarint(block)
			if n <= 0 || x > uint64(len(block))+uint64(len(key)) {
				return nil, false
			}
			lengths[i], block = x, block[n:]
		}
		if lengths[0] > uint64(len(key)) || lengths[1]+lengths[2] > uint64(len(block)) {
			return nil, false
		}
		key = append(key[:lengths[0]:lengths[0]], block[:lengths[1]]...)
		keys, block = append(keys, key), block[lengths[1]+lengths[2]:]
	}
	return keys, true
}

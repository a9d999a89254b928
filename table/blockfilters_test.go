package table

import (
	"bytes"
	"compress/flate"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom/internal/test/levelblock"

	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/leveldb"
)

var update = flag.Bool("update", false, "write the tables of block-based filters in testdata again")

// blockTable is a table with a filter for every 2 KiB of the file, in the making.
type blockTable struct {
	image
	filterName string
	hash       keyhash.Hash
	properties [][]byte // keys and values in turn

	userKeys bool // in the index, instead of internal keys
	deltas   bool // handles do not say their length
	twoLevel bool
	compress func(index []byte) ([]byte, compression)
	reverse  bool // keys descend

	firstKeys bool        // behind each handle of the index is the block's first key
	dataBy    compression // that data blocks are said to have
}

// keysOf are the keys of the table, and the absent keys between them.
func keysOf(i int) (present, absent []byte) {
	return fmt.Appendf(nil, "key%05d", i), fmt.Appendf(nil, "key%05d-", i)
}

const (
	blockTableKeys = 1000
	keysInABlock   = 37
)

// write writes the table and returns the offset of the data block of each key.
func (b *blockTable) write() (data []byte, offsets []uint64) {
	filters := levelblock.New(10, 11, b.hash)
	filters.StartBlock(0)
	var index [][]byte // rows of two-level indexes, or one
	var rows []byte
	var before handle
	for begin := 0; begin < blockTableKeys; begin += keysInABlock {
		filters.StartBlock(uint64(len(b.data)))
		var block []byte
		var first, last []byte
		for i := begin; i < min(begin+keysInABlock, blockTableKeys); i++ {
			number := i
			if b.reverse {
				number = blockTableKeys - 1 - i
			}
			last, _ = keysOf(number)
			if filters.Add(last); first == nil {
				first = internal(last, 7)
			}
			block = append(block, row(0, internal(last, 7), []byte("value"))...)
			offsets = append(offsets, uint64(len(b.data)))
		}
		h := b.add(restarts(block, 1), b.dataBy)
		if first = append(number(uint64(len(first))), first...); !b.firstKeys {
			first = nil
		}
		if !b.reverse {
			last = append(last, '-', '-') // a separator above the absent keys
		}
		if !b.userKeys {
			last = internal(last, math.MaxUint64>>8)
		}
		switch {
		case !b.deltas:
			rows = append(rows, row(0, last, append(encoded(h), first...))...)
		case len(rows) == 0:
			rows = append(binary.AppendUvarint([]byte{0}, uint64(len(last))), last...)
			rows = append(append(rows, encoded(h)...), first...)
		default: // the first byte is shared
			rows = binary.AppendUvarint(append(rows, 1), uint64(len(last)-1))
			rows = append(rows, last[1:]...)
			rows = append(binary.AppendVarint(rows, int64(h.size-before.size)), first...)
		}
		before = h
		if b.twoLevel && len(offsets)%4 == 0 || len(offsets) == blockTableKeys {
			index, rows = append(index, last, restarts(rows, 1)), nil
		}
	}
	filterBlock := b.add(filters.Finish(), uncompressed)
	for i := 1; i < len(index) && b.twoLevel; i += 2 {
		index[i] = encoded(b.add(b.compressed(index[i])))
	}
	top := index[1]
	if b.twoLevel {
		top = rowBlock(index...)
	}
	b.index = b.add(b.compressed(top))
	metaindex := [][]byte{[]byte("filter." + b.filterName), encoded(filterBlock)}
	if b.properties != nil {
		metaindex = append(metaindex, property, encoded(b.add(rowBlock(b.properties...), uncompressed)))
	}
	if b.format.Database == databaseLevelDB { // which compresses that, too
		return b.footer(b.add(b.compressed(rowBlock(metaindex...)))), offsets
	}
	return b.finish(rowBlock(metaindex...)), offsets
}

func (b *blockTable) compressed(index []byte) ([]byte, compression) {
	if b.compress == nil {
		return index, uncompressed
	}
	return b.compress(index)
}

// internal is a user key with its sequence number, and the kind of a value.
func internal(key []byte, sequence uint64) []byte {
	return binary.LittleEndian.AppendUint64(bytes.Clone(key), sequence<<8|1)
}

func withSnappy(index []byte) ([]byte, compression) {
	return snappy.Encode(nil, index), compressedBySnappy
}

func withZstd(c compression, sized bool) func(index []byte) ([]byte, compression) {
	return func(index []byte) ([]byte, compression) {
		encoder, _ := zstd.NewWriter(nil)
		var size []byte
		if sized {
			size = binary.AppendUvarint(nil, uint64(len(index)))
		}
		return append(size, encoder.EncodeAll(index, nil)...), c
	}
}

// withZlib is Mojang's. The other has no header.
func withZlib(index []byte) ([]byte, compression) {
	var packed bytes.Buffer
	w := zlib.NewWriter(&packed)
	w.Write(index)
	w.Close()
	return packed.Bytes(), levelDB2
}

func withRawFlate(index []byte) ([]byte, compression) {
	var packed bytes.Buffer
	w, _ := flate.NewWriter(&packed, flate.BestCompression)
	w.Write(index)
	w.Close()
	return packed.Bytes(), mojangRawFlate
}

// withBashoLZ4 has nothing but literals.
func withBashoLZ4(index []byte) ([]byte, compression) {
	packed := binary.LittleEndian.AppendUint32(nil, uint32(len(index)))
	packed = append(packed, 0xf0)
	more := len(index) - 15
	packed = append(packed, bytes.Repeat([]byte{255}, more/255)...)
	return append(append(packed, byte(more%255)), index...), levelDB2
}

func number(n uint64) []byte { return binary.AppendUvarint(nil, n) }

var (
	levelDB      = Format{databaseLevelDB, 0, crc32c}
	comparator   = []byte("rocksdb.comparator")
	indexKind    = []byte("rocksdb.block.based.table.index.type")
	hasKeys      = []byte("rocksdb.block.based.table.whole.key.filtering")
	hasPrefixes  = []byte("rocksdb.block.based.table.prefix.filtering")
	userKeyIndex = []byte("rocksdb.index.key.is.user.key")
	deltaIndex   = []byte("rocksdb.index.value.is.delta.encoded")
)

// blockTables are tables as LevelDB and RocksDB write them: no RocksDB that does was at hand.
func blockTables() map[string]*blockTable {
	rocksDB := func(version int, more ...[]byte) *blockTable {
		return &blockTable{
			image: image{format: Format{databaseRocksDB, version, crc32c}}, filterName: "rocksdb.BuiltinBloomFilter",
			hash: keyhash.LevelDB32Signed, properties: append([][]byte{comparator, []byte(bytewise)}, more...),
		}
	}
	ofLevelDB := func(compress func([]byte) ([]byte, compression)) *blockTable {
		return &blockTable{image: image{format: levelDB}, filterName: "leveldb.BuiltinBloomFilter2", compress: compress}
	}
	deltas := rocksDB(4, userKeyIndex, number(1), deltaIndex, number(1))
	deltas.userKeys, deltas.deltas = true, true
	twoLevel := rocksDB(2, indexKind, []byte{2, 0, 0, 0})
	twoLevel.twoLevel, twoLevel.compress = true, withSnappy
	old := rocksDB(0)
	old.compress, old.properties = withZstd(compressedByZstd, true), [][]byte{[]byte("rocksdb.num.entries"), number(blockTableKeys)}
	sized := rocksDB(2)
	sized.compress = withZstd(compressedByZstd, true)
	reverse := rocksDB(2)
	reverse.reverse, reverse.properties = true, [][]byte{comparator, []byte("rocksdb.ReverseBytewiseComparator")}
	firstKeys, firstKeyDeltas := rocksDB(2, indexKind, []byte{3, 0, 0, 0}), rocksDB(5, userKeyIndex, number(1), deltaIndex, number(1), indexKind, []byte{3, 0, 0, 0})
	firstKeys.firstKeys, firstKeyDeltas.firstKeys, firstKeyDeltas.userKeys, firstKeyDeltas.deltas = true, true, true, true
	return map[string]*blockTable{
		"first keys": firstKeys, "first keys, deltas": firstKeyDeltas,
		"LevelDB": ofLevelDB(nil), "LevelDB, Snappy": ofLevelDB(withSnappy), "LevelDB, Zstandard": ofLevelDB(withZstd(levelDB2, false)),
		"Mojang, zlib": ofLevelDB(withZlib), "Mojang, deflate": ofLevelDB(withRawFlate), "Mojang, Zstandard": ofLevelDB(withZstd(mojangZstd, false)),
		"Basho, LZ4": ofLevelDB(withBashoLZ4),
		"RocksDB 2":  rocksDB(2), "RocksDB 4": deltas, "two levels": twoLevel, "RocksDB 0": old, "RocksDB 2, Zstandard": sized, "reverse": reverse,
	}
}

// offsetsOf returns the offsets of the data blocks that a user key may be in.
func (b *blockFilters) offsetsOf(key []byte) []uint64 {
	first, end := b.index.find(key)
	return b.offsets[first:end]
}

// TestBlockFilters finds every key's data block, and its filter has the key.
func TestBlockFilters(t *testing.T) {
	for name, b := range blockTables() {
		data, offsets := b.write()
		order := Bytewise
		if b.reverse {
			order = ReverseBytewise
		}
		got, filters, err := read(data, WithOrder(order))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got.Format != b.format || got.Layout != layoutBlockBased || got.FilterName != b.filterName || len(filters) != 0 {
			t.Errorf("%s: %+v", name, got)
		}
		stored, err := got.readBlockFilters()
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		block, err := leveldb.OpenBlock(stored.data, b.hash)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		found := 0
		for i, offset := range offsets {
			key, absent := keysOf(i)
			if b.reverse {
				key, absent = keysOf(blockTableKeys - 1 - i)
				absent = append([]byte("a"), absent...)
			}
			if got := stored.offsetsOf(key); !slices.Equal(got, []uint64{offset}) || !block.MayContain(offset, key) {
				t.Fatalf("%s: %s is in blocks %d, not %d", name, key, got, offset)
			}
			if b.reverse {
				continue
			}
			if at := stored.offsetsOf(absent); len(at) != 1 || block.MayContain(at[0], absent) {
				found++
			}
		}
		if found > blockTableKeys/30 {
			t.Errorf("%s: %d absent keys are found", name, found)
		}
		above := []byte("l")
		if b.reverse {
			above = []byte("a")
		}
		if got := stored.offsetsOf(above); len(got) != 0 {
			t.Errorf("%s: a key above all is in %d", name, got)
		}
	}
}

// TestUnknownComparators: a key may be in any block, unless the caller gives the order.
func TestUnknownComparators(t *testing.T) {
	for name, properties := range map[string][][]byte{
		"another's": {comparator, []byte("another's")}, "short name": {comparator, []byte("bytes")}, "not recorded": {comparator, nil},
		"no comparator": {[]byte("rocksdb.num.entries"), number(blockTableKeys)}, "no properties": nil,
	} {
		for _, of := range []string{"reverse", "RocksDB 2", "LevelDB"} {
			b := blockTables()[of]
			b.properties = properties
			data, offsets := b.write()
			order, other := Bytewise, ReverseBytewise
			if b.reverse {
				order, other = other, order
			}
			offsetsOf := func(options ...Option) []uint64 {
				stored, err := opened(t, data, options...).readBlockFilters()
				if err != nil {
					t.Fatal(name, of, err)
				}
				return stored.offsetsOf([]byte("key00500"))
			}
			all := slices.Compact(slices.Clone(offsets))
			if got := offsetsOf(); !slices.Equal(got, all) {
				t.Errorf("%s, %s: %d", name, of, got)
			}
			if got := offsetsOf(WithOrder(AnyOrder)); !slices.Equal(got, all) {
				t.Errorf("%s, %s, any order: %d", name, of, got)
			}
			if got := offsetsOf(WithOrder(order)); len(got) != 1 {
				t.Errorf("%s, %s, order given: %d", name, of, got)
			}
			if _, err := opened(t, data, WithOrder(other)).readBlockFilters(); !errors.Is(err, ErrUnsupported) || !strings.Contains(err.Error(), "order that was given") {
				t.Errorf("%s, %s, wrong order: %v", name, of, err)
			}
		}
	}
}

// TestNoBlockFilters: only one layout has them.
func TestNoBlockFilters(t *testing.T) {
	table, err := open(testTable(t, "fastlocal-xxh3.sst"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := table.readBlockFilters(); err == nil {
		t.Error("a full filter is a filter block")
	}
}

// TestBlockBasedFiles has tables of testdata. One has no checksums, so
// that fuzzing gets behind them.
func TestBlockBasedFiles(t *testing.T) {
	checked, unchecked := blockTables()["RocksDB 2"], blockTables()["RocksDB 4"]
	unchecked.format.Checksum = noChecksum
	for name, b := range map[string]*blockTable{"block-based.sst": checked, "block-based-unchecked.sst": unchecked} {
		b.properties = append(b.properties, []byte("rocksdb.num.entries"), number(blockTableKeys))
		data, _ := b.write()
		if *update {
			if err := os.WriteFile(filepath.Join("testdata", name), data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(data, testTable(t, name)) {
			t.Errorf("testdata/%s is another table", name)
		}
	}
}

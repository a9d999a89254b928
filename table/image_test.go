package table

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// image is a table in the making, with right checksums whatever its blocks are.
type image struct {
	format  Format
	context uint32
	data    []byte
	index   handle // of the data blocks
}

// add writes a block.
func (i *image) add(block []byte, c compression) handle {
	h := handle{uint64(len(i.data)), uint64(len(block))}
	covered := append(bytes.Clone(block), byte(c))
	i.data = append(i.data, covered...)
	i.data = binary.LittleEndian.AppendUint32(i.data, checksum(i.format.Checksum).sum(covered)+modifier(i.context, h.offset))
	return h
}

// finish writes the metaindex and the footer, and returns the file.
func (i *image) finish(metaindex []byte) []byte {
	return i.footer(i.add(metaindex, uncompressed))
}

func (i *image) footer(metaindex handle) []byte {
	begin := len(i.data)
	old := i.format.Database == databaseLevelDB || i.format.legacyMagic()
	if !old {
		i.data = append(i.data, byte(slices.Index(checksums[:], i.format.Checksum)))
	}
	handles := make([]byte, 0, handlesBytes)
	if i.format.contextual() {
		handles = append(handles, 0x3e, 0, 0x7a, 0, 0, 0, 0, 0)
		handles = binary.LittleEndian.AppendUint32(handles, i.context)
		handles = binary.LittleEndian.AppendUint32(handles, uint32(metaindex.size))
	} else {
		handles = append(encoded(metaindex), encoded(i.index)...)
	}
	i.data = append(i.data, handles[:handlesBytes]...)
	magic := map[string]uint64{databaseRocksDB: magicRocksDB, databasePebble: magicPebble, databaseLevelDB: magicLegacy}[i.format.Database]
	if i.format.Database == databasePebble && i.format.Version >= 7 {
		i.data = append(i.data, 0, 0, 0, 0)
	}
	checksumAt := len(i.data)
	if i.format.columnarMetaindex() {
		i.data = append(i.data, 0, 0, 0, 0)
	}
	if old {
		magic = magicLegacy
	} else {
		i.data = binary.LittleEndian.AppendUint32(i.data, uint32(i.format.Version))
	}
	i.data = binary.LittleEndian.AppendUint64(i.data, magic)
	switch foot := i.data[begin:]; {
	case i.format.contextual():
		binary.LittleEndian.PutUint32(foot[5:], checksum(i.format.Checksum).sum(foot)+modifier(i.context, uint64(begin)))
	case i.format.columnarMetaindex():
		covered := append(bytes.Clone(i.data[begin:checksumAt]), i.data[checksumAt+4:]...)
		binary.LittleEndian.PutUint32(i.data[checksumAt:], checksum(crc32c).sum(covered))
	}
	return i.data
}

// oneBlock is a table of one data block with the given keys, a key of it in the index, a filter and its name in the
// metaindex, and properties if there are any.
func oneBlock(format Format, last []byte, keys [][]byte, name string, filter []byte, properties ...[]byte) []byte {
	i := &image{format: format}
	var block [][]byte
	for _, key := range keys {
		block = append(block, key, nil)
	}
	i.index = i.add(rowBlock(last, encoded(i.add(rowBlock(block...), uncompressed))), uncompressed)
	metaindex := [][]byte{[]byte(name), encoded(i.add(filter, uncompressed))}
	if properties != nil {
		metaindex = append(metaindex, property, encoded(i.add(rowBlock(properties...), uncompressed)))
	}
	return i.finish(rowBlock(metaindex...))
}

// encoded has room for what comes behind.
func encoded(h handle) []byte {
	b := binary.AppendUvarint(make([]byte, 0, handlesBytes), h.offset)
	return binary.AppendUvarint(b, h.size)
}

// rowBlock is a block of keys and values in turn.
func rowBlock(pairs ...[]byte) (block []byte) {
	for ; len(pairs) > 0; pairs = pairs[2:] {
		block = append(block, row(0, pairs[0], pairs[1])...)
	}
	return restarts(block, 1)
}

func row(shared int, unshared, value []byte) []byte {
	b := binary.AppendUvarint(nil, uint64(shared))
	b = binary.AppendUvarint(b, uint64(len(unshared)))
	b = binary.AppendUvarint(b, uint64(len(value)))
	return append(append(b, unshared...), value...)
}

func restarts(rows []byte, n uint32) []byte {
	rows = append(rows, make([]byte, 4*min(n, 1000))...)
	return binary.LittleEndian.AppendUint32(rows, n)
}

// open opens bytes.
func open(data []byte, options ...Option) (*Table, error) {
	return Open(bytes.NewReader(data), int64(len(data)), options...)
}

// read returns all that there is of a table.
func read(data []byte, options ...Option) (t *Table, filters []Filter, err error) {
	if t, err = open(data, options...); err != nil {
		return nil, nil, err
	}
	for filter, err := range t.Filters() {
		if err != nil {
			return nil, nil, err
		}
		filters = append(filters, filter)
	}
	return t, filters, nil
}

// testTable returns one of the tables that RocksDB wrote: see internal/test/modules/rocksdb.
func testTable(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

package table

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom"
)

// TestIngestedTable: a sequence number that RocksDB wrote over the properties is no corruption, and every other
// change of them is.
func TestIngestedTable(t *testing.T) {
	data := testTable(t, "ingested.sst")
	read := opened(t, data)
	for _, key := range tableKeys(10) {
		if may, err := read.MayContain(key); !may || err != nil {
			t.Errorf("%s: %v, %v", key, may, err)
		}
	}
	checkIngested(t, "RocksDB's", data)
}

// TestIngestedFormats has all checksums and versions, which RocksDB 7.8 does not write.
func TestIngestedFormats(t *testing.T) {
	for version := range mostRocksDB + 1 {
		for _, checksum := range checksums[1:] {
			if version == 0 && checksum != crc32c {
				continue
			}
			i := &image{format: Format{databaseRocksDB, version, checksum}, data: make([]byte, 10)}
			if i.format.contextual() {
				i.context = 0x1234567
			}
			h := i.add(rowBlock(
				[]byte("rocksdb.comparator"), []byte(bytewise),
				[]byte(globalSeqno), make([]byte, 8),
				[]byte("rocksdb.num.entries"), []byte{7},
			), uncompressed)
			data := i.finish(rowBlock(property, encoded(h)))
			data[bytes.Index(data, []byte(globalSeqno))+len(globalSeqno)+1] = 5
			if read := opened(t, data); read.Properties.NumEntries != 7 {
				t.Errorf("%v: %+v", i.format, read.Properties)
			}
			checkIngested(t, i.format.String(), data)
		}
	}
}

// checkIngested changes each byte of the properties.
func checkIngested(t *testing.T, what string, data []byte) {
	t.Helper()
	foot, err := readFooter(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	read := opened(t, data)
	meta, err := read.readMetaindex(foot)
	if err != nil {
		t.Fatal(err)
	}
	const last = "sst_file.global_seqno" // of the name, whose first bytes the row before may have
	h, at := *meta.properties, bytes.Index(data, []byte(last))+len(last)
	if bytes.Equal(data[at:at+8], make([]byte, 8)) {
		t.Fatalf("%s: no sequence number was written", what)
	}
	if err := read.blocks.verify(data[h.offset:h.end()], h, blockName{}); !errors.Is(err, simdbloom.ErrCorrupt) {
		t.Fatalf("%s: the checksum is right: %v", what, err)
	}
	accepted := 0
	for i := h.offset; i < h.end(); i++ {
		for _, change := range []byte{1, 0x80, 0xff} {
			changed := bytes.Clone(data)
			changed[i] ^= change
			_, err := open(changed)
			if err == nil {
				accepted++
			}
			if inside := int(i) >= at && int(i) < at+8; inside != (err == nil) || err != nil && !(errors.Is(err, simdbloom.ErrCorrupt) && strings.HasSuffix(err.Error(), " is recorded")) {
				t.Errorf("%s: byte %d of %d xor %#x: %v", what, i-h.offset, h.size, change, err)
			}
		}
	}
	if accepted != 3*8 {
		t.Errorf("%s: %d changes are accepted", what, accepted)
	}
}

// TestNotIngested: nothing but that property is tolerated, and only in RocksDB's tables.
func TestNotIngested(t *testing.T) {
	for what, c := range map[string]struct {
		format Format
		rows   []byte
	}{
		"another property": {rocksDB5, rowBlock([]byte(globalSeqno+"."), make([]byte, 8))},
		"a short value":    {rocksDB5, rowBlock([]byte(globalSeqno), make([]byte, 7))},
		"a long value":     {rocksDB5, rowBlock([]byte(globalSeqno), make([]byte, 9))},
		"no rows":          {rocksDB5, make([]byte, 50)},
		"Pebble":           {Format{databasePebble, 4, crc32c}, rowBlock([]byte(globalSeqno), make([]byte, 8))},
	} {
		data := withProperties(c.format, uncompressed, c.rows)
		at := 1 + bytes.Index(data[1:], make([]byte, 7))
		data[at+3] = 5
		if _, err := open(data); !errors.Is(err, simdbloom.ErrCorrupt) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// TestTolerances has what RocksDB and LevelDB accept, though none of their writers is known to write it.
func TestTolerances(t *testing.T) {
	metaindex := func(pairs ...[]byte) []byte {
		i := &image{format: rocksDB5, data: make([]byte, 50)}
		return i.finish(rowBlock(pairs...))
	}
	const builtinName = "rocksdb.BuiltinBloomFilter"
	full, builtin := []byte(fullFilter+builtinName), []byte(partitionedFilter+builtinName)
	for what, c := range map[string]struct {
		data       []byte
		layout     string
		filterName string
	}{
		"bytes behind a handle":       {metaindex(full, []byte{1, 1, 1}), layoutFull, builtinName},
		"a null handle":               {metaindex(full, []byte{0, 0}), layoutNone, ""},
		"null properties":             {metaindex(property, []byte{0, 0}), layoutNone, ""},
		"an unknown filter first":     {metaindex(filterName, []byte{1, 1}, full, []byte{1, 2}), layoutFull, builtinName},
		"an unknown filter last":      {metaindex(full, []byte{1, 2}, filterName, []byte{1, 1}), layoutFull, builtinName},
		"two kinds":                   {metaindex([]byte(blockBasedFilter+builtinName), []byte{1, 1}, full, []byte{1, 2}, builtin, []byte{0, 1}), layoutFull, builtinName},
		"two unknown filters":         {metaindex(filterName, []byte{1, 1}, []byte(fullFilter+"other"), []byte{1, 2}), layoutFull, "name"},
		"a number that is no varint":  {withProperties(rocksDB5, uncompressed, rowBlock([]byte("rocksdb.num.entries"), nil)), layoutNone, ""},
		"a number that is too long":   {withProperties(rocksDB5, uncompressed, rowBlock([]byte("rocksdb.num.entries"), bytes.Repeat([]byte{0xff}, 11))), layoutNone, ""},
		"bytes behind a number":       {withProperties(rocksDB5, uncompressed, rowBlock([]byte("rocksdb.num.entries"), []byte{0, 1})), layoutNone, ""},
		"properties in another order": {withProperties(rocksDB5, uncompressed, rowBlock([]byte("z"), nil, []byte("a"), nil)), layoutNone, ""},
	} {
		read, err := open(c.data)
		if err != nil || read.Layout != c.layout || read.FilterName != c.filterName || read.Properties.NumEntries != 0 {
			t.Errorf("%s: %+v, %v", what, read, err)
		}
	}
}

// TestIntolerances has what RocksDB accepts and this package does not. RocksDB ignores the compression of blocks that
// it does not compress: a filter that a fork did compress would answer "no" for its keys.
func TestIntolerances(t *testing.T) {
	for what, write := range map[string]func(i *image, h handle) []byte{
		"filter":     func(i *image, h handle) []byte { return i.finish(rowBlock(filterName, encoded(h))) },
		"properties": func(i *image, h handle) []byte { return i.finish(rowBlock(property, encoded(h))) },
		"metaindex":  func(i *image, h handle) []byte { return i.footer(h) },
	} {
		i := &image{format: rocksDB5, data: make([]byte, 1)}
		_, _, err := read(write(i, i.add(rowBlock(), compressedBySnappy)))
		if !errors.Is(err, ErrUnsupported) || !strings.Contains(err.Error(), what+" is compressed by Snappy") && !strings.Contains(err.Error(), what+": unsupported: compressed by Snappy") {
			t.Errorf("%s: %v", what, err)
		}
	}
	unchecked := withMetaindex(Format{databaseRocksDB, 5, noChecksum}, rowBlock())
	unchecked[slices.Index(unchecked, 1)+4+1] = 1 // as RocksDB since 6.20, which compares it with 0
	if _, err := open(unchecked); !errors.Is(err, simdbloom.ErrCorrupt) || !strings.Contains(err.Error(), "has no checksums") {
		t.Error(err)
	}
}

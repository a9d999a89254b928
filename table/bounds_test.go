package table

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
	"github.com/minio/minlz"
	"github.com/simdbloom/simdbloom"
)

// TestColumnsOfBytesAtTheirBounds: what is one byte, or one offset, too much is corrupt. The block begins with the
// width of the offsets.
func TestColumnsOfBytesAtTheirBounds(t *testing.T) {
	for what, c := range map[string]struct {
		block []byte
		rows  int
		want  []string // nil if the block is corrupt
	}{
		"sound":               {[]byte{1, 0, 1, 2, 'a', 'b'}, 2, []string{"a", "b"}},
		"no strings":          {[]byte{1, 2, 2, 2, 'a', 'b'}, 2, []string{"", ""}},
		"descends by 1":       {[]byte{1, 0, 2, 1, 'a', 'b'}, 2, nil},
		"first descends":      {[]byte{1, 1, 0, 2, 'a', 'b'}, 2, nil},
		"2 bytes, by 1":       {[]byte{2, 0, 0, 0, 2, 0, 1, 0, 'a', 'b'}, 2, nil},
		"4 bytes":             {[]byte{4, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 'a', 'b'}, 2, []string{"a", "b"}},
		"one byte too long":   {[]byte{1, 0, 1, 3, 'a', 'b'}, 2, nil},
		"one offset missing":  {[]byte{1, 0, 1}, 2, nil},
		"half an offset":      {[]byte{2, 0, 0, 0, 0, 0, 0}, 2, nil},
		"only offsets":        {[]byte{1, 0, 0, 0}, 2, []string{"", ""}},
		"no offsets":          {[]byte{0}, 2, []string{"", ""}},
		"offsets of 3 bytes":  {append([]byte{3}, make([]byte, 20)...), 2, nil},
		"offsets of 5 bytes":  {append([]byte{5}, make([]byte, 20)...), 2, nil},
		"begins at the end":   {nil, 2, nil},
		"nothing to be found": {nil, 0, []string{}},
	} {
		column, err := newBytesColumn(c.block, 0, c.rows)
		if c.want == nil {
			if !errors.Is(err, simdbloom.ErrCorrupt) {
				t.Errorf("%s: %v", what, err)
			}
			continue
		}
		got := []string{}
		for i := 0; err == nil && i < c.rows; i++ {
			got = append(got, string(column.at(i)))
		}
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, %v", what, got, err)
		}
	}
}

// TestColumnsOfNumbersAtTheirBounds: likewise.
func TestColumnsOfNumbersAtTheirBounds(t *testing.T) {
	for what, c := range map[string]struct {
		block []byte
		want  []uint64 // nil if the block is corrupt
	}{
		"1 byte":                 {[]byte{1, 7, 9}, []uint64{7, 9}},
		"one is missing":         {[]byte{1, 7}, nil},
		"2 bytes":                {[]byte{2, 0, 7, 1, 9, 0}, []uint64{263, 9}},
		"half is missing":        {[]byte{2, 0, 7, 1, 9}, nil},
		"equal":                  {[]byte{0x80, 5, 0, 0, 0, 0, 0, 0, 0}, []uint64{5, 5}},
		"half a base":            {[]byte{0x80, 5, 0, 0, 0, 0, 0, 0}, nil},
		"above a base":           {[]byte{0x81, 5, 0, 0, 0, 0, 0, 0, 0, 1, 2}, []uint64{6, 7}},
		"one above a base":       {[]byte{0x81, 5, 0, 0, 0, 0, 0, 0, 0, 1}, nil},
		"of 3 bytes":             {append([]byte{3}, make([]byte, 20)...), nil},
		"begins behind the end":  {nil, nil},
		"all zero, without more": {[]byte{0}, []uint64{0, 0}},
	} {
		column, err := newNumbersColumn(c.block, 0, 2)
		if c.want == nil {
			if !errors.Is(err, simdbloom.ErrCorrupt) {
				t.Errorf("%s: %v", what, err)
			}
		} else if err != nil || column.at(0) != c.want[0] || column.at(1) != c.want[1] {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// TestHeadersOfColumns: a block may end with its header, if it has no rows, and no sooner. Pairs have two columns.
func TestHeadersOfColumns(t *testing.T) {
	block := columns()
	for n := range block {
		_, rows, err := columnsIn(block[:n], 0, 2)
		if header := columnsHeaderBytes + 2*columnHeaderBytes; (err == nil) != (n >= header) || rows != 0 {
			t.Errorf("%d bytes: %d rows, %v", n, rows, err)
		}
	}
	three := slices.Insert(columns(), columnsHeaderBytes, columnOfBytes, 0, 0, 0, 0)
	three[1] = 3
	if _, err := columnarPairs(three); !errors.Is(err, simdbloom.ErrCorrupt) {
		t.Error(err)
	}
}

// TestKeysInColumns: keys have a prefix that all begin with, and one for each bundle of 2. A rest without bytes is that
// of the key before.
func TestKeysInColumns(t *testing.T) {
	block := []byte{0, 0, 0, 0, columnsVersion, 1, 0, 3, 0, 0, 0, columnOfPrefixes, 16, 0, 0, 0}
	block = append(block, 1, 1, 1, 1, 2, 2, 3, 3, 'k', 'a', 'b') // bundles, the width of offsets, these, and texts
	var got []string
	add := func(key []byte) error { got = append(got, string(key)); return nil }
	if err := columnarKeys(block, add); err != nil || !slices.Equal(got, []string{"ka", "ka", "kb"}) {
		t.Fatalf("%q, %v", got, err)
	}
	if err := columnarKeys(block, func([]byte) error { return errLongRow }); !errors.Is(err, errLongRow) {
		t.Error(err)
	}
	for at, value := range map[int]byte{4: 2, 5: 0, 11: columnOfBytes, 12: 200, 16: 17, 17: 3} {
		changed := bytes.Clone(block)
		changed[at] = value
		if err := columnarKeys(changed, add); !errors.Is(err, simdbloom.ErrCorrupt) && !errors.Is(err, ErrUnsupported) {
			t.Errorf("byte %d is %d: %v", at, value, err)
		}
	}
	for shift, corrupt := range map[byte]bool{16: false, 17: true} {
		if _, err := newPrefixColumn([]byte{shift, 0}, 0, 1); errors.Is(err, simdbloom.ErrCorrupt) != corrupt {
			t.Errorf("bundles of 2^%d: %v", shift, err)
		}
	}
}

// TestHandlesInColumns: an index in columns of another type, or that begin behind it, is corrupt. What is wrong with a
// handle is returned.
func TestHandlesInColumns(t *testing.T) {
	block := binary.LittleEndian.AppendUint16([]byte{columnsVersion}, 3)
	block = append(block, 1, 0, 0, 0) // rows
	const begin = columnsHeaderBytes + 3*columnHeaderBytes
	for i, kind := range []byte{columnOfBytes, columnOfNumbers, columnOfNumbers} { // separators, offsets, lengths
		block = append(block, kind, byte(begin+2*i), 0, 0, 0)
	}
	block = append(block, 0, 0, 1, 7, 1, 9)
	var got []handle
	add := func(h handle) error { got = append(got, h); return nil }
	if err := columnarHandles(block, add); err != nil || !slices.Equal(got, []handle{{7, 9}}) {
		t.Fatal(got, err)
	}
	if err := columnarHandles(block, func(handle) error { return errLongRow }); !errors.Is(err, errLongRow) {
		t.Error(err)
	}
	if err := columnarHandles(block[:begin-1], add); !errors.Is(err, simdbloom.ErrCorrupt) {
		t.Error(err)
	}
	for _, column := range []int{1, 2} {
		for field, value := range []byte{columnOfBytes, 200} { // the type, and where it begins
			changed := bytes.Clone(block)
			changed[columnsHeaderBytes+column*columnHeaderBytes+field] = value
			if err := columnarHandles(changed, add); !errors.Is(err, simdbloom.ErrCorrupt) {
				t.Errorf("field %d of column %d: %v", field, column, err)
			}
		}
	}
}

// TestMostRows: a block has no more rows than bytes, whatever its columns take, or a small file could take hours.
func TestMostRows(t *testing.T) {
	for more, corrupt := range []bool{false, true} {
		block := columns(nil, nil)
		binary.LittleEndian.PutUint32(block[3:], uint32(len(block)+more))
		_, rows, err := columnsIn(block, 0, 2)
		if errors.Is(err, simdbloom.ErrCorrupt) != corrupt || !corrupt && rows != len(block) {
			t.Errorf("%d rows in %d bytes: %d, %v", len(block)+more, len(block), rows, err)
		}
	}
}

// TestBlocksEndWithinTheFile: a block and its trailer do, to the byte.
func TestBlocksEndWithinTheFile(t *testing.T) {
	for _, c := range []struct {
		h      handle
		size   uint64
		within bool
	}{
		{handle{10, 20}, 35, true},
		{handle{10, 20}, 34, false},
		{handle{0, 0}, 5, true},
		{handle{0, 0}, 4, false},
		{handle{35, 0}, 35, false},
		{handle{36, 0}, 35, false},
		{handle{0, 36}, 35, false},
		{handle{1 << 63, 1 << 63}, 35, false},
		{handle{^uint64(0), 1}, 35, false},
	} {
		if c.h.within(c.size) != c.within {
			t.Errorf("%+v in %d bytes: %v", c.h, c.size, !c.within)
		}
	}
	for _, more := range []uint64{0, 1} {
		i := &image{format: levelDB, data: make([]byte, 100)}
		filters := i.add([]byte{0, 0, 0, 0, 11}, uncompressed)
		whole := uint64(len(i.finish(rowBlock([]byte("filter.name"), encoded(filters)))))

		// The file has the same size with this index, the only block of which ends with the file, or one byte behind
		// it.
		i = &image{format: levelDB, data: make([]byte, 100)}
		filters = i.add([]byte{0, 0, 0, 0, 11}, uncompressed)
		index := func(end uint64) []byte {
			return rowBlock(internal([]byte("a"), 7), encoded(handle{0, end - trailerBytes}))
		}
		size := whole + uint64(len(index(whole))) + trailerBytes
		i.index = i.add(index(size+more), uncompressed)
		data := i.finish(rowBlock([]byte("filter.name"), encoded(filters)))
		if uint64(len(data)) != size {
			t.Fatalf("%d bytes, want %d", len(data), size)
		}
		read := opened(t, data)
		_, err := read.readBlockFilters()
		_, _, err2 := read.dataHandles(*read.indexBlock, blockName{kind: kindIndex}, spareBytes, 0)
		for _, err := range []error{err, err2} {
			if more > 0 && (!errors.Is(err, simdbloom.ErrCorrupt) || !strings.Contains(err.Error(), "behind the file")) || more == 0 && err != nil {
				t.Errorf("a block that ends %d bytes behind the file: %v", more, err)
			}
		}
	}
}

// TestPartsShareTheirMemory: what the parts of an index take once decompressed, and what their keys do, is bounded for
// all of them together.
func TestPartsShareTheirMemory(t *testing.T) {
	const fits, size = 2, 30_000_000 // two parts of this size, and not three
	zstandard := withZstd(compressedByZstd, true)
	longKey := func(i int) []byte {
		return rowBlock(internal(bytes.Repeat([]byte{'k'}, size), 7), encoded(handle{offset: 5 * uint64(i)}))
	}
	manyRestarts := func(i int) []byte { // a block of that size with a short key
		rows := append(row(0, internal([]byte("k"), 7), encoded(handle{offset: 5 * uint64(i)})), make([]byte, size)...)
		return binary.LittleEndian.AppendUint32(rows, size/4)
	}
	for what, part := range map[string]func(i int) []byte{"long keys": longKey, "restarts": manyRestarts} {
		for _, n := range []int{fits, fits + 1} {
			var parts [][]byte
			for i := range n {
				part, _ := zstandard(part(i))
				if 1024*len(part) > 5_000_000 {
					t.Fatalf("%s: a part of %d bytes may take more", what, len(part))
				}
				parts = append(parts, part)
			}
			read := opened(t, withIndexParts(compressedByZstd, parts...))
			_, err := read.readBlockFilters()
			if (err == nil) != (n == fits) {
				t.Errorf("%s, %d parts: %v", what, n, err)
			}
			v := &verifier{table: read, found: new(Verification)}
			if blocks, err := v.dataBlocks(); err != nil || len(blocks) != fits || v.found.Unread != uint64(n-fits) {
				t.Errorf("%s, %d parts: %d blocks, %d unread, %v", what, n, len(blocks), v.found.Unread, err)
			}
		}
	}
}

// TestRecordedSizes: a block that decompresses to another size than the recorded one is corrupt.
func TestRecordedSizes(t *testing.T) {
	plain := bytes.Repeat([]byte("twelve bytes"), 10)
	encoder, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer encoder.Close()
	frame := encoder.EncodeAll(plain, nil)
	deflated, _ := withRawFlate(plain)
	for _, size := range []int{len(plain) - 1, len(plain), len(plain) + 1} {
		for what, decompressed := range map[string]func() ([]byte, error){
			"Pebble, Zstandard": func() ([]byte, error) {
				return decompress(append(number(uint64(size)), frame...), compressedByZstd, 1000)
			},
			"RocksDB, Zstandard": func() ([]byte, error) {
				return rocksDB5.decompressRows(append(number(uint64(size)), frame...), compressedByZstd, 1000)
			},
			"RocksDB, zlib": func() ([]byte, error) {
				return rocksDB5.decompressRows(append(number(uint64(size)), deflated...), compressedByZlib, 1000)
			},
			"MinLZ": func() ([]byte, error) {
				block, err := minlz.Encode(nil, plain, minlz.LevelFastest)
				if err != nil || block[0] != 0 || block[1] != byte(len(plain)) {
					t.Fatalf("%x, %v", block, err)
				}
				block[1] = byte(size)
				return decompress(block, compressedByMinLZ, 1000)
			},
			"Snappy": func() ([]byte, error) {
				block := snappy.Encode(nil, plain)
				block[0] = byte(size)
				return decompress(block, compressedBySnappy, 1000)
			},
		} {
			got, err := decompressed()
			if size == len(plain) && (err != nil || !bytes.Equal(got, plain)) || size != len(plain) && !errors.Is(err, simdbloom.ErrCorrupt) {
				t.Errorf("%s, %d bytes recorded: %d, %v", what, size, len(got), err)
			}
		}
	}
}

// TestReadMost: what does not record its size is decompressed to the limit, and no further.
func TestReadMost(t *testing.T) {
	const most = 100_000
	for _, size := range []int{most, most + 1} {
		check := func(f Format, block []byte, c compression) {
			plain, err := f.decompressRows(block, c, most)
			if size == most && (err != nil || len(plain) != size) || size > most && (!cannotRead(err) || !strings.Contains(err.Error(), "more bytes than")) {
				t.Errorf("%v, %d bytes, %v: %d, %v", f, size, c, len(plain), err)
			}
		}
		encoder, err := zstd.NewWriter(nil)
		if err != nil {
			t.Fatal(err)
		}
		check(levelDB, encoder.EncodeAll(make([]byte, size), nil), levelDB2)
		for _, compress := range []func([]byte) ([]byte, compression){withZlib, withRawFlate} {
			block, c := compress(make([]byte, size))
			check(levelDB, block, c)
		}
		deflated, _ := withRawFlate(make([]byte, size))
		check(Format{databaseRocksDB, 1, crc32c}, deflated, compressedByZlib)
	}
}

// TestMostData: a data block is decompressed to at most 64 MiB, and 1,024 times its size.
func TestMostData(t *testing.T) {
	for more, want := range []error{simdbloom.ErrCorrupt, ErrUnsupported} { // nonsense is found only once it may be decompressed
		const size = 10
		block := append(number(uint64(64<<20+1024*size+more)), make([]byte, size)...)[:size]
		if _, err := rocksDB5.decompressData(block, compressedByZstd, nil); !errors.Is(err, want) {
			t.Errorf("%d more: %v", more, err)
		}
	}
}

// TestVerifyWithoutTheFirstBlock: which keys a table has that no store wrote is told by the first data block that can
// be read.
func TestVerifyWithoutTheFirstBlock(t *testing.T) {
	data := testTable(t, "orders/leveldb-built.ldb")
	sound := verified(t, opened(t, data))
	blocks, err := (&verifier{table: opened(t, data), found: new(Verification)}).dataBlocks()
	if err != nil || len(blocks) < 2 || sound.NotVerified != "" {
		t.Fatal(len(blocks), sound.NotVerified, err)
	}
	data[blocks[0].offset+1] ^= 1
	v := verified(t, opened(t, data))
	if v.NotVerified != "" || v.Damaged != 1 || v.Missing != 0 || v.Keys == 0 || v.Keys >= sound.Keys {
		t.Errorf("%+v", v)
	}
}

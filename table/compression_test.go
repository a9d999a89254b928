package table

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/simdbloom/simdbloom"
)

// TestRocksDBsCompression has blocks that RocksDB compressed in each way: the index of the data, which
// block-based filters need, and the data.
func TestRocksDBsCompression(t *testing.T) {
	for name, c := range map[string]compression{
		"snappy": compressedBySnappy, "zlib": compressedByZlib, "bzip2": compressedByBzip2,
		"lz4": compressedByLZ4, "lz4hc": compressedByLZ4HC, "zstd": compressedByZstd,
	} {
		for _, version := range []int{1, 4} { // the size precedes the block since 2
			file := fmt.Sprintf("compressed/%s-%d.sst", name, version)
			table, err := open(testTable(t, file))
			if err != nil {
				t.Fatal(err)
			}
			index := indexOf(t, table)
			keys := 0
			for _, row := range index.rows {
				h := row.handle
				stored, compressed, err := table.blocks.read(h, blockName{})
				if err != nil || compressed != c {
					t.Fatalf("%s: data compressed by %v: %v", file, compressed, err)
				}
				block, err := table.Format.decompressRows(stored, compressed, 1<<16)
				if err != nil {
					t.Fatalf("%s: %v", file, err)
				}
				if c == compressedByZstd { // which RocksDB before 5.0 recorded as another
					if early, err := table.Format.decompressRows(stored, compressedByZstdNotFinal, 1<<16); err != nil || !bytes.Equal(early, block) {
						t.Fatalf("%s: %v", file, err)
					}
				}
				err = eachPair(block, false, func(key, _ []byte) error {
					if want := fmt.Appendf(nil, "key%05d", keys); !bytes.HasPrefix(key, want) {
						t.Fatalf("%s: %q, want %s", file, key, want)
					}
					keys++
					return nil
				})
				if err != nil {
					t.Fatalf("%s: %v", file, err)
				}
				checkCompressed(t, table.Format, stored, compressed, block)
			}
			if keys != 500 {
				t.Errorf("%s: %d keys", file, keys)
			}
		}
	}
}

// indexOf returns the index of a table's data, which must be compressed.
func indexOf(t *testing.T, table *Table) *index {
	t.Helper()
	foot, err := readFooter(table.blocks.file, int64(table.blocks.size))
	if err != nil {
		t.Fatal(err)
	}
	if _, compressed, err := table.blocks.read(*foot.index, blockName{}); err != nil || compressed == uncompressed {
		t.Fatalf("the index is compressed by %v: %v", compressed, err)
	}
	index, err := table.readIndex(*foot.index, blockName{kind: kindIndex})
	if err != nil {
		t.Fatal(err)
	}
	return index
}

// checkCompressed changes a block: no bytes make decompressing panic, or take more memory than is
// allowed.
func checkCompressed(t *testing.T, f Format, stored []byte, c compression, plain []byte) {
	t.Helper()
	if _, err := f.decompressRows(stored, c, len(plain)-1); err == nil {
		t.Errorf("%v: more bytes than are allowed", c)
	}
	for n := range stored {
		if testing.Short() && n%13 > 0 && n < len(stored)-40 {
			continue
		}
		if got, err := f.decompressRows(stored[:n], c, math.MaxInt32); err == nil && bytes.Equal(got, plain) {
			t.Errorf("%v: %d of %d bytes are enough", c, n, len(stored))
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		changed := bytes.Clone(stored)
		changed[random.IntN(len(changed))] ^= byte(1 + random.IntN(255))
		if got, err := f.decompressRows(changed, c, 1<<12); err == nil && len(got) > 1<<12 {
			t.Errorf("%v: %d bytes", c, len(got))
		}
	}
}

// TestLZ4 has sequences that RocksDB's blocks of the same tables lack.
func TestLZ4(t *testing.T) {
	long := append([]byte{0xf0, 255, 10}, bytes.Repeat([]byte{'x'}, 15+255+10)...)
	for _, c := range []struct {
		block string
		size  int
		want  string // an error if it is empty
	}{
		{"\x10a", 1, "a"},
		{"\x11a\x01\x00\x10b", 7, "aaaaaab"},
		{"\x2fab\x02\x00\x04\x10c", 26, "abababababababababababababab"[:25] + "c"},
		{string(long), 280, string(long[3:])},
		{"\x10a", 0, ""},
		{"\x20a", 2, ""},
		{"\x10a\x01", 9, ""},
		{"\x10a\x00\x00", 9, ""},
		{"\x10a\x02\x00", 9, ""},
		{"\x10a\x01\x00", 4, ""},
		{"\x10a\x01\x00", 5, "aaaaa"}, // without literals at the end
		{"\xf0", 99, ""},
		{"\xf0\xff", 999, ""},
		{"\x1fa\x01\x00\xff", 999, ""},
	} {
		got, err := lz4Block([]byte(c.block), c.size, nil)
		if (err == nil) != (c.want != "") || err == nil && string(got) != c.want {
			t.Errorf("%q: %q, %v", c.block, got, err)
		}
	}
}

// TestLZ4OfFirstVersions: a block of format_version 1 begins with the size, in 8 bytes.
func TestLZ4OfFirstVersions(t *testing.T) {
	for n := range 10 {
		plain, err := Format{databaseRocksDB, 1, crc32c}.decompressRows(append(make([]byte, min(n, 8)), 0x10, 'a')[:n], compressedByLZ4, 10)
		if corrupt := n != 8; errors.Is(err, simdbloom.ErrCorrupt) != corrupt || len(plain) > 0 {
			t.Errorf("%d bytes: %x, %v", n, plain, err)
		}
	}
}

// TestLongLZ4 has a length that an int of 32 bits does not hold.
func TestLongLZ4(t *testing.T) {
	block := append(bytes.Repeat([]byte{0xff}, 1<<31/255+2), 0)
	if _, err := lz4Block(block, 999, nil); err == nil {
		t.Error("no error")
	}
}

// TestUnknownCompression has kinds that RocksDB's blocks do not have here.
func TestUnknownCompression(t *testing.T) {
	for _, version := range []int{1, 2} {
		f := Format{databaseRocksDB, version, crc32c}
		for _, c := range []compression{6, compressedByMinLZ, 99} {
			if _, err := f.decompressRows([]byte{1, 1}, c, 10); !errors.Is(err, ErrUnsupported) {
				t.Errorf("%v: %v", c, err)
			}
		}
	}
	great := binary.AppendUvarint(nil, 1<<62)
	for _, c := range []compression{compressedByZlib, compressedByBzip2, compressedByLZ4, compressedByZstd} {
		if _, err := (Format{databaseRocksDB, 2, crc32c}).decompressRows(great, c, 1<<20); !errors.Is(err, ErrUnsupported) {
			t.Errorf("%v: %v", c, err)
		}
		if _, err := (Format{databaseRocksDB, 2, crc32c}).decompressRows(nil, c, 1<<20); !errors.Is(err, simdbloom.ErrCorrupt) {
			t.Errorf("%v: %v", c, err)
		}
	}
}

// TestZstandardPanics has a frame on which klauspost/compress before v1.20.2 panics.
func TestZstandardPanics(t *testing.T) {
	frame, err := hex.DecodeString("28b52ffd00209c000012c0030d1a00000090affaff03ffffff7f01001d010042c0071c1a00e0ff1f0fb19c5acf4de41d7bab995e0151a473d8b1f3394b67f6808100")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range []Format{{Database: databaseRocksDB, Version: 5}, {Database: databasePebble}, {Database: databaseLevelDB}} {
		block, c := append([]byte{100}, frame...), compressedByZstd // the size comes first
		if f.Database == databaseLevelDB {
			block, c = frame, levelDB2
		}
		plain, err := f.decompressRows(block, c, 1<<20)
		if f.Database == databasePebble {
			plain, err = decompress(block, c, 1<<20)
		}
		if !errors.Is(err, simdbloom.ErrCorrupt) {
			t.Errorf("%v: %x, %v", f, plain, err)
		}
	}
}

// TestZstandardWindows: a frame's window, which is the encoder's, may be larger than all that is decompressed.
func TestZstandardWindows(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, size := range []int{0, 1, 100, 1023, 1024, 5000, 131_073} {
		plain := make([]byte, size)
		for i := range plain {
			plain[i] = byte(random.Uint32()) & 15
		}
		copy(plain[size/2:], plain[:size/2]) // matches as far back as possible
		for _, window := range []int{zstd.MinWindowSize, 1 << 20, 8 << 20} {
			encoder, err := zstd.NewWriter(nil, zstd.WithWindowSize(window), zstd.WithSingleSegment(false))
			if err != nil {
				t.Fatal(err)
			}
			frame := encoder.EncodeAll(plain, nil)
			for _, most := range []int{size, size + 1, 1_000_000} {
				before := bytes.Clone(frame)
				if got, err := zstdFrame(frame, most, nil); err != nil || !bytes.Equal(got, plain) || !bytes.Equal(frame, before) {
					t.Errorf("%d bytes, a window of %d, at most %d: %d bytes, %v", size, window, most, len(got), err)
				}
			}
			if got, err := zstdFrame(frame, size-1, nil); err == nil && size > zstd.MinWindowSize {
				t.Errorf("%d bytes, a window of %d: %d bytes instead of at most %d", size, window, len(got), size-1)
			}
			encoder.Close()
		}
	}
}

// TestBashoLZ4HasALimit, and refuses no block of that size.
func TestBashoLZ4HasALimit(t *testing.T) {
	for _, n := range []int{999, 1000, 1001, 5000} {
		block, _ := withBashoLZ4(make([]byte, n))
		if plain, err := bashoLZ4(block, 1000); (err == nil) != (n <= 1000) || err == nil && len(plain) != n {
			t.Errorf("%d bytes of at most 1000: %d, %v", n, len(plain), err)
		}
	}
	for n := range 5 { // too few for a size, and one of no bytes
		if plain, err := levelDB.decompressRows(make([]byte, n), levelDB2, 1000); errors.Is(err, ErrUnsupported) != (n < 4) || n == 4 && err != nil {
			t.Errorf("a block of %d bytes: %x, %v", n, plain, err)
		}
	}
}

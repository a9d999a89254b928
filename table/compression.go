package table

import (
	"bytes"
	"compress/bzip2"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"math/bits"
	"slices"

	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
	"github.com/minio/minlz"
)

// compression is how a block is compressed: RocksDB's CompressionType, which Pebble
// shares, and MinLZ, which only Pebble has.
type compression uint8

const (
	uncompressed       compression = 0
	compressedBySnappy compression = 1
	compressedByZlib   compression = 2
	compressedByBzip2  compression = 3
	compressedByLZ4    compression = 4
	compressedByLZ4HC  compression = 5 // which differs only in the effort of the compressor
	compressedByZstd   compression = 7
	compressedByMinLZ  compression = 8

	compressedByZstdNotFinal compression = 0x40 // Zstandard's in RocksDB before 5.0, which has the same format
)

var compressionNames = [...]string{"nothing", "Snappy", "zlib", "bzip2", "LZ4", "LZ4HC", "XPRESS", "Zstandard", "MinLZ"}

func (c compression) String() string {
	if int(c) < len(compressionNames) {
		return compressionNames[c]
	}
	return fmt.Sprintf("compression %#x", uint8(c))
}

// nameOf returns the name of a compression. LevelDB's forks do not agree about them, and its tables have the magic
// number of RocksDB's first.
func (f Format) nameOf(c compression) string {
	if f.Database == databaseLevelDB || f.legacyMagic() {
		return fmt.Sprintf("compression %d of LevelDB's", uint8(c))
	}
	return c.String()
}

// mostProperties is the largest size to which properties are decompressed: far more than they
// have.
const mostProperties = 1 << 20

// spareBytes are allowed for a block of any size.
const spareBytes = 64 << 20

// explained is the largest size to which a block of data or an index of the given size is decompressed: values of
// zeros, and long keys that differ little, may be as large. The parts of an index share the spare bytes.
func explained(stored, spare int) int {
	return int(min(uint64(spare)+1024*uint64(stored), math.MaxInt))
}

// decompressRows returns a block of rows that a database compressed: at most the given number of bytes.
func (f Format) decompressRows(block []byte, c compression, most int) ([]byte, error) {
	switch {
	case c == uncompressed || c == compressedBySnappy:
		return decompress(block, c, most)
	case f.Database == databaseRocksDB:
		return f.decompressRocksDB(block, c, nil, most)
	case f.Database == databaseLevelDB:
		return f.decompressLevelDB(block, c, most)
	}
	return decompress(block, c, most)
}

// decompressData returns a data block, for which RocksDB may have a dictionary.
func (f Format) decompressData(block []byte, c compression, dictionary []byte) ([]byte, error) {
	most := explained(len(block), spareBytes)
	if f.Database == databaseRocksDB && c != uncompressed && c != compressedBySnappy {
		return f.decompressRocksDB(block, c, dictionary, most)
	}
	return f.decompressRows(block, c, most)
}

// decompressRocksDB decompresses RocksDB's blocks, but not Snappy (util/compression.h). Since
// format_version 2 the size comes first. Before, that of Zstandard does, and that of LZ4 in
// another way. bzip2 has no dictionary.
func (f Format) decompressRocksDB(block []byte, c compression, dictionary []byte, most int) (plain []byte, err error) {
	size, n, recorded := uint64(0), 0, true
	switch c {
	case compressedByZstdNotFinal:
		c = compressedByZstd
	case compressedByZlib, compressedByBzip2, compressedByLZ4, compressedByLZ4HC, compressedByZstd:
	default:
		return nil, unsupported("compressed by %v", c)
	}
	switch lz4 := c == compressedByLZ4 || c == compressedByLZ4HC; {
	case f.Version >= 2 || c == compressedByZstd:
		size, n = binary.Uvarint(block)
	case lz4 && len(block) >= 8:
		size, n = uint64(binary.LittleEndian.Uint32(block)), 8
	default:
		recorded = lz4 // which is missing; zlib and bzip2 end by themselves
	}
	if recorded && n <= 0 {
		return nil, corrupt("decompressing %v: the size is missing", c)
	}
	if size > uint64(most) {
		return nil, unsupported("%d bytes, compressed by %v (at most %d are decompressed)", size, c, most)
	}
	stored := block[n:]
	switch c {
	case compressedByZlib: // without zlib's header
		plain, err = readMost(flate.NewReaderDict(bytes.NewReader(stored), dictionary), most)
	case compressedByBzip2:
		plain, err = readMost(bzip2.NewReader(bytes.NewReader(stored)), most)
	case compressedByZstd:
		plain, err = zstdFrame(stored, most, dictionary)
	default:
		plain, err = lz4Block(stored, int(size), dictionary)
	}
	if err == nil && recorded && uint64(len(plain)) != size {
		err = fmt.Errorf("%d bytes, but %d are recorded", len(plain), size)
	}
	if err == nil || !recorded && errors.Is(err, errTooGreat) {
		return plain, err
	}
	return nil, corrupt("decompressing %v: %v", c, err)
}

// errTooGreat is about a block that records no size, and has more than is decompressed.
var errTooGreat = unsupported("more bytes than are decompressed")

// readMost reads all of r, at most the given number of bytes.
func readMost(r io.Reader, most int) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, int64(most)+1))
	if err == nil && len(data) > most {
		return nil, errTooGreat
	}
	return data, err
}

// decompress decompresses Pebble's blocks (internal/compression): at most the given number
// of bytes.
func decompress(block []byte, c compression, most int) ([]byte, error) {
	size, err := uncompressedSize(block, c)
	if err != nil {
		return nil, err
	}
	if c != uncompressed && size > uint64(most) {
		return nil, unsupported("%d bytes, compressed by %v (at most %d are decompressed)", size, c, most)
	}
	var plain []byte
	switch c {
	case uncompressed:
		return block, nil
	case compressedBySnappy:
		plain, err = snappy.Decode(nil, block)
	case compressedByMinLZ:
		plain, err = minlz.Decode(nil, block)
	case compressedByZstd:
		_, n := binary.Uvarint(block)
		plain, err = zstdFrame(block[n:], most, nil)
	}
	if err == nil && uint64(len(plain)) != size {
		err = fmt.Errorf("%d bytes, but %d are recorded", len(plain), size)
	}
	if err != nil {
		return nil, corrupt("decompressing %v: %v", c, err)
	}
	return plain, nil
}

func uncompressedSize(block []byte, c compression) (size uint64, err error) {
	var n int
	switch c {
	case uncompressed:
	case compressedBySnappy:
		n, err = snappy.DecodedLen(block)
		size = uint64(n)
	case compressedByMinLZ:
		n, err = minlz.DecodedLen(block)
		size = uint64(n)
	case compressedByZstd:
		if size, n = binary.Uvarint(block); n <= 0 {
			err = errors.New("the size is missing")
		}
	default:
		return 0, unsupported("compressed by %v", c)
	}
	if err != nil {
		return 0, corrupt("decompressing %v: %v", c, err)
	}
	return size, nil
}

// trainedMagic begins dictionaries of "zstd --train". Any other bytes are one, too.
var trainedMagic = []byte{0x37, 0xa4, 0x30, 0xec}

// zstdFrame decompresses a frame, to at most the given number of bytes. The decoder panics on some
// frames (GO-2026-6865; the first version without that needs a newer Go), which is an error here.
func zstdFrame(frame []byte, most int, dictionary []byte) (plain []byte, err error) {
	defer func() {
		if panicked := recover(); panicked != nil {
			plain, err = nil, fmt.Errorf("the decoder panicked: %v", panicked)
		}
	}()
	most = max(most, zstd.MinWindowSize)
	options := []zstd.DOption{zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(2 * uint64(most))}
	switch {
	case bytes.HasPrefix(dictionary, trainedMagic):
		options = append(options, zstd.WithDecoderDicts(dictionary))
	case len(dictionary) > 0:
		options = append(options, zstd.WithDecoderDictRaw(0, dictionary))
	}
	decoder, err := zstd.NewReader(nil, options...)
	if err != nil {
		return nil, err
	}
	defer decoder.Close()
	plain, err = decoder.DecodeAll(withWindow(frame, most), nil)
	if err == nil && len(plain) > most || errors.Is(err, zstd.ErrDecoderSizeExceeded) {
		return nil, errTooGreat
	}
	return plain, err
}

// withWindow returns a frame with a smaller window, the least power of 2 that has room for the given number of bytes,
// if its own is larger: the decoder refuses windows that do not fit in its memory, although of a short frame it needs
// no more than the contents. Pebble without cgo writes windows of 4 MiB and more.
func withWindow(frame []byte, size int) []byte {
	var h zstd.Header
	if err := h.Decode(frame); err != nil || h.Skippable || h.SingleSegment || h.WindowSize <= uint64(size) {
		return frame
	}
	const atWindow = 5 // behind the magic number and the descriptor of the frame
	frame = slices.Clone(frame)
	frame[atWindow] = byte(bits.Len(uint(size-1))-leastWindowLog) << 3
	return frame
}

const leastWindowLog = 10 // of MinWindowSize

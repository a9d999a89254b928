package table

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

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
	levelDBZstd        compression = 2 // LevelDB's, where RocksDB has zlib
	compressedByZstd   compression = 7
	compressedByMinLZ  compression = 8
)

var compressionNames = [...]string{"nothing", "Snappy", "zlib", "bzip2", "LZ4", "LZ4HC", "XPRESS", "Zstandard", "MinLZ"}

func (c compression) String() string {
	if int(c) < len(compressionNames) {
		return compressionNames[c]
	}
	return fmt.Sprintf("compression %#x", uint8(c))
}

// mostProperties is the largest size to which properties are decompressed: far more than they
// have.
const mostProperties = 1 << 20

// spareBytes are what an index may take whatever its size is.
const spareBytes = 1 << 20

// explained is the largest size to which an index of the given size is decompressed, and that its
// keys may have: far more than real ones need. The parts of an index share what is spare.
func explained(stored, spare int) int {
	return int(min(uint64(spare)+64*uint64(stored), math.MaxInt))
}

// decompressRows returns what LevelDB, or RocksDB before version 7, compressed: at most the
// given number of bytes.
func (f Format) decompressRows(block []byte, c compression, most int) (plain []byte, err error) {
	switch {
	case c == uncompressed || c == compressedBySnappy:
		return decompress(block, c, most)
	case c == levelDBZstd && f.Database == LevelDB:
		plain, err = zstdFrame(block, most)
	case c == compressedByZstd && f.Database == RocksDB:
		// Since format_version 2 a frame follows its size, as in Pebble.
		if f.Version >= 2 {
			return decompress(block, c, most)
		}
		plain, err = zstdFrame(block, most)
	default:
		return nil, unsupported("compressed by %v", c)
	}
	if err != nil {
		return nil, corrupt("decompressing Zstandard: %v", err)
	}
	return plain, nil
}

// decompress returns what Pebble compressed (internal/compression): at most the given number
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
		plain, err = zstdFrame(block[n:], most)
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

// zstdFrame decompresses a frame, to at most the given number of bytes.
func zstdFrame(frame []byte, most int) ([]byte, error) {
	decoder, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(uint64(most)))
	if err != nil {
		return nil, err
	}
	defer decoder.Close()
	return decoder.DecodeAll(frame, nil)
}

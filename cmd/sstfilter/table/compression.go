package table

import (
	"encoding/binary"
	"errors"
	"fmt"

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

// mostUncompressed is the largest size to which a block is decompressed: far more than
// properties have.
const mostUncompressed = 1 << 20

// decompress returns what Pebble compressed (internal/compression).
func decompress(block []byte, c compression) ([]byte, error) {
	size, err := uncompressedSize(block, c)
	if err != nil {
		return nil, err
	}
	if size > mostUncompressed {
		return nil, unsupported("%d bytes, compressed by %v (at most %d are decompressed)", size, c, mostUncompressed)
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
		plain, err = decompressZstd(block)
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

// decompressZstd decompresses a frame that follows its size.
func decompressZstd(block []byte) ([]byte, error) {
	decoder, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(mostUncompressed))
	if err != nil {
		return nil, err
	}
	defer decoder.Close()
	_, n := binary.Uvarint(block)
	return decoder.DecodeAll(block[n:], nil)
}

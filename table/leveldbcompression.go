package table

import (
	"bytes"
	"compress/flate"
	"compress/zlib"
	"encoding/binary"
	"errors"
)

// The compressions of LevelDB and of its forks, apart from Snappy. Nothing in a table tells which of them wrote it.
const (
	levelDB2       compression = 2 // Zstandard since LevelDB 1.23, zlib in Mojang's, and LZ4 in Basho's
	mojangZstd     compression = 3
	mojangRawFlate compression = 4 // without zlib's header
)

// zstdMagic begins frames of Zstandard.
var zstdMagic = []byte{0x28, 0xb5, 0x2f, 0xfd}

// decompressLevelDB decompresses blocks of LevelDB or one of its forks, but not Snappy.
func (f Format) decompressLevelDB(block []byte, c compression, most int) (plain []byte, err error) {
	name := "Zstandard"
	switch {
	case c == mojangZstd || c == levelDB2 && bytes.HasPrefix(block, zstdMagic):
		plain, err = zstdFrame(block, most, nil)
	case c == levelDB2:
		name = "zlib or LZ4"
		if plain, err = zlibOf(block, most); err != nil { // its own checksum is right by accident in 1 of 2^32
			var lz4 error
			if plain, lz4 = bashoLZ4(block, most); lz4 == nil {
				err = nil
			}
		}
	case c == mojangRawFlate:
		name = "deflate"
		plain, err = readMost(flate.NewReader(bytes.NewReader(block)), most)
	default:
		return nil, unsupported("compressed by %s", f.nameOf(c))
	}
	switch {
	case err == nil:
		return plain, nil
	case bytes.HasPrefix(block, zstdMagic) && !errors.Is(err, errTooGreat):
		return nil, corrupt("decompressing %s: %v", name, err)
	}
	// Another fork may have written it, with an unknown compression.
	return nil, unsupported("decompressing %s, or what %s is: %v", name, f.nameOf(c), err)
}

func zlibOf(block []byte, most int) ([]byte, error) {
	r, err := zlib.NewReader(bytes.NewReader(block))
	if err != nil {
		return nil, err
	}
	return readMost(r, most)
}

// bashoLZ4 decompresses a block of Basho's LevelDB: the size, and an LZ4 block.
func bashoLZ4(block []byte, most int) ([]byte, error) {
	const sizeBytes = 4
	if len(block) < sizeBytes {
		return nil, errLZ4
	}
	size := binary.LittleEndian.Uint32(block)
	if uint64(size) > uint64(most) {
		return nil, errLZ4
	}
	plain, err := lz4Block(block[sizeBytes:], int(size), nil)
	if err == nil && uint32(len(plain)) != size {
		err = errors.New("another size than is recorded")
	}
	return plain, err
}

package table

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"unicode/utf8"
)

// The last eight bytes of a table, little-endian.
const (
	magicRocksDB = 0x88e241b785f4cff7
	magicLegacy  = 0xdb4775248b80fb57 // RocksDB's format_version 0, and LevelDB's
	magicPebble  = 0xb3aa9ff0b3aa9ff0 // two cockroaches in UTF-8

	magicPlain       = 0x8242229663bf9564
	magicPlainLegacy = 0x4f3418eb7a8f13b8
	magicCuckoo      = 0x926789d0c5f17873
)

// A footer has, in order: the checksum type (except in format_version 0), two handles and
// padding, attributes in Pebble's v7, a checksum since Pebble's v6, the version (except in
// format_version 0), and the magic number.
const (
	handlesBytes = 2 * 2 * binary.MaxVarintLen64
	magicBytes   = 8

	legacyFooterBytes   = handlesBytes + magicBytes
	footerBytes         = 1 + handlesBytes + 4 + magicBytes
	pebbleV6FooterBytes = footerBytes + 4
	pebbleV7FooterBytes = footerBytes + 8
)

// footer is a footer's content.
type footer struct {
	format    Format
	metaindex handle
	index     *handle // nil where the metaindex has it, or if it is not a handle
	context   uint32  // of the checksums, or 0 if the format has none
}

// readFooter reads and checks the footer.
func readFooter(file io.ReaderAt, size int64) (footer, error) {
	if size == 0 {
		return footer{}, cutShort("the file is empty")
	}
	if size < legacyFooterBytes {
		return footer{}, cutShort("%d bytes are too few", size)
	}
	tail := make([]byte, min(size, pebbleV7FooterBytes))
	if err := readBlock(file, tail, Block{kindFooter, uint64(size) - uint64(len(tail)), uint64(len(tail))}); err != nil {
		return footer{}, err
	}
	format, length, err := identify(tail)
	if err != nil {
		return footer{}, err
	}
	if len(tail) < length {
		return footer{}, corrupt("%d bytes, too few for the footer of a table of %v", size, format.Database)
	}
	foot := tail[len(tail)-length:]
	handles := foot
	format.Checksum = crc32c
	if !format.legacyMagic() {
		if int(foot[0]) >= len(checksums) {
			return footer{}, unsupported("type of checksum %d (0 to %d are known)", foot[0], len(checksums)-1)
		}
		format.Checksum = checksums[foot[0]]
		handles = foot[1:]
	}
	switch {
	case format.contextual():
		return readContextual(format, foot, uint64(size)-uint64(length))
	case format.columnarMetaindex():
		if err := verifyPebble(format, foot); err != nil {
			return footer{}, err
		}
	}
	metaindex, n := decodeHandle(handles[:handlesBytes])
	if n == 0 {
		return footer{}, corrupt("the footer's handle of the metaindex is not two varints")
	}
	f := footer{format: format, metaindex: metaindex}
	if index, m := decodeHandle(handles[n:handlesBytes]); m > 0 {
		f.index = &index
	}
	return f, nil
}

// identify returns the format, without the checksum type, and the length of its footer,
// from the last bytes of a file.
func identify(tail []byte) (Format, int, error) {
	magic := binary.LittleEndian.Uint64(tail[len(tail)-magicBytes:])
	version := binary.LittleEndian.Uint32(tail[len(tail)-magicBytes-4:])
	switch magic {
	case magicLegacy:
		return Format{Database: databaseRocksDB}, legacyFooterBytes, nil
	case magicRocksDB:
		if version < 1 || version > mostRocksDB {
			return Format{}, 0, unsupported("a RocksDB table of format_version %d (1 to %d are known)", version, mostRocksDB)
		}
		return Format{Database: databaseRocksDB, Version: int(version)}, footerBytes, nil
	case magicPebble:
		format := Format{Database: databasePebble, Version: int(version)}
		switch {
		case version < 1 || version > mostPebble:
			return Format{}, 0, unsupported("a Pebble table v%d (v1 to v%d are known)", version, mostPebble)
		case version == 6:
			return format, pebbleV6FooterBytes, nil
		case version == 7:
			return format, pebbleV7FooterBytes, nil
		}
		return format, footerBytes, nil
	case magicPlain, magicPlainLegacy:
		return Format{}, 0, unsupported("a RocksDB table of the plain format, whose Bloom filter is of another kind")
	case magicCuckoo:
		return Format{}, 0, unsupported("a RocksDB table of the cuckoo format, which has no filter")
	}
	if utf8.Valid(tail) && !bytes.ContainsFunc(tail, func(r rune) bool { return r < ' ' && r != '\n' && r != '\r' && r != '\t' }) {
		return Format{}, 0, cutShort("the file ends in text")
	}
	return Format{}, 0, cutShort("the last 8 bytes, %x, are not the magic number of a known table format", tail[len(tail)-magicBytes:])
}

// cutShort is the error about a file that does not end as a table does. Nothing at its beginning tells
// a table that was cut short from other files.
func cutShort(format string, args ...any) error {
	return unsupported("cut short, or not a table: %s", fmt.Sprintf(format, args...))
}

// readContextual reads a footer of format_version 6 or later, which begins at the given
// offset of the file. After the checksum type it has four fixed bytes, the footer's
// checksum, the checksums' context, the length of the metaindex, which ends where the
// footer begins, 16 bytes that are ignored, and 8 that must be zero.
func readContextual(format Format, foot []byte, begin uint64) (footer, error) {
	const (
		extendedMagic = 1
		sum           = 5
		context       = 9
		metaindexSize = 13
		reserved      = 33
	)
	if !bytes.Equal(foot[extendedMagic:sum], []byte{0x3e, 0, 0x7a, 0}) {
		return footer{}, corrupt("the footer lacks the extended magic number of format_version %d", format.Version)
	}
	f := footer{format: format, context: binary.LittleEndian.Uint32(foot[context:])}
	if f.context == 0 {
		return footer{}, corrupt("the footer has no context for checksums")
	}
	without := bytes.Clone(foot)
	clear(without[sum:context])
	if err := checksum(format.Checksum).verify(without, binary.LittleEndian.Uint32(foot[sum:])-modifier(f.context, begin)); err != nil {
		return footer{}, fmt.Errorf("the footer: %w", err)
	}
	if binary.LittleEndian.Uint64(foot[reserved:]) != 0 {
		return footer{}, unsupported("the footer requires a newer RocksDB")
	}
	size := uint64(binary.LittleEndian.Uint32(foot[metaindexSize:]))
	if begin < size+trailerBytes {
		return footer{}, corrupt("a metaindex of %d bytes, longer than the file", size)
	}
	f.metaindex = handle{begin - size - trailerBytes, size}
	return f, nil
}

// verifyPebble verifies the checksum of a footer of Pebble's v6 or v7, which is
// always crc32c and covers the rest of the footer.
func verifyPebble(format Format, foot []byte) error {
	at := len(foot) - magicBytes - 4 - 4
	covered := append(bytes.Clone(foot[:at]), foot[at+4:]...)
	if err := checksum(crc32c).verify(covered, binary.LittleEndian.Uint32(foot[at:])); err != nil {
		return fmt.Errorf("the footer of a Pebble table v%d: %w", format.Version, err)
	}
	return nil
}

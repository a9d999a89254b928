package table

import (
	"encoding/binary"
	"iter"
)

// Pebble's columnar blocks (sstable/colblk) have a version, the number of columns
// and of rows, a type and an offset for each column, and the columns.
const (
	columnsHeaderBytes = 1 + 2 + 4
	columnHeaderBytes  = 1 + 4
	columnsVersion     = 1
	columnOfBytes      = 3
)

// columnarPairs returns the keys and values of a columnar block of two columns of
// bytes, after checking all of it.
func columnarPairs(block []byte) (iter.Seq2[[]byte, []byte], error) {
	const columns = 2
	if len(block) < columnsHeaderBytes+columns*columnHeaderBytes {
		return nil, corrupt("a columnar block of %d bytes, too short for its header", len(block))
	}
	if block[0] != columnsVersion {
		return nil, unsupported("a columnar block of version %d (%d is known)", block[0], columnsVersion)
	}
	if n := binary.LittleEndian.Uint16(block[1:]); n != columns {
		return nil, corrupt("a columnar block of %d columns instead of %d, keys and values", n, columns)
	}
	count := binary.LittleEndian.Uint32(block[3:])
	if uint64(count) > uint64(len(block)) {
		return nil, corrupt("a columnar block of %d bytes with %d rows", len(block), count)
	}
	var found [columns]bytesColumn
	for i := range found {
		header := block[columnsHeaderBytes+i*columnHeaderBytes:]
		if header[0] != columnOfBytes {
			return nil, corrupt("column %d has type %d instead of %d, bytes", i, header[0], columnOfBytes)
		}
		var err error
		if found[i], err = newBytesColumn(block, binary.LittleEndian.Uint32(header[1:]), int(count)); err != nil {
			return nil, err
		}
	}
	return func(yield func(key, value []byte) bool) {
		for i := range int(count) {
			if !yield(found[0].at(i), found[1].at(i)) {
				return
			}
		}
	}, nil
}

// bytesColumn is a column of byte strings: their offsets, and one more, and then the
// strings.
type bytesColumn struct {
	offsets []byte
	width   int // of an offset: 0 if all are zero, 1, 2 or 4
	data    []byte
}

func newBytesColumn(block []byte, begin uint32, count int) (bytesColumn, error) {
	if count == 0 {
		return bytesColumn{}, nil
	}
	if uint64(begin) >= uint64(len(block)) {
		return bytesColumn{}, corrupt("a column that begins at %d of %d bytes", begin, len(block))
	}
	width := int(block[begin])
	if width > 4 || width == 3 {
		return bytesColumn{}, corrupt("a column whose offsets have encoding %d, not 0, 1, 2 or 4", width)
	}
	at := int(begin) + 1
	if width > 1 {
		at = (at + width - 1) &^ (width - 1)
	}
	size := uint64(count+1) * uint64(width)
	if uint64(at)+size > uint64(len(block)) {
		return bytesColumn{}, corrupt("a column with more offsets than its block has room for")
	}
	c := bytesColumn{block[at : at+int(size)], width, block[at+int(size):]}
	for i := range count {
		if c.offset(i) > c.offset(i+1) {
			return bytesColumn{}, corrupt("a column whose offsets do not ascend")
		}
	}
	if c.offset(count) > uint64(len(c.data)) {
		return bytesColumn{}, corrupt("a column that is longer than its block")
	}
	return c, nil
}

func (c *bytesColumn) offset(i int) uint64 {
	switch c.width {
	case 1:
		return uint64(c.offsets[i])
	case 2:
		return uint64(binary.LittleEndian.Uint16(c.offsets[2*i:]))
	case 4:
		return uint64(binary.LittleEndian.Uint32(c.offsets[4*i:]))
	}
	return 0
}

func (c *bytesColumn) at(i int) []byte { return c.data[c.offset(i):c.offset(i+1)] }

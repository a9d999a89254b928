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

	columnOfNumbers  = 2
	columnOfBytes    = 3
	columnOfPrefixes = 4
)

// columnHeader has a column's encoding, and its beginning in the block.
type columnHeader struct {
	kind  byte
	begin uint32
}

// columnsIn returns the columns of a block, which must have the given number or more of them, and the number of rows.
// The block begins with bytes that are not of the format.
func columnsIn(block []byte, own, least int) (columns []columnHeader, rows int, err error) {
	if len(block) < own+columnsHeaderBytes {
		return nil, 0, corrupt("a columnar block of %d bytes, too short for its header", len(block))
	}
	header := block[own:]
	if header[0] != columnsVersion {
		return nil, 0, unsupported("a columnar block of version %d (%d is known)", header[0], columnsVersion)
	}
	n := int(binary.LittleEndian.Uint16(header[1:]))
	if n < least {
		return nil, 0, corrupt("a columnar block of %d columns instead of %d", n, least)
	}
	if len(header) < columnsHeaderBytes+n*columnHeaderBytes {
		return nil, 0, corrupt("a columnar block of %d bytes, too short for its header", len(block))
	}
	count := binary.LittleEndian.Uint32(header[3:])
	if uint64(count) > uint64(len(block)) {
		return nil, 0, corrupt("a columnar block of %d bytes with %d rows", len(block), count)
	}
	for i := range n {
		c := header[columnsHeaderBytes+i*columnHeaderBytes:]
		columns = append(columns, columnHeader{c[0], binary.LittleEndian.Uint32(c[1:])})
	}
	return columns, int(count), nil
}

// is returns an error if the column has another kind.
func (c columnHeader) is(kind byte) error {
	if c.kind != kind {
		return corrupt("a column of type %d instead of %d", c.kind, kind)
	}
	return nil
}

// columnarPairs returns the keys and values of a columnar block of two columns of
// bytes, after checking all of it.
func columnarPairs(block []byte) (iter.Seq2[[]byte, []byte], error) {
	const number = 2
	columns, count, err := columnsIn(block, 0, number)
	if err != nil {
		return nil, err
	}
	if len(columns) != number {
		return nil, corrupt("a columnar block of %d columns instead of %d, keys and values", len(columns), number)
	}
	var found [number]bytesColumn
	for i, c := range columns {
		if err := c.is(columnOfBytes); err != nil {
			return nil, err
		}
		if found[i], err = newBytesColumn(block, c.begin, count); err != nil {
			return nil, err
		}
	}
	return func(yield func(key, value []byte) bool) {
		for i := range count {
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

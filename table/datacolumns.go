package table

import (
	"bytes"
	"encoding/binary"
	"strings"
)

// numbersColumn is a column of whole numbers.
type numbersColumn struct {
	base  uint64
	width int // of a number, in bytes: 0, 1, 2, 4 or 8
	data  []byte
}

func newNumbersColumn(block []byte, begin uint32, count int) (numbersColumn, error) {
	const differences = 0x80 // from a base
	if uint64(begin) >= uint64(len(block)) {
		return numbersColumn{}, corrupt("a column that begins at %d of %d bytes", begin, len(block))
	}
	encoding, at := block[begin], int(begin)+1
	c := numbersColumn{width: int(encoding &^ differences)}
	switch c.width {
	case 0, 1, 2, 4, 8:
	default:
		return numbersColumn{}, corrupt("a column of numbers with encoding %#x", encoding)
	}
	if encoding&differences != 0 {
		if len(block)-at < 8 {
			return numbersColumn{}, corrupt("a column of numbers that is longer than its block")
		}
		c.base = binary.LittleEndian.Uint64(block[at:])
		at += 8
	}
	if c.width > 1 {
		at = (at + c.width - 1) &^ (c.width - 1)
	}
	if uint64(at)+uint64(count)*uint64(c.width) > uint64(len(block)) {
		return numbersColumn{}, corrupt("a column of numbers that is longer than its block")
	}
	c.data = block[at:]
	return c, nil
}

func (c *numbersColumn) at(i int) uint64 {
	var stored [8]byte
	copy(stored[:], c.data[i*c.width:(i+1)*c.width])
	return c.base + binary.LittleEndian.Uint64(stored[:])
}

// columnarHandles calls add with every handle of an index in columns (colblk's IndexBlockWriter): separators, offsets,
// lengths, and properties of blocks.
func columnarHandles(block []byte, add func(handle) error) error {
	columns, rows, err := columnsIn(block, 0, 3)
	if err != nil || rows == 0 {
		return err
	}
	var found [2]numbersColumn // offsets and lengths
	for i := range found {
		c := columns[1+i]
		if err := c.is(columnOfNumbers); err != nil {
			return err
		}
		if found[i], err = newNumbersColumn(block, c.begin, rows); err != nil {
			return err
		}
	}
	for i := range rows {
		if err := add(handle{found[0].at(i), found[1].at(i)}); err != nil {
			return err
		}
	}
	return nil
}

// hasDefaultSchema reports whether data blocks in columns have keys in two columns: what the comparer's Split
// returns, which the filter has, and the rest (Pebble's colblk.DefaultKeySchema).
func (p *Properties) hasDefaultSchema() bool {
	return strings.HasPrefix(p.keySchema, "DefaultKeySchema(")
}

// columnarKeys calls add with every key of a data block in columns, without its version. The first 4 bytes of the block
// are the greatest length of a key.
func columnarKeys(block []byte, add func(key []byte) error) error {
	columns, rows, err := columnsIn(block, 4, 1)
	if err != nil || rows == 0 {
		return err
	}
	if err := columns[0].is(columnOfPrefixes); err != nil {
		return err
	}
	p, err := newPrefixColumn(block, columns[0].begin, rows)
	if err != nil {
		return err
	}
	for i := range rows {
		if err := add(p.next(i)); err != nil {
			return err
		}
	}
	return nil
}

// prefixColumn is a column of keys (colblk's PrefixBytes). Its texts are the prefix of all keys, and then, for each
// bundle of keys, their common prefix after that, and the rest of each key. A rest without bytes is that of the key
// before.
type prefixColumn struct {
	texts  bytesColumn
	bundle int // keys in one
	number int // of the next text
	key    []byte
	shared [2]int // lengths of what all keys begin with, and what the bundle's do
}

func newPrefixColumn(block []byte, begin uint32, rows int) (*prefixColumn, error) {
	const mostShift = 16
	if uint64(begin) >= uint64(len(block)) {
		return nil, corrupt("a column that begins at %d of %d bytes", begin, len(block))
	}
	shift := block[begin]
	if shift > mostShift {
		return nil, corrupt("a column of keys in bundles of 2^%d", shift)
	}
	p := &prefixColumn{bundle: 1 << shift}
	bundles := (rows + p.bundle - 1) / p.bundle
	var err error
	if p.texts, err = newBytesColumn(block, begin+1, rows+bundles); err != nil {
		return nil, err
	}
	p.key = bytes.Clone(p.texts.data[:p.texts.offset(0)])
	p.shared[0] = len(p.key)
	return p, nil
}

// next returns a row's key, which is valid until the next call. It is called for each row in turn.
func (p *prefixColumn) next(row int) []byte {
	if row%p.bundle == 0 {
		p.key = append(p.key[:p.shared[0]], p.text()...)
		p.shared[1] = len(p.key)
	}
	if rest := p.text(); len(rest) > 0 {
		p.key = append(p.key[:p.shared[1]], rest...)
	}
	return p.key
}

// text returns the next text. The first offset is where the first one begins.
func (p *prefixColumn) text() []byte {
	p.number++
	return p.texts.at(p.number - 1)
}

package table

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"sort"
)

// indexRow is a row of an index: where a block is, and a user key that no key of the block is
// above, while all keys of the next block are. (If versions of one key are in both blocks, it is
// the last key of the first one.)
type indexRow struct {
	handle
	last []byte
}

// index is what an index has, in the order of the file.
type index struct {
	rows    []indexRow
	compare func(a, b []byte) int // nil if the comparator is unknown
}

// find returns the range of rows, first up to but not including end, whose blocks may have the
// key: one, or none if the key is above all. If the comparator is unknown it is all rows.
func (x *index) find(key []byte) (first, end int) {
	if x.compare == nil {
		return 0, len(x.rows)
	}
	first = sort.Search(len(x.rows), func(i int) bool { return x.compare(x.rows[i].last, key) >= 0 })
	return first, min(first+1, len(x.rows))
}

// sequenceBytes follow a user key in an internal key: a sequence number and a kind.
const sequenceBytes = 8

// readIndex reads an index of blocks, of data or of a filter's partitions. A row is a key, at or
// before which a block ends, and the block's handle. Since format_version 4, rows do not have
// the handle's length, and if a key shares a prefix with the one before, the handle is only a
// difference in size, because the blocks follow each other (IndexValue in table/format.cc).
func (t *Table) readIndex(h handle, what blockName) (*index, error) {
	stored, compressed, err := t.blocks.read(h, what)
	if err != nil {
		return nil, err
	}
	x := new(index)
	most := explainedBytes(len(stored))
	block, err := t.Format.decompressRows(stored, compressed, most)
	if err == nil && len(block) > 0 { // an index of partitions is empty if no key was added
		err = t.addRows(x, block, most)
	}
	if err != nil {
		return nil, fmt.Errorf("the %v: %w", what, err)
	}
	x.compare = t.Properties.comparison(x.rows)
	return x, nil
}

// addRows adds the rows of a block. Their keys may take the given number of bytes: shared
// prefixes could make any number of them.
func (t *Table) addRows(x *index, block []byte, most int) error {
	r, err := newRows(block)
	if err != nil {
		return err
	}
	var before handle
	begin := len(x.rows)
	for r.more() {
		h, err := t.nextHandle(r, before)
		if err != nil {
			return err
		}
		// If blocks could overlap, reading a small file might take long.
		if len(x.rows) > begin && h.offset < before.end() {
			return corrupt("blocks that overlap")
		}
		if !h.within(t.blocks.size) {
			return corrupt("a block, %d bytes at %d, that would end behind the file", h.size, h.offset)
		}
		key := r.key
		if t.Properties.indexKeyIsUserKey == 0 {
			if len(key) < sequenceBytes {
				return corrupt("a key of %d bytes, too short for its sequence number", len(key))
			}
			key = key[:len(key)-sequenceBytes]
		}
		if most -= len(key); most < 0 {
			return unsupported("keys that are much longer than their block, whose prefixes they share")
		}
		x.rows = append(x.rows, indexRow{h, append([]byte{}, key...)})
		before = h
	}
	return nil
}

// nextHandle reads a row.
func (t *Table) nextHandle(r *rows, before handle) (handle, error) {
	if t.Properties.indexValueIsDelta == 0 {
		value, err := r.next()
		if err != nil {
			return handle{}, err
		}
		h, n := decodeHandle(value)
		if n == 0 || n != len(value) {
			return handle{}, corrupt("a row without a handle")
		}
		return h, nil
	}
	if err := r.nextKey(); err != nil {
		return handle{}, err
	}
	if !r.shared {
		h, n := decodeHandle(r.rest)
		if n == 0 {
			return handle{}, corrupt("a row without a handle")
		}
		r.rest = r.rest[n:]
		return h, nil
	}
	difference, n := binary.Varint(r.rest)
	if n <= 0 {
		return handle{}, corrupt("a row without a size")
	}
	r.rest = r.rest[n:]
	return handle{before.end(), before.size + uint64(difference)}, nil
}

// comparison returns the order of the table's keys, or nil if it is unknown. LevelDB, and
// RocksDB's first versions, do not record the comparator. Then it is the one of bytes, unless
// the index shows that it is not.
func (p *Properties) comparison(rows []indexRow) func(a, b []byte) int {
	switch p.Comparator {
	case "leveldb.BytewiseComparator":
		return bytes.Compare
	case "rocksdb.ReverseBytewiseComparator":
		return func(a, b []byte) int { return bytes.Compare(b, a) }
	case "":
		if slices.IsSortedFunc(rows, func(a, b indexRow) int { return bytes.Compare(a.last, b.last) }) {
			return bytes.Compare
		}
	}
	return nil
}

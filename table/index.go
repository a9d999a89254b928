package table

import (
	"bytes"
	"fmt"
	"iter"
	"math"
	"sort"

	"github.com/simdbloom/simdbloom/filterblock"
)

// index has the places of blocks, of data or of a filter's partitions, in the order of the file. A row
// is a user key, at or before which a block ends, and the block's handle. Keys that share prefixes are kept as
// the file has them: together they may be much longer than the file.
type index struct {
	rows    []indexRow
	anchors []int // the rows that share nothing with the one before
	tail    int   // bytes behind a user key: a sequence number and a kind, and a timestamp
	spare   int   // that the next part may take besides: see explained
	foreign bool  // the keys are not those of a LevelDB store: see internalKeys
	Order
}

// indexRow is a row of an index: its key is as many bytes of the one before as it shares, and the rest.
type indexRow struct {
	handle handle
	shared int
	rest   []byte
}

func newIndex() *index { return &index{spare: spareBytes} }

func (x *index) len() int { return len(x.rows) }

// end is where the last block ends, 0 without blocks.
func (x *index) end() uint64 {
	if len(x.rows) == 0 {
		return 0
	}
	return x.rows[len(x.rows)-1].handle.end()
}

// from yields the rows from an anchor on, with their user keys, each of which is valid until the next one.
func (x *index) from(anchor int) iter.Seq2[int, []byte] {
	return func(yield func(int, []byte) bool) {
		var key []byte
		for i := anchor; i < len(x.rows); i++ {
			key = append(key[:x.rows[i].shared], x.rows[i].rest...)
			if !yield(i, key[:len(key)-x.tail]) {
				return
			}
		}
	}
}

// key returns a copy of a row's user key.
func (x *index) key(row int) []byte {
	for i, key := range x.from(x.anchors[sort.SearchInts(x.anchors, row+1)-1]) {
		if i == row {
			return bytes.Clone(key)
		}
	}
	return nil // there is such a row
}

// first returns the first row whose key is at or after the given one, or the number of rows. The
// order must be known.
func (x *index) first(key []byte) int {
	after := sort.Search(len(x.anchors), func(i int) bool {
		its := x.rows[x.anchors[i]].rest
		return x.compare(its[:len(its)-x.tail], key) >= 0
	})
	if after == 0 {
		return 0
	}
	for i, its := range x.from(x.anchors[after-1]) {
		if x.compare(its, key) >= 0 {
			return i
		}
	}
	return x.len()
}

// find returns the range of rows, first up to but not including end, whose blocks may have the
// key: one, or none if the key is above all in an order of bytes. If the order is unknown it is all rows. By a
// function, keys of different bytes can be equal, and be in the blocks of several rows.
func (x *index) find(key []byte) (first, end int) {
	if x.compare == nil {
		return 0, x.len()
	}
	first = x.first(key)
	end = first
	if !x.ofBytes {
		first = max(min(first, x.len()-1), 0)
		for end < x.len() && x.compare(x.key(end), key) == 0 {
			end++
		}
	}
	return first, min(end+1, x.len())
}

// findPrefix returns the range of rows whose blocks may have keys that begin with the prefix, and the
// row after those if it may be the first one.
func (x *index) findPrefix(prefix []byte) (first, end int) {
	from, to := prefix, after(prefix) // in the order of bytes
	if x.descending {
		from, to = to, from
	}
	end = x.len()
	if !x.ofBytes {
		return 0, end
	}
	if from != nil {
		first = x.first(from)
	}
	if to != nil {
		end = min(x.first(to)+1, end)
	}
	return first, end
}

// after returns the first bytes, in the order of bytes, that are above all that begin with the prefix,
// or nil if there are none.
func after(prefix []byte) []byte {
	for n := len(prefix); n > 0; n-- {
		if prefix[n-1] != 0xff {
			above := bytes.Clone(prefix[:n])
			above[n-1]++
			return above
		}
	}
	return nil
}

// readIndex reads an index of blocks.
func (t *Table) readIndex(h handle, what blockName) (*index, error) {
	x := newIndex()
	if err := t.readIndexPart(x, h, what); err != nil {
		return nil, err
	}
	return x, t.setOrder(x, what)
}

// readIndexPart reads an index, or the next part of one, and adds it.
func (t *Table) readIndexPart(x *index, h handle, what blockName) (err error) {
	before := x.len()
	length := 0 // of the keys since the last anchor
	x.spare, err = t.eachIndexRow(h, what, x.spare, x.end(), func(row indexRow) error {
		length += row.shared + len(row.rest)
		if row.shared == 0 {
			x.anchors, length = append(x.anchors, x.len()), 0
		}
		if length > mostSharedBytes {
			return unsupported("the %v has keys of more than %d bytes that share prefixes", what, mostSharedBytes)
		}
		x.rows = append(x.rows, row)
		return nil
	})
	switch {
	case err != nil:
		return err
	case what.kind == kindIndexPartition && x.len() == before:
		return corrupt("the %v has no rows", what)
	case what.kind == kindFilterIndex && x.len() == before && h.size > 0: // one of zero bytes is that of a filter without keys
		return corrupt("the %v has no rows", what)
	}
	return x.setTail(t, what, before)
}

// mostSharedBytes limits the keys of rows that share prefixes, which are compared one by one.
const mostSharedBytes = 64 << 20

// setTail sets how many bytes are behind the user keys, which rows from the given one on must have.
func (x *index) setTail(t *Table, what blockName, begin int) error {
	timestamp := t.timestampBytes()
	x.tail = 0
	if t.Format.Database == databaseLevelDB && !x.hasInternalKeys() {
		x.foreign = true
		return nil
	}
	sequence := 0
	if t.Properties.indexKeyIsUserKey == 0 {
		sequence = internalKeyBytes
	}
	for _, row := range x.rows[begin:] {
		switch n := row.shared + len(row.rest); {
		case n < sequence:
			return corrupt("the %v has a key of %d bytes, too short for its sequence number", what, n)
		case n < sequence+timestamp:
			return corrupt("the %v has a key of %d bytes, too short for its timestamp", what, n)
		}
	}
	x.tail = sequence + timestamp
	return nil
}

// hasInternalKeys reports whether the keys of an index of LevelDB's, which has no properties, are those that its
// stores write: different user keys, and a kind and a sequence number behind each. A table that was written without
// a store has user keys only (LevelDB's TableBuilder), and other forks have more than 8 bytes behind them.
func (x *index) hasInternalKeys() bool {
	const mostKind = 1 // kTypeValue
	var before []byte
	for i, key := range x.from(0) {
		n := len(key) - internalKeyBytes
		// A key whose versions fill several blocks looks like user keys that begin alike.
		if n < 0 || key[n] > mostKind || i > 0 && bytes.Equal(key[:n], before) {
			return false
		}
		before = append(before[:0], key[:n]...)
	}
	return true
}

// readIndexBlock reads an index, and returns how many bytes it may have.
func (t *Table) readIndexBlock(h handle, what blockName, spare int) (block []byte, most int, err error) {
	stored, compressed, err := t.blocks.read(h, what)
	if err != nil {
		return nil, 0, err
	}
	most = explained(len(stored), spare)
	if block, err = t.Format.decompressRows(stored, compressed, most); err != nil {
		err = fmt.Errorf("the %v: %w", what, err)
	}
	return block, most, err
}

// indexFormat returns how the table's index of partitions is written. Properties that are not recorded are 0, as before
// format_version 3.
func (t *Table) indexFormat() filterblock.IndexFormat {
	p := &t.Properties
	return filterblock.IndexFormat{
		FullHandles: p.indexValueIsDelta == 0, InternalKeys: p.indexKeyIsUserKey == 0, TimestampBytes: t.timestampBytes(),
		MaxKeyBytes: int(min(spareBytes+64*t.filter.size, math.MaxInt)),
	}
}

// setOrder sets the order of the index's keys. An index in another order than the recorded or the given one
// is an error: a key could be anywhere.
func (t *Table) setOrder(x *index, what blockName) error {
	x.Order = t.order()
	if x.foreign {
		x.Order = AnyOrder
	}
	switch {
	case x.compare == nil || x.isIn(x.Order):
		return nil
	case knownOrder(t.Properties.Comparator).compare != nil:
		return corrupt("the %v has keys that are not in the order of %s", what, x.name)
	}
	return fmt.Errorf("%w: the %v has keys that are not in the order that was given, %s", errOrder, what, x.name)
}

// isIn reports whether the index's keys are in an order.
func (x *index) isIn(o Order) bool {
	var before []byte
	for i, key := range x.from(0) {
		if i > 0 && o.compare(before, key) > 0 {
			return false
		}
		before = append(before[:0], key...)
	}
	return true
}

package table

import (
	"bytes"
	"fmt"
	"sort"

	"github.com/simdbloom/simdbloom/filterblock"
)

// index has the places of blocks, of data or of a filter's partitions, in the order of the file. A row
// is a user key, at or before which a block ends, and the block's handle.
type index struct {
	parts   []*filterblock.Index // several if the index has an index of its own; none is empty
	begins  []int                // the number of the first row of each
	handles []handle             // of all rows
	spare   int                  // that the next part may take besides: see explained
	foreign bool                 // the keys are not those of a LevelDB store: see internalKeys
	Order
}

func newIndex() *index { return &index{spare: spareBytes} }

func (x *index) add(part *filterblock.Index, handles []handle) {
	if len(handles) > 0 {
		x.parts, x.begins = append(x.parts, part), append(x.begins, len(x.handles))
		x.handles = append(x.handles, handles...)
	}
}

func (x *index) len() int { return len(x.handles) }

// end is where the last block ends, 0 without blocks.
func (x *index) end() uint64 {
	if len(x.handles) == 0 {
		return 0
	}
	return x.handles[len(x.handles)-1].end()
}

// first returns the first row whose key is at or after the given one, or the number of rows. The
// order must be known.
func (x *index) first(key []byte) int {
	last := func(part *filterblock.Index) []byte { return part.Key(part.Len() - 1) }
	part := sort.Search(len(x.parts), func(i int) bool { return x.compare(last(x.parts[i]), key) >= 0 })
	if part == len(x.parts) {
		return x.len()
	}
	return x.begins[part] + x.parts[part].Find(key, x.compare)
}

// key returns the key of a row.
func (x *index) key(row int) []byte {
	part := sort.SearchInts(x.begins, row+1) - 1
	return x.parts[part].Key(row - x.begins[part])
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
func (t *Table) readIndexPart(x *index, h handle, what blockName) error {
	block, most, err := t.readIndexBlock(h, what, x.spare)
	if err != nil {
		return err
	}
	format := t.indexFormat(most)
	if t.Format.Database == LevelDB {
		whole := format
		whole.InternalKeys, whole.TimestampBytes = false, 0
		if part, err := filterblock.ReadIndex(block, whole); err == nil && !internalKeys(part) {
			x.foreign, format = true, whole
		}
	}
	part, err := filterblock.ReadIndex(block, format)
	if err != nil {
		return fmt.Errorf("the %v: %w: %w", what, ErrCorrupt, err)
	}
	if part.Len() == 0 && (what.kind == IndexPartition || what.kind == FilterIndex && len(block) > 0) {
		return corrupt("the %v has no rows", what) // one of zero bytes is that of a filter without keys
	}
	handles, err := t.handlesOf(part, x.end())
	if err != nil {
		return fmt.Errorf("the %v: %w", what, err)
	}
	x.add(part, handles)
	x.spare = most - max(len(block), keyBytes(part))
	return nil
}

// internalKeys reports whether the keys of an index of LevelDB's, which has no properties, are those that its
// stores write: different user keys, and a kind and a sequence number behind each. A table that was written without
// a store has user keys only (LevelDB's TableBuilder), and other forks have more than 8 bytes behind them.
func internalKeys(x *filterblock.Index) bool {
	const mostKind = 1 // kTypeValue
	var before []byte
	for i := range x.Len() {
		key := x.Key(i)
		n := len(key) - 8
		// A key whose versions fill several blocks looks like user keys that begin alike.
		if n < 0 || key[n] > mostKind || i > 0 && bytes.Equal(key[:n], before) {
			return false
		}
		before = key[:n]
	}
	return true
}

// keyBytes returns the length of all keys of an index.
func keyBytes(part *filterblock.Index) (n int) {
	for i := range part.Len() {
		n += len(part.Key(i))
	}
	return n
}

// readIndexBlock reads an index, and returns how many bytes its keys may have.
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

// handlesOf returns where the blocks of a part of an index are, in front of which others end. If
// they could overlap, reading a small file might take long; if they did not ascend, a range of them
// would lack some filters.
func (t *Table) handlesOf(part *filterblock.Index, end uint64) ([]handle, error) {
	handles := make([]handle, part.Len())
	for i := range handles {
		stored := part.Handle(i)
		h := handle{stored.Offset, stored.Size}
		if h.offset < end {
			return nil, corrupt("blocks that overlap")
		}
		if !h.within(t.blocks.size) {
			return nil, corrupt("a block, %d bytes at %d, that would end behind the file", h.size, h.offset)
		}
		handles[i], end = h, h.end()
	}
	return handles, nil
}

// indexFormat returns how the table's indexes are written, whose keys may have the given number of bytes.
// Properties that are not recorded are 0, as before format_version 3.
func (t *Table) indexFormat(mostKeyBytes int) filterblock.IndexFormat {
	p := &t.Properties
	format := filterblock.IndexFormat{
		FullHandles: p.indexValueIsDelta == 0, InternalKeys: p.indexKeyIsUserKey == 0, MaxKeyBytes: mostKeyBytes,
	}
	if !p.noTimestamps {
		format.TimestampBytes = t.order().timestamp
	}
	return format
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
	return unsupported("the %v has keys that are not in the order that was given, %s", what, x.name)
}

// isIn reports whether the index's keys are in an order.
func (x *index) isIn(o Order) bool {
	var before []byte
	for p, part := range x.parts {
		for i := range part.Len() {
			key := part.Key(i)
			if p+i > 0 && o.compare(before, key) > 0 {
				return false
			}
			before = key
		}
	}
	return true
}

package table

import (
	"encoding/binary"
	"fmt"
	"iter"
)

// Filter is a table's filter, or one of its partitions.
type Filter struct {
	// Data is the filter: what RocksDB's FilterBitsBuilder::Finish or Pebble's
	// FilterWriter.Finish returned. It belongs to the caller.
	Data []byte

	// Last is a user key: no key of the partition is above it, and all keys of the next
	// partition are. It is nil for a filter that is not partitioned.
	Last []byte
}

// filterHandle is where a Filter is.
type filterHandle struct {
	handle
	last []byte
}

// NumFilters returns the number of filters that Filters yields: 1 for [Full], the number
// of partitions for [Partitioned], and 0 otherwise.
func (t *Table) NumFilters() int { return len(t.filters) }

// Filters returns an iterator that reads the table's filters one by one, in the order of
// their keys. It ends after an error. Open the filters with packages bloom and paired, or
// with the policy that has FilterName.
func (t *Table) Filters() iter.Seq2[Filter, error] {
	return func(yield func(Filter, error) bool) {
		for i, f := range t.filters {
			what := "filter"
			if t.Layout == Partitioned {
				what = fmt.Sprintf("filter's partition %d", i)
			}
			data, err := t.blocks.readPlain(f.handle, what)
			if !yield(Filter{data, f.last}, err) || err != nil {
				return
			}
		}
	}
}

// readPartitions reads the index of a partitioned filter. A row is a key, at or before
// which a partition ends, and the partition's handle. Since format_version 4, rows do not
// have the handle's length, and if a key shares a prefix with the one before, the handle
// is only a difference in size, because partitions follow each other (IndexValue in
// table/format.cc).
func (t *Table) readPartitions(h handle) ([]filterHandle, error) {
	const what = "index of the filter's partitions"
	block, err := t.blocks.readPlain(h, what)
	if err != nil || len(block) == 0 { // no key was added
		return nil, err
	}
	r, err := newRows(block)
	if err != nil {
		return nil, fmt.Errorf("the %s: %w", what, err)
	}
	var partitions []filterHandle
	var before handle
	for r.more() {
		h, err := t.nextPartition(r, before)
		// If partitions could overlap, reading a small file might take long.
		if err == nil && len(partitions) > 0 && h.offset < before.end() {
			err = corrupt("partitions that overlap")
		}
		if err == nil && !h.within(t.blocks.size) {
			err = corrupt("a partition, %d bytes at %d, that would end behind the file", h.size, h.offset)
		}
		key := r.key
		if err == nil && t.Properties.indexKeyIsUserKey == 0 {
			// The user key is followed by its sequence number and kind.
			if len(key) < 8 {
				err = corrupt("a key of %d bytes, too short for its sequence number", len(key))
			} else {
				key = key[:len(key)-8]
			}
		}
		if err != nil {
			return nil, fmt.Errorf("the %s: %w", what, err)
		}
		partitions = append(partitions, filterHandle{h, append([]byte{}, key...)})
		before = h
	}
	return partitions, nil
}

// nextPartition reads a row.
func (t *Table) nextPartition(r *rows, before handle) (handle, error) {
	if t.Properties.indexValueIsDelta == 0 {
		value, err := r.next()
		if err != nil {
			return handle{}, err
		}
		h, n := decodeHandle(value)
		if n == 0 || n != len(value) {
			return handle{}, corrupt("a partition without a handle")
		}
		return h, nil
	}
	if err := r.nextKey(); err != nil {
		return handle{}, err
	}
	if !r.shared {
		h, n := decodeHandle(r.rest)
		if n == 0 {
			return handle{}, corrupt("a partition without a handle")
		}
		r.rest = r.rest[n:]
		return h, nil
	}
	difference, n := binary.Varint(r.rest)
	if n <= 0 {
		return handle{}, corrupt("a partition without a size")
	}
	r.rest = r.rest[n:]
	return handle{before.end(), before.size + uint64(difference)}, nil
}

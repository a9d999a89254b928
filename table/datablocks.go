package table

import (
	"context"
	"encoding/binary"
	"fmt"
)

// dataBlocks returns where the data blocks are, in the order of the file. It goes on after a part of the index that
// cannot be read.
func (v *verifier) dataBlocks() ([]handle, error) {
	t := v.table
	if t.indexBlock == nil {
		return nil, corrupt("where the index is, is not recorded")
	}
	top, spare, err := t.dataHandles(*t.indexBlock, blockName{kind: kindIndex}, spareBytes, 0)
	if err != nil || t.Properties.indexType != twoLevelIndex {
		return top, err
	}
	var all []handle
	end := uint64(0)
	for i, h := range top {
		what := blockName{kindIndexPartition, i, len(top)}
		var part []handle
		if part, spare, err = t.dataHandles(h, what, spare, end); err != nil {
			v.notRead(what.at(h), err)
		} else if all = append(all, part...); len(part) > 0 {
			end = part[len(part)-1].end()
		}
	}
	return all, nil
}

// dataHandles reads the handles of an index of data blocks, or of its own index, which begin at or behind begin. It
// returns what the next part of the index may take besides.
func (t *Table) dataHandles(h handle, what blockName, spare int, begin uint64) (handles []handle, left int, err error) {
	left, err = t.eachIndexRow(h, what, spare, begin, func(row indexRow) error {
		handles = append(handles, row.handle)
		return nil
	})
	if err != nil {
		return nil, left, err
	}
	return handles, left, nil
}

// eachIndexRow reads an index, and calls add with every row. Blocks begin at or behind begin, within the file, and
// each behind the one before: if they could overlap, reading a small file might take long; if they did not ascend, a
// range of them would lack some filters. Rows of indexes in Pebble's columns have no keys. It accepts what databases
// write behind handles: RocksDB a block's first key, and Pebble a block's properties. It returns what the next part of
// the index may take besides.
func (t *Table) eachIndexRow(h handle, what blockName, spare int, begin uint64, add func(indexRow) error) (left int, err error) {
	block, most, err := t.readIndexBlock(h, what, spare)
	if err != nil {
		return spare, err
	}
	checked := func(row indexRow) error {
		switch next := row.handle; {
		case next.offset < begin:
			return corrupt("blocks that overlap")
		case !next.within(t.blocks.size):
			return corrupt("a block, %d bytes at %d, that would end behind the file", next.size, next.offset)
		}
		begin = row.handle.end()
		return add(row)
	}
	switch {
	case len(block) == 0:
	case t.Format.columnarData() && what.kind != kindFilterIndex:
		err = columnarHandles(block, func(h handle) error { return checked(indexRow{handle: h}) })
	default:
		err = t.eachRow(block, what.kind, checked)
	}
	if err != nil {
		err = fmt.Errorf("the %v: %w", what, err)
	}
	return most - len(block), err
}

// eachRow calls add with every row of an index.
func (t *Table) eachRow(block []byte, kind string, add func(indexRow) error) error {
	r, err := newRows(block)
	var row indexRow
	for err == nil && r.more() {
		if row, err = t.nextRow(r, row, kind); err == nil {
			err = add(row)
		}
	}
	return err
}

// nextRow reads a row of an index. Its handle is in a value, or, if it is a difference from the one before, without a
// length.
func (t *Table) nextRow(r *rows, before indexRow, kind string) (row indexRow, err error) {
	deltas := t.Properties.indexValueIsDelta != 0
	shared, unshared := r.length(), r.length()
	var size uint64
	if !deltas {
		size = r.length()
	}
	rest, ok := r.take(unshared)
	if !ok || shared > uint64(before.shared+len(before.rest)) {
		return row, errLongRow
	}
	value := r.rest
	if !deltas {
		if value, ok = r.take(size); !ok {
			return row, errLongRow
		}
	}
	row = indexRow{shared: int(shared), rest: rest}
	var n int
	if deltas && shared > 0 {
		var more int64
		more, n = binary.Varint(value)
		row.handle = handle{before.handle.end(), before.handle.size + uint64(more)}
	} else {
		row.handle, n = decodeHandle(value)
	}
	if n <= 0 {
		return row, corrupt("a row without a handle")
	}
	if !deltas {
		return row, nil
	}
	r.rest = value[n:]
	// Only the index of the data blocks has first keys, and not its own index.
	if t.Properties.indexType == indexWithFirstKeys && kind == kindIndex {
		if _, ok := r.take(r.length()); !ok {
			return row, errLongRow
		}
	}
	return row, nil
}

// readDictionary reads the dictionary with which data blocks are compressed.
func (v *verifier) readDictionary() {
	if h := v.table.dictionary; h != nil {
		what := blockName{kind: kindDictionary}
		data, err := v.table.blocks.readPlain(*h, what)
		if v.noDict = err != nil; v.noDict {
			v.notRead(what.at(*h), err)
		}
		v.dictionary = data
	}
}

// dataBlock reads a data block, and looks up its keys.
func (v *verifier) dataBlock(ctx context.Context, h handle, what blockName) error {
	block, err := v.readData(h, what)
	if err != nil {
		return err
	}
	if err := v.entriesIn(ctx, block, what.at(h)); err != nil {
		return fmt.Errorf("the %v: %w", what, err)
	}
	v.found.Blocks++
	return nil
}

// readData reads and decompresses a data block.
func (v *verifier) readData(h handle, what blockName) ([]byte, error) {
	stored, compressed, err := v.table.blocks.read(h, what)
	if err != nil {
		return nil, err
	}
	block, err := v.table.Format.decompressData(stored, compressed, v.dictionary)
	if err != nil && v.noDict {
		err = unsupported("compressed by %v with a dictionary that cannot be read", compressed)
	}
	if err != nil {
		err = fmt.Errorf("the %v: %w", what, err)
	}
	return block, err
}

// internalKeyBytes are a kind and a sequence number, which follow a user key.
const internalKeyBytes = 8

// entriesIn looks up the keys of a data block.
func (v *verifier) entriesIn(ctx context.Context, block []byte, place Block) error {
	if v.filters != nil {
		v.filters.begin(place)
		defer v.filters.flush()
	}
	add := func(key []byte) error {
		v.found.Entries++
		if v.filters == nil {
			return nil
		}
		return v.filters.add(ctx, key)
	}
	if v.table.Format.columnarData() {
		return columnarKeys(block, add)
	}
	r, err := newDataRows(block)
	for err == nil && r.more() {
		if err = r.nextKey(); err != nil {
			break
		}
		n := len(r.key) - v.tail(r.key)
		if n < 0 {
			return corrupt("a key of %d bytes, too short for its sequence number", len(r.key))
		}
		err = add(r.key[:n])
	}
	return err
}

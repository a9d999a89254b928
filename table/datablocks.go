package table

import (
	"context"
	"encoding/binary"
	"fmt"
)

// dataBlocks returns where the data blocks are, in the order of the file. It goes on after a part of the index that
// is damaged.
func (v *verifier) dataBlocks() ([]handle, error) {
	t := v.table
	if t.indexBlock == nil {
		return nil, corrupt("where the index is, is not recorded")
	}
	top, spare, err := t.dataHandles(*t.indexBlock, blockName{kind: Index}, spareBytes, 0)
	if err != nil || t.Properties.indexType != twoLevelIndex {
		return top, err
	}
	var all []handle
	end := uint64(0)
	for i, h := range top {
		what := blockName{IndexPartition, i, len(top)}
		var part []handle
		if part, spare, err = t.dataHandles(h, what, spare, end); err != nil {
			v.damaged(what.at(h), err)
			continue
		}
		if all = append(all, part...); len(part) > 0 {
			end = part[len(part)-1].end()
		}
	}
	return all, nil
}

// dataHandles reads the handles of an index of data blocks, or of its own index, which begin at or behind begin. Unlike
// filterblock.ReadIndex it keeps no keys, and accepts what databases write behind handles: RocksDB a block's first
// key, and Pebble a block's properties. It returns what the next part of the index may take besides.
func (t *Table) dataHandles(h handle, what blockName, spare int, begin uint64) (handles []handle, left int, err error) {
	block, most, err := t.readIndexBlock(h, what, spare)
	if err != nil {
		return nil, spare, err
	}
	left = most - len(block)
	add := func(next handle) error {
		switch {
		case next.offset < begin:
			return corrupt("blocks that overlap")
		case !next.within(t.blocks.size):
			return corrupt("a block, %d bytes at %d, that would end behind the file", next.size, next.offset)
		}
		handles, begin = append(handles, next), next.end()
		return nil
	}
	if t.Format.columnarData() {
		err = columnarHandles(block, add)
	} else {
		err = t.eachHandle(block, what.kind, add)
	}
	if err != nil {
		return nil, left, fmt.Errorf("the %v: %w", what, err)
	}
	return handles, left, nil
}

// eachHandle calls add with every handle of an index in rows.
func (t *Table) eachHandle(block []byte, kind BlockKind, add func(handle) error) error {
	r, err := newRows(block)
	var h handle
	for err == nil && r.more() {
		if h, err = t.nextHandle(r, h, kind); err == nil {
			err = add(h)
		}
	}
	return err
}

// nextHandle reads a row of an index.
func (t *Table) nextHandle(r *rows, before handle, kind BlockKind) (handle, error) {
	if t.Properties.indexValueIsDelta == 0 {
		value, err := r.next()
		if err != nil {
			return handle{}, err
		}
		h, n := decodeHandle(value)
		if n == 0 {
			return handle{}, corrupt("a row without a handle")
		}
		return h, nil
	}
	shared, unshared := r.length(), r.length()
	if !r.readKey(shared, unshared) {
		return handle{}, corrupt("a row that is longer than its block")
	}
	h, n := decodeHandle(r.rest)
	if shared > 0 {
		var more int64
		more, n = binary.Varint(r.rest)
		h = handle{before.end(), before.size + uint64(more)}
	}
	if n <= 0 {
		return handle{}, corrupt("a row without a handle")
	}
	r.rest = r.rest[n:]
	// Only the index of the data blocks has first keys, and not its own index.
	if t.Properties.indexType == indexWithFirstKeys && kind == Index {
		if _, ok := r.take(r.length()); !ok {
			return handle{}, corrupt("a row that is longer than its block")
		}
	}
	return h, nil
}

// readDictionary reads what data blocks are compressed with besides.
func (v *verifier) readDictionary() {
	if h := v.table.dictionary; h != nil {
		what := blockName{kind: CompressionDictionary}
		data, err := v.table.blocks.readPlain(*h, what)
		if err != nil {
			v.damaged(what.at(*h), err)
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

package table

// BlockFilters are the filters of a table of layout [BlockBased], and the table's index, which
// gives the place of a key in the file.
type BlockFilters struct {
	// Data is the filter block, which [leveldb.OpenBlock] reads. It belongs to the caller. The key hash
	// is keyhash.LevelDB32 for LevelDB, and keyhash.LevelDB32Signed for RocksDB. A table with the name
	// leveldb.BuiltinBloomFilter may have either, so open it with both: a data block may contain the keys
	// that either of the two may contain.
	Data []byte

	index   *index
	offsets []uint64 // of all data blocks
}

// twoLevelIndex and indexWithFirstKeys are kTwoLevelIndexSearch and kBinarySearchWithFirstKey
// (RocksDB's BlockBasedTableOptions::IndexType). The others have the same index as LevelDB.
const (
	twoLevelIndex      = 2
	indexWithFirstKeys = 3
)

// ReadFilterBlock reads the filter block of a table of layout [BlockBased], without the index:
// BlockFilters.Data of ReadBlockFilters.
func (t *Table) ReadFilterBlock() ([]byte, error) {
	if t.Layout != BlockBased {
		return nil, unsupported("the table has no filter block of filters for ranges of the file")
	}
	return t.blocks.readPlain(t.filter, blockName{kind: FilterBlock})
}

// ReadBlockFilters reads the filter block and the index of a table of layout [BlockBased].
// Errors that are not from reading the file wrap [ErrCorrupt] or [ErrUnsupported].
func (t *Table) ReadBlockFilters() (*BlockFilters, error) {
	data, err := t.ReadFilterBlock()
	if err != nil {
		return nil, err
	}
	x, err := t.readDataIndex()
	if err != nil {
		return nil, err
	}
	b := &BlockFilters{Data: data, index: x, offsets: make([]uint64, x.len())}
	for i, row := range x.rows {
		b.offsets[i] = row.handle.offset
	}
	return b, nil
}

// Offsets returns where in the file the data blocks are that a user key may be in: one, or none
// if the key is above all keys of the table in an order of bytes. It is all blocks if the order of keys is unknown, as
// in LevelDB's tables, which do not name their comparator: see [WithOrder].
//
// It costs a binary search. The slice is the BlockFilters' own memory: do not change it.
func (b *BlockFilters) Offsets(key []byte) []uint64 {
	first, end := b.index.find(key)
	return b.offsets[first:end]
}

func (t *Table) readDataIndex() (*index, error) {
	if t.indexBlock == nil {
		return nil, corrupt("the footer's handle of the index is not two varints")
	}
	if t.Format.columnarData() {
		return nil, unsupported("a filter block in a table of Pebble's columns")
	}
	top, err := t.readIndex(*t.indexBlock, blockName{kind: Index})
	if err != nil || t.Properties.indexType != twoLevelIndex {
		return top, err
	}
	x := newIndex()
	for i, row := range top.rows {
		if err := t.readIndexPart(x, row.handle, blockName{IndexPartition, i, top.len()}); err != nil {
			return nil, err
		}
	}
	return x, t.setOrder(x, blockName{kind: Index})
}

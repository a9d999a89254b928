package table

// blockFilters are the filters of a table of layout block-based, and the table's index, which
// gives the place of a key in the file.
type blockFilters struct {
	data    []byte
	index   *index
	offsets []uint64 // of all data blocks
}

// twoLevelIndex and indexWithFirstKeys are kTwoLevelIndexSearch and kBinarySearchWithFirstKey
// (RocksDB's BlockBasedTableOptions::IndexType). The others have the same index as LevelDB.
const (
	twoLevelIndex      = 2
	indexWithFirstKeys = 3
)

// ReadFilterBlock reads the filter block of a table of layout block-based, which [leveldb.OpenBlock] reads.
// [Table.OpenFilter] opens each of its filters, and [Table.MayContain] finds a key's. The bytes belong to the caller.
func (t *Table) ReadFilterBlock() ([]byte, error) {
	if t.Layout != layoutBlockBased {
		return nil, unsupported("the table has no filter block of filters for ranges of the file")
	}
	return t.blocks.readPlain(t.filter, blockName{kind: kindFilterBlock})
}

// readBlockFilters reads the filter block and the index of a table of layout block-based.
func (t *Table) readBlockFilters() (*blockFilters, error) {
	data, err := t.ReadFilterBlock()
	if err != nil {
		return nil, err
	}
	x, err := t.readDataIndex()
	if err != nil {
		return nil, err
	}
	b := &blockFilters{data: data, index: x, offsets: make([]uint64, x.len())}
	for i, row := range x.rows {
		b.offsets[i] = row.handle.offset
	}
	return b, nil
}

func (t *Table) readDataIndex() (*index, error) {
	if t.indexBlock == nil {
		return nil, corrupt("the footer's handle of the index is not two varints")
	}
	if t.Format.columnarData() {
		return nil, unsupported("a filter block in a table of Pebble's columns")
	}
	top, err := t.readIndex(*t.indexBlock, blockName{kind: kindIndex})
	if err != nil || t.Properties.indexType != twoLevelIndex {
		return top, err
	}
	x := newIndex()
	for i, row := range top.rows {
		if err := t.readIndexPart(x, row.handle, blockName{kindIndexPartition, i, top.len()}); err != nil {
			return nil, err
		}
	}
	return x, t.setOrder(x, blockName{kind: kindIndex})
}

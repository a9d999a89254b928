package table

import (
	"errors"
	"fmt"
	"io"
)

// BlockKind is the purpose of a block of a table file.
type BlockKind uint8

// The blocks that this package reads. The names are those of RocksDB's documentation.
const (
	Footer                BlockKind = iota // the file's end, with the file's kind
	Metaindex                              // has the places of the other blocks
	PropertiesBlock                        // [Properties]
	FullFilter                             // the only filter, of layout [Full]
	FilterIndex                            // of the partitions of layout [Partitioned]
	FilterPartition                        // a filter of layout [Partitioned]
	FilterBlock                            // all filters of layout [BlockBased]
	Index                                  // of the data blocks; read for layout [BlockBased] and by [Table.Verify] only
	IndexPartition                         // a part of an index that has an index of its own
	DataBlock                              // keys and values; read by [Table.Verify] only
	CompressionDictionary                  // of data blocks, likewise
)

var blockKindNames = [...]string{
	Footer: "footer", Metaindex: "metaindex", PropertiesBlock: "properties",
	FullFilter: "filter", FilterIndex: "filter's index", FilterPartition: "filter's partition",
	FilterBlock: "filter block", Index: "index", IndexPartition: "index's partition",
	DataBlock: "data block", CompressionDictionary: "compression dictionary",
}

// String returns the kind in words.
func (k BlockKind) String() string {
	if int(k) < len(blockKindNames) {
		return blockKindNames[k]
	}
	return fmt.Sprintf("table.BlockKind(%d)", uint8(k))
}

// Block is a block of a table file: its kind and place.
type Block struct {
	Kind BlockKind // its purpose

	// Number is the partition's or the data block's, from 0 on, and Of is how many there are. Both are 0
	// for blocks of other kinds.
	Number, Of int

	// Offset and Size are in bytes. The five bytes of the block's trailer follow: its compression
	// and its checksum. The footer has no trailer.
	Offset, Size uint64
}

// String returns the block in words, such as "filter's partition 3 of 17". The first is 1.
func (b Block) String() string { return blockName{b.Kind, b.Number, b.Of}.String() }

// blockName is a block of an unknown place.
type blockName struct {
	kind       BlockKind
	number, of int
}

func (n blockName) at(h handle) Block { return Block{n.kind, n.number, n.of, h.offset, h.size} }

func (n blockName) String() string {
	if n.of == 0 {
		return n.kind.String()
	}
	return fmt.Sprintf("%v %d of %d", n.kind, n.number+1, n.of)
}

// BlockReader is a file that learns which blocks are read, to count them or to keep them in
// memory. If the file given to [Open] is one, every read of it is a call of ReadBlock.
type BlockReader interface {
	io.ReaderAt

	// ReadBlock is ReadAt(data, block.Offset) of a block and its trailer.
	ReadBlock(data []byte, block Block) (n int, err error)
}

// readBlock fills data from the file, which is long enough if its size was right.
func readBlock(file io.ReaderAt, data []byte, block Block) (err error) {
	var n int
	if reader, ok := file.(BlockReader); ok {
		n, err = reader.ReadBlock(data, block)
	} else {
		n, err = file.ReadAt(data, int64(block.Offset))
	}
	if n == len(data) {
		return nil
	}
	if err == nil || errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return fmt.Errorf("reading %d bytes at %d: %w", len(data), block.Offset, err)
}

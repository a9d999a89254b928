package table

import (
	"errors"
	"fmt"
	"io"
)

// The kinds of blocks that this package reads, by the names of RocksDB's documentation.
const (
	kindFooter          = "footer" // the file's end, with the file's kind
	kindMetaindex       = "metaindex"
	kindProperties      = "properties"
	kindFullFilter      = "filter"             // the only one
	kindFilterIndex     = "filter's index"     // of partitions
	kindFilterPartition = "filter's partition" // a partition
	kindFilterBlock     = "filter block"       // all filters of a block-based layout
	kindIndex           = "index"              // of the data blocks
	kindIndexPartition  = "index's partition"  // a part of an index that has an index of its own
	kindData            = "data block"
	kindDictionary      = "compression dictionary" // of data blocks
)

// Block is a block of a table file.
type Block struct {
	// Name is its kind: "footer", "metaindex", "properties", "filter", "filter's index", "filter block",
	// "index", "compression dictionary", or "filter's partition", "index's partition" or "data block" with its number,
	// such as "data block 3 of 17". The first is 1.
	Name string

	// Offset and Size are in bytes. The five bytes of the block's trailer follow: its compression
	// and its checksum. The footer has no trailer.
	Offset, Size uint64
}

// blockName is a block of an unknown place: its kind, and of one that is not alone also its number, from 0 on, and how
// many there are.
type blockName struct {
	kind       string
	number, of int
}

func (n blockName) at(h handle) Block { return Block{n.String(), h.offset, h.size} }

func (n blockName) String() string {
	if n.of == 0 {
		return n.kind
	}
	return fmt.Sprintf("%s %d of %d", n.kind, n.number+1, n.of)
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

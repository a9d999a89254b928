package sst

import (
	"io"

	"github.com/simdbloom/simdbloom/table"
)

// readPart is a part of a file that was read.
type readPart struct {
	What   string `json:"what"`
	Offset uint64 `json:"offset"`
	Size   uint64 `json:"size"` // of a block, without its trailer of five bytes
}

// recorder is a file that records which parts of it are read.
type recorder struct {
	file  io.ReaderAt
	parts []readPart
}

// ReadAt reads the bytes that tell filter files from tables: a table's are read by ReadBlock.
func (r *recorder) ReadAt(data []byte, offset int64) (int, error) {
	r.parts = append(r.parts, readPart{"file's first bytes", uint64(offset), uint64(len(data))})
	return r.file.ReadAt(data, offset)
}

// ReadBlock makes it a [table.BlockReader].
func (r *recorder) ReadBlock(data []byte, block table.Block) (int, error) {
	r.parts = append(r.parts, readPart{block.Name, block.Offset, block.Size})
	return r.file.ReadAt(data, int64(block.Offset))
}

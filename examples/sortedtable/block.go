package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/simdbloom/simdbloom/filterblock"
)

// errCorrupt is wrapped by every error about the file's bytes.
var errCorrupt = errors.New("corrupt table")

func corrupt(format string, arguments ...any) error {
	return fmt.Errorf("%w: %w", errCorrupt, fmt.Errorf(format, arguments...))
}

const (
	checksumBytes = 4
	mostBytes     = 1 << 30 // of a block: a stored size allocates no more memory than that
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// checksum returns that of a block and of its place. A filter has no checksum of its own, and a sound one in another
// one's place would lose keys.
func checksum(offset uint64, block []byte) uint32 {
	place := binary.LittleEndian.AppendUint64(nil, offset)
	return crc32.Update(crc32.Checksum(place, castagnoli), castagnoli, block)
}

// blockWriter writes blocks one behind the other, each with its checksum. An engine compresses data blocks
// here, but not filters: their bits are random.
type blockWriter struct {
	out    io.Writer
	offset uint64
}

func (w *blockWriter) write(block []byte) (filterblock.Handle, error) {
	if len(block) > mostBytes {
		return filterblock.Handle{}, fmt.Errorf("a block of %d bytes, more than %d", len(block), mostBytes)
	}
	h := filterblock.Handle{Offset: w.offset, Size: uint64(len(block))}
	sum := binary.LittleEndian.AppendUint32(nil, checksum(h.Offset, block))
	for _, part := range [][]byte{block, sum} {
		n, err := w.out.Write(part)
		w.offset += uint64(n)
		if err != nil {
			return filterblock.Handle{}, fmt.Errorf("writing a block at %d: %w", h.Offset, err)
		}
	}
	return h, nil
}

// blockReader reads blocks. Any number of goroutines may use it at once.
type blockReader struct {
	file io.ReaderAt
	end  uint64 // of the blocks
}

// read returns a block of its own memory. The handle may be any: it comes from the file.
func (r blockReader) read(h filterblock.Handle) ([]byte, error) {
	if h.Offset > r.end || h.Size > mostBytes || h.Size+checksumBytes > r.end-h.Offset {
		return nil, corrupt("a block of %d bytes at %d is not in the file", h.Size, h.Offset)
	}
	data := make([]byte, h.Size+checksumBytes)
	if _, err := io.ReadFull(io.NewSectionReader(r.file, int64(h.Offset), int64(len(data))), data); err != nil {
		return nil, fmt.Errorf("reading the block at %d: %w", h.Offset, err)
	}
	block, sum := data[:h.Size:h.Size], data[h.Size:]
	if binary.LittleEndian.Uint32(sum) != checksum(h.Offset, block) {
		return nil, corrupt("the checksum of the block at %d is wrong", h.Offset)
	}
	return block, nil
}

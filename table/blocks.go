package table

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
)

// trailerBytes follow every block: its compression and its checksum.
const trailerBytes = 1 + 4

// handle is the place of a block: its trailer is not part of the size.
type handle struct{ offset, size uint64 }

// decodeHandle reads a handle, two varints, and returns their length in bytes: 0 if data
// does not begin with two varints.
func decodeHandle(data []byte) (h handle, n int) {
	offset, n := binary.Uvarint(data)
	if n <= 0 {
		return handle{}, 0
	}
	size, m := binary.Uvarint(data[n:])
	if m <= 0 {
		return handle{}, 0
	}
	return handle{offset, size}, n + m
}

// end is where the block's trailer ends.
func (h handle) end() uint64 { return h.offset + h.size + trailerBytes }

// within reports whether the block and its trailer are within a file of the given size.
func (h handle) within(fileSize uint64) bool {
	return h.size <= fileSize && h.offset <= fileSize-h.size && fileSize-h.size-h.offset >= trailerBytes
}

// blocks reads a file's blocks.
type blocks struct {
	file    io.ReaderAt
	size    uint64 // of the file
	format  Format
	context uint32
}

// read returns a block and its compression, after verifying its checksum. Errors name it.
func (b *blocks) read(h handle, what blockName) ([]byte, compression, error) {
	data, err := b.readStored(h, what)
	if err == nil {
		err = b.verify(data, h, what)
	}
	if err != nil {
		return nil, 0, err
	}
	block, compressed := withoutTrailer(data)
	return block, compressed, nil
}

// withoutTrailer returns a block and its compression.
func withoutTrailer(data []byte) (block []byte, compressed compression) {
	size := len(data) - trailerBytes
	return data[:size:size], compression(data[size])
}

// readStored returns a block with its trailer.
func (b *blocks) readStored(h handle, what blockName) ([]byte, error) {
	block := what.at(h)
	if !h.within(b.size) {
		return nil, corrupt("the %s, %d bytes at %d, would end behind the file's %d bytes", block.Name, h.size, h.offset, b.size)
	}
	if h.size > math.MaxInt-trailerBytes {
		return nil, unsupported("the %s has %d bytes, more than this machine can hold", block.Name, h.size)
	}
	data := make([]byte, h.size+trailerBytes)
	if err := readBlock(b.file, data, block); err != nil {
		return nil, fmt.Errorf("the %s: %w", block.Name, err)
	}
	return data, nil
}

// verify compares the checksum in a block's trailer with the block.
func (b *blocks) verify(data []byte, h handle, what blockName) error {
	covered := data[:h.size+1]
	want := binary.LittleEndian.Uint32(data[len(covered):]) - modifier(b.context, h.offset)
	if err := checksum(b.format.Checksum).verify(covered, want); err != nil {
		return fmt.Errorf("the %v: %w", what, err)
	}
	return nil
}

// readPlain is read of a block that no writer compresses.
func (b *blocks) readPlain(h handle, what blockName) ([]byte, error) {
	data, compressed, err := b.read(h, what)
	if err == nil && compressed != uncompressed {
		err = unsupported("the %v is compressed by %s", what, b.format.nameOf(compressed))
	}
	return data, err
}

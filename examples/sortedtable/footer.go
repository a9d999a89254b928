package main

import (
	"encoding/binary"
	"fmt"
	"io"

	"github.com/simdbloom/simdbloom/filterblock"
)

// footer is the end of the file, from which everything else is found:
//
//	data block, data block, … partition of the filter, data block, …
//	index of the partitions
//	index of the data blocks
//	properties
//	footer: three handles, their checksum, eight bytes that say what the file is
//
// A partition is written when it has enough keys, so it lies among the data blocks of its keys.
type footer struct{ filter, index, properties filterblock.Handle }

const (
	magic       = "sortedt1" // the last character is the version of the format
	footerBytes = 3*16 + checksumBytes + len(magic)
)

// append appends the footer of a file whose blocks end at the given offset.
func (f footer) append(dst []byte, end uint64) []byte {
	from := len(dst)
	for _, h := range []filterblock.Handle{f.filter, f.index, f.properties} {
		dst = binary.LittleEndian.AppendUint64(dst, h.Offset)
		dst = binary.LittleEndian.AppendUint64(dst, h.Size)
	}
	dst = binary.LittleEndian.AppendUint32(dst, checksum(end, dst[from:]))
	return append(dst, magic...)
}

// readFooter reads the footer of a file of the given size, and returns where its blocks end.
func readFooter(file io.ReaderAt, size int64) (f footer, end uint64, err error) {
	if size < int64(footerBytes) {
		return footer{}, 0, corrupt("%d bytes, too few for a table", size)
	}
	data := make([]byte, footerBytes)
	end = uint64(size) - uint64(footerBytes)
	if _, err := io.ReadFull(io.NewSectionReader(file, int64(end), int64(footerBytes)), data); err != nil {
		return footer{}, 0, fmt.Errorf("reading the footer: %w", err)
	}
	handles, rest := data[:3*16], data[3*16:]
	if string(rest[checksumBytes:]) != magic {
		return footer{}, 0, corrupt("no table of this format")
	}
	if binary.LittleEndian.Uint32(rest) != checksum(end, handles) {
		return footer{}, 0, corrupt("the footer's checksum is wrong")
	}
	for i, h := range []*filterblock.Handle{&f.filter, &f.index, &f.properties} {
		h.Offset = binary.LittleEndian.Uint64(handles[16*i:])
		h.Size = binary.LittleEndian.Uint64(handles[16*i+8:])
	}
	return f, end, nil
}

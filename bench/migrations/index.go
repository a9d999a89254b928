package main

import (
	"encoding/binary"
	"fmt"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/linear"
)

// An index is a file that is mapped, in which a filter of hashes begins at an offset: what programs do with xorfilter's
// filters of large immutable files. Here a filter begins at a multiple of 64, where lookups are fastest, and 16 bytes
// before the index's end say where.

// AppendIndex appends an index of hashes with other contents to dst, which is empty or begins a file.
func AppendIndex(dst, contents []byte, hashes []uint64) ([]byte, error) {
	b, err := linear.NewBuilder(linear.BitsPerKeyFor(len(hashes), 1.0/256), keyhash.XX64)
	if err != nil {
		return nil, err
	}
	b.AddHashes(hashes)
	dst = append(dst, contents...)
	dst = append(dst, make([]byte, -len(dst)&63)...)
	offset := len(dst)
	if dst, err = b.AppendFinish(dst); err != nil {
		return nil, err
	}
	length := len(dst) - offset
	dst = binary.LittleEndian.AppendUint64(dst, uint64(offset))
	return binary.LittleEndian.AppendUint64(dst, uint64(length)), nil
}

// OpenIndex returns the filter of an index, without a copy: data must stay mapped while it is used.
func OpenIndex(data []byte) (*simdbloom.Filter, error) {
	if len(data) < 16 {
		return nil, fmt.Errorf("an index of %d bytes", len(data))
	}
	end := len(data) - 16
	offset, length := binary.LittleEndian.Uint64(data[end:]), binary.LittleEndian.Uint64(data[end+8:])
	if offset > uint64(end) || length > uint64(end)-offset {
		return nil, fmt.Errorf("a filter of %d bytes at %d of %d", length, offset, end)
	}
	return linear.Open(data[offset:][:length:length], keyhash.XX64)
}

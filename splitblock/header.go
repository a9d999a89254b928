package splitblock

import (
	"errors"
	"fmt"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/thrift"
)

// mostBytes is the size of the largest filter in a file: the header's size has 31 bits.
const mostBytes = 1<<31 - asm.SplitBlockBytes

// The unions of BloomFilterHeader in parquet.thrift, by their fields, and the only member that each has.
var unions = [...]string{2: "algorithm", 3: "hash", 4: "compression"}

const (
	onlyMember = 1 // BLOCK, XXHASH and UNCOMPRESSED
	gzipMember = 2 // of the compression: parquet-go's, not Parquet's
)

// ReadHeader reads a filter's header, a BloomFilterHeader of parquet.thrift: data begins at the
// column's bloom_filter_offset, and may end behind the header. It returns the sizes of the header and of the bits,
// which follow it at once, if data is not cut short.
//
// It accepts any bytes. Fields may be in any order, and unknown ones are skipped. An error wraps
// [simdbloom.ErrCorrupt]: the header is cut short or lacks a field; the size is not a multiple of 32 from 32 bytes to
// less than 2 GiB; or the filter has another algorithm, hash or compression than the
// specification has. The last is the case for filters that parquet-go compressed by gzip, in which the
// size is that of the compressed bits.
func ReadHeader(data []byte) (headerBytes, filterBytes int, err error) {
	headerBytes, filterBytes, err = readHeader(data)
	if err != nil {
		return 0, 0, fmt.Errorf("splitblock: %w: the filter's header: %w", simdbloom.ErrCorrupt, err)
	}
	return headerBytes, filterBytes, nil
}

func readHeader(data []byte) (headerBytes, filterBytes int, err error) {
	r := thrift.NewReader(data)
	size, members := int64(-1), [len(unions)]int16{}
	for id, t := r.Field(0); t != thrift.Stop; id, t = r.Field(id) {
		switch id {
		case 1:
			size = r.Int(t, thrift.I32)
		case 2, 3, 4:
			members[id] = unionMember(r, t)
		default:
			r.Skip(t)
		}
	}
	switch {
	case r.Err() != nil:
		return 0, 0, r.Err()
	case members[4] == gzipMember:
		return 0, 0, errors.New("the bits are compressed by gzip, which the specification does not have")
	case size == -1:
		return 0, 0, errors.New("no size")
	case size <= 0 || size%asm.SplitBlockBytes != 0:
		return 0, 0, fmt.Errorf("%d bytes are not a positive multiple of %d", size, asm.SplitBlockBytes)
	}
	for id := 2; id < len(unions); id++ {
		if members[id] != onlyMember {
			return 0, 0, fmt.Errorf("the %s is member %d of its union, and only %d is known", unions[id], members[id], onlyMember)
		}
	}
	return r.At(), int(size), nil
}

// unionMember returns which member of a union is set: 0 if it is none, and -1 if there are many.
func unionMember(r *thrift.Reader, t thrift.Type) (member int16) {
	r.Expect(t, thrift.Struct)
	for id, t := r.Field(0); t != thrift.Stop; id, t = r.Field(id) {
		if member != 0 {
			id = -1
		}
		member = id
		r.Skip(t)
	}
	return member
}

// AppendHeader appends the header of a filter with the given number of bytes, as all writers write it,
// and returns the extended slice. It panics if the size is not a multiple of 32 from 32 to 2,147,483,616.
func AppendHeader(dst []byte, filterBytes int) []byte {
	if filterBytes <= 0 || filterBytes%asm.SplitBlockBytes != 0 || filterBytes > mostBytes {
		panic(fmt.Sprintf("splitblock: a filter's size must be a multiple of %d from %d to %d, not %d", asm.SplitBlockBytes, asm.SplitBlockBytes, mostBytes, filterBytes))
	}
	dst = thrift.AppendField(dst, 0, 1, thrift.I32)
	dst = thrift.AppendInt(dst, int64(filterBytes))
	for range len(unions) - 2 {
		dst = append(dst, 0x1c, 0x1c, 0, 0) // the next field, a union: its member 1, an empty struct
	}
	return append(dst, 0)
}

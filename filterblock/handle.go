package filterblock

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/simdbloom/simdbloom"
)

// trailerBytes follow every block in RocksDB's files, and do not count as part of it.
const trailerBytes = 5

// Handle is the place of a block in a file.
type Handle struct {
	Offset uint64 // of its first byte
	Size   uint64 // in bytes, without a trailer that the file has behind it
}

// next returns where RocksDB's next block begins.
func (h Handle) next() uint64 { return h.Offset + h.Size + trailerBytes }

func (h Handle) append(dst []byte) []byte {
	return binary.AppendUvarint(binary.AppendUvarint(dst, h.Offset), h.Size)
}

var errNoHandle = errors.New("a row without a handle")

// handleIn reads the handle at the beginning of data, and returns its length.
func handleIn(data []byte) (h Handle, n int, err error) {
	offset, n := binary.Uvarint(data)
	if n <= 0 {
		return Handle{}, 0, errNoHandle
	}
	size, m := binary.Uvarint(data[n:])
	if m <= 0 {
		return Handle{}, 0, errNoHandle
	}
	return Handle{offset, size}, n + m, nil
}

// after reads the handle of a block that lies behind another one: only how much its size differs is
// stored (IndexValue in RocksDB's table/format.cc).
func (h Handle) after(data []byte) (Handle, int, error) {
	difference, n := binary.Varint(data)
	if n <= 0 {
		return Handle{}, 0, errors.New("a row without a size")
	}
	return Handle{h.next(), h.Size + uint64(difference)}, n, nil
}

func corruptIndex(format string, arguments ...any) error {
	return fmt.Errorf("filterblock: the index of partitions: %w: %w", simdbloom.ErrCorrupt, fmt.Errorf(format, arguments...))
}

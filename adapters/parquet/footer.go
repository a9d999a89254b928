package parquet

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/simdbloom/simdbloom/adapters/parquet/internal/footer"
)

const (
	magic          = "PAR1"
	encryptedMagic = "PARE"
	trailerBytes   = 4 + len(magic) // the footer's length, and the magic
	leastFileBytes = len(magic) + trailerBytes

	// tailBytes are read first: the footer of most files is in them.
	tailBytes = 64 << 10
)

// readFooter returns the file's metadata, and where it begins, which is where the data ends. It accepts
// one read, or two if the footer is larger than tailBytes.
func readFooter(r io.ReaderAt, size int64) (data []byte, at int64, err error) {
	if size < int64(leastFileBytes) {
		return nil, 0, footer.Corrupt("%d bytes are too few for a Parquet file", size)
	}
	tail := make([]byte, min(size, tailBytes))
	if err := readAt(r, tail, size-int64(len(tail))); err != nil {
		return nil, 0, err
	}
	data, at, err = footerOf(tail, size)
	if err == nil && data == nil {
		if data, err = memory(size - int64(trailerBytes) - at); err == nil {
			err = readAt(r, data, at)
		}
	}
	return data, at, err
}

// footerOf returns the metadata of a file with the given size whose last bytes are tail, or nil if it
// is longer than these, and where it begins.
func footerOf(tail []byte, size int64) (data []byte, at int64, err error) {
	if len(tail) < leastFileBytes {
		return nil, 0, footer.Corrupt("%d bytes are too few for a Parquet file", size)
	}
	end := len(tail) - trailerBytes
	switch string(tail[len(tail)-len(magic):]) {
	case magic:
	case encryptedMagic:
		return nil, 0, errors.New("parquet: the footer is encrypted")
	default:
		return nil, 0, footer.Corrupt("cut short, or not a Parquet file: it does not end with %s", magic)
	}
	length := int64(binary.LittleEndian.Uint32(tail[end:]))
	at = size - int64(trailerBytes) - length
	switch {
	case at < int64(len(magic)):
		return nil, 0, footer.Corrupt("a footer of %d bytes in a file of %d bytes", length, size)
	case length > int64(end):
		return nil, at, nil
	}
	return tail[end-int(length) : end : end], at, nil
}

// memory returns n bytes to read into.
func memory(n int64) ([]byte, error) {
	if int64(int(n)) != n {
		return nil, fmt.Errorf("parquet: %d bytes are too many to read", n)
	}
	return make([]byte, n), nil
}

// readAt fills data with the bytes from an offset on.
func readAt(r io.ReaderAt, data []byte, from int64) error {
	n, err := r.ReadAt(data, from)
	if n >= len(data) {
		return nil
	}
	if err == nil || err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return fmt.Errorf("parquet: reading %d bytes at %d: %w", len(data), from, err)
}

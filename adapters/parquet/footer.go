package parquet

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/simdbloom/simdbloom"
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
func readFooter(r io.ReaderAt, size int64) (footer []byte, at int64, err error) {
	if size < int64(leastFileBytes) {
		return nil, 0, corrupt("%d bytes are too few for a Parquet file", size)
	}
	tail := make([]byte, min(size, tailBytes))
	if err := readAt(r, tail, size-int64(len(tail))); err != nil {
		return nil, 0, err
	}
	footer, at, err = footerOf(tail, size)
	if err == nil && footer == nil {
		if footer, err = memory(size - int64(trailerBytes) - at); err == nil {
			err = readAt(r, footer, at)
		}
	}
	return footer, at, err
}

// footerOf returns the metadata of a file with the given size whose last bytes are tail, or nil if it
// is longer than these, and where it begins.
func footerOf(tail []byte, size int64) (footer []byte, at int64, err error) {
	if len(tail) < leastFileBytes {
		return nil, 0, corrupt("%d bytes are too few for a Parquet file", size)
	}
	end := len(tail) - trailerBytes
	switch string(tail[len(tail)-len(magic):]) {
	case magic:
	case encryptedMagic:
		return nil, 0, errors.New("parquet: the footer is encrypted")
	default:
		return nil, 0, corrupt("cut short, or not a Parquet file: it does not end with %s", magic)
	}
	length := int64(binary.LittleEndian.Uint32(tail[end:]))
	at = size - int64(trailerBytes) - length
	switch {
	case at < int64(len(magic)):
		return nil, 0, corrupt("a footer of %d bytes in a file of %d bytes", length, size)
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

// corrupt returns an error about the file's bytes.
func corrupt(format string, args ...any) error {
	return corruptError(fmt.Sprintf(format, args...))
}

// corruptError is simdbloom.ErrCorrupt, whose text is about a filter.
type corruptError string

func (e corruptError) Error() string { return "parquet: corrupt file: " + string(e) }

func (corruptError) Is(target error) bool { return target == simdbloom.ErrCorrupt }

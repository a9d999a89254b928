package dcso

import (
	"bufio"
	"compress/flate"
	"compress/gzip"
	"errors"
	"fmt"
	"io"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/aligned"
)

// Read reads a filter to the end of r, as Open does of bytes, in gzip or not: DCSO's tools write either. Memory
// grows with the bytes read, not with the header's numbers. Much of it is in huge pages where the system has
// any.
//
// A corrupt header is an error before the bits are read. Whatever is behind them is read as the free data: a small
// file in gzip can have much of it. The error wraps [simdbloom.ErrCorrupt] if the bytes are wrong, and otherwise
// r's error.
func Read(r io.Reader) (*Filter, error) {
	b := bufio.NewReaderSize(r, 64<<10)
	start, err := b.Peek(headerBytes)
	if err != nil && err != io.EOF {
		return nil, wrap(err)
	}
	if _, flaw := readHeader(start, maxInt); flaw != compressed {
		return readPlain(b)
	}
	z, err := gzip.NewReader(b)
	if err != nil {
		return nil, wrap(err)
	}
	return readPlain(bufio.NewReader(z))
}

const maxInt = int(^uint(0) >> 1)

func readPlain(b *bufio.Reader) (*Filter, error) {
	start, err := b.Peek(headerBytes)
	if err != nil && err != io.EOF {
		return nil, wrap(err)
	}
	h, flaw := readHeader(start, maxInt)
	if flaw != sound {
		return nil, fmt.Errorf("dcso: %w: %s", simdbloom.ErrCorrupt, flaw.of(start))
	}
	data := aligned.Make(min(h.end, 1<<20))
	n := 0
	for {
		more, err := b.Read(data[n:])
		n += more
		if err == nil && n == len(data) {
			_, err = b.Peek(1)
		}
		switch {
		case err == io.EOF:
			return Open(data[:n:n])
		case err != nil:
			return nil, wrap(err)
		case n == len(data):
			data = grow(data, h.end)
		}
	}
}

// grow returns the bytes and room for more: twice the size, but no more than a filter that ends at the
// given byte needs, and an eighth more for what is behind it.
func grow(data []byte, end int) []byte {
	n := len(data)
	size := n + n/8 + 1024
	if n < end {
		size = min(2*n, end)
	}
	grown := aligned.Make(size)
	copy(grown, data)
	return grown
}

// wrap adds that gzip is corrupt.
func wrap(err error) error {
	var corrupt flate.CorruptInputError
	if errors.Is(err, gzip.ErrChecksum) || errors.Is(err, gzip.ErrHeader) || errors.Is(err, io.ErrUnexpectedEOF) || errors.As(err, &corrupt) {
		return fmt.Errorf("dcso: %w: %w", simdbloom.ErrCorrupt, err)
	}
	return fmt.Errorf("dcso: %w", err)
}

package stored

import (
	"fmt"
	"io"
	"strings"

	"github.com/simdbloom/simdbloom/internal/aligned"
	"github.com/simdbloom/simdbloom/internal/formats/contents"
)

// Parse returns the file whose bytes are data, without copying the filter. It does not check the
// filter's checksums: Begin does.
func Parse(data []byte) (f File, err error) {
	if len(data) < LeastBytes {
		return f, tooShort(data)
	}
	s, err := readSizes(data)
	if err != nil {
		return f, err
	}
	switch size := s.body + s.length; {
	case len(data) < size:
		return f, cutShort(int64(len(data)))
	case len(data) > size:
		return f, corrupt("%d bytes follow the filter", len(data)-size)
	}
	if f, err = readHeader(data[:s.body], s); err != nil {
		return f, err
	}
	f.Body = data[s.body:len(data):len(data)]
	return f, nil
}

// Read reads a file, which nothing may follow. It returns the number of bytes that it read, and does
// not check the filter's checksums: Begin does.
func Read(r io.Reader) (f File, n int64, err error) {
	s := stream{r: r}
	f, err = s.file()
	return f, s.n, err
}

// ReadInfo reads a file's header, and nothing behind it.
func ReadInfo(r io.Reader) (Info, error) {
	s := stream{r: r}
	f, _, err := s.header()
	return f.Info, err
}

// Copy is Parse with all checksums, and a copy of the filter in aligned memory.
func Copy(data []byte) (File, error) {
	f, err := Parse(data)
	if err != nil {
		return f, err
	}
	f.Body = aligned.Copy(f.Body)
	return f, f.Begin(false)
}

// ReadAll is Read up to the end, with all checksums.
func ReadAll(r io.Reader) (f File, n int64, err error) {
	if f, n, err = Read(r); err == nil {
		err = f.Begin(false)
	}
	return f, n, err
}

// tooShort returns the error about a file of fewer than LeastBytes.
func tooShort(data []byte) error {
	if !strings.HasPrefix(magic, string(data[:min(len(data), len(magic))])) {
		return foreign()
	}
	return cutShort(int64(len(data)))
}

func foreign() error {
	return corrupt("not a filter file: it does not begin with %q (simdbloom.Open reads raw bytes)", magic)
}

func cutShort(bytes int64) error {
	return fmt.Errorf("%w: cut short after %d bytes: %w", contents.ErrCorrupt, bytes, io.ErrUnexpectedEOF)
}

// HeadBytes returns how many bytes are before the filter, by the first LeastBytes of a file.
func HeadBytes(fixed []byte) (int64, error) {
	s, err := readSizes(fixed)
	return int64(s.body), err
}

// ParseHead returns a file without its body from the bytes before the filter, and the checksums of the pieces.
func ParseHead(head []byte) (f File, sums []uint64, err error) {
	s, err := readSizes(head)
	if err != nil {
		return f, nil, err
	}
	f, err = readHeader(head[:s.body], s)
	return f, f.sums, err
}

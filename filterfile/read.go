package filterfile

import (
	"encoding"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/simdbloom/simdbloom/internal/aligned"
)

var (
	_ encoding.BinaryUnmarshaler = (*Filter)(nil)
	_ io.ReaderFrom              = (*Filter)(nil)
)

// OpenBytes returns the filter in the bytes of a file, without copying them: they must neither
// change nor be freed while it is in use. Bytes that begin at a multiple of 64 are looked up
// fastest.
//
// It takes any bytes. Its error wraps [ErrCorrupt], or [ErrUnknown]. It reads all of them, unless
// [WithLazyCheck] is given.
func OpenBytes(data []byte, options ...OpenOption) (*Filter, error) {
	o := openOptionsOf(options)
	if err := o.whole(); err != nil {
		return nil, err
	}
	made, err := openBytes(data, o, false)
	if err != nil {
		return nil, err
	}
	return filterOf(made), nil
}

// UnmarshalBinary makes f the filter in the bytes of a file, of which it keeps a copy. See
// [OpenBytes] and [Expect]. After an error f is what it was. Do not call it while others use f.
func (f *Filter) UnmarshalBinary(data []byte) error {
	made, err := openBytes(data, f.options, true)
	if err != nil {
		return err
	}
	f.replace(made)
	return nil
}

func openBytes(data []byte, o openOptions, copied bool) (*opened, error) {
	if len(data) < atNames {
		return nil, cutShort(len(data))
	}
	s, err := readSizes(data)
	if err != nil {
		return nil, err
	}
	switch size := s.body + s.length; {
	case len(data) < size:
		return nil, cutShort(len(data))
	case len(data) > size:
		return nil, corrupt("%d bytes follow the filter", len(data)-size)
	}
	h, err := readHeader(data[:s.body], s)
	if err != nil {
		return nil, err
	}
	body := data[s.body:len(data):len(data)]
	if copied {
		body = aligned.Copy(body)
	}
	return newOpened(h, body, o)
}

func cutShort(bytes int) error {
	return fmt.Errorf("filterfile: %w: cut short after %d bytes: %w", ErrCorrupt, bytes, io.ErrUnexpectedEOF)
}

// Expect returns a Filter without bytes, for [Filter.UnmarshalBinary], [Filter.ReadFrom] and
// decoders that call them. They go by the options.
func Expect(options ...OpenOption) *Filter {
	return &Filter{options: openOptionsOf(options)}
}

// Read reads a filter file up to its end, into memory that begins at a multiple of 64. Bytes
// that are wrong are an error that wraps [ErrCorrupt], or [ErrUnknown]; errors of r are wrapped,
// too. Whatever the bytes say, it allocates at most about three times what r gives, and a
// megabyte.
func Read(r io.Reader, options ...OpenOption) (*Filter, error) {
	f := Expect(options...)
	if _, err := f.ReadFrom(r); err != nil {
		return nil, err
	}
	return f, nil
}

// ReadFrom makes f the filter that r gives, and returns the number of bytes that it read. See
// [Read]. After an error f is what it was. Do not call it while others use f.
func (f *Filter) ReadFrom(r io.Reader) (n int64, err error) {
	s := stream{r: r}
	made, err := s.opened(f.options)
	if err != nil {
		return s.n, err
	}
	f.replace(made)
	return s.n, nil
}

// stream reads a file whose length is unknown.
type stream struct {
	r io.Reader
	n int64 // bytes that were read
}

func (s *stream) opened(o openOptions) (*opened, error) {
	sizes, h, err := s.header()
	if err != nil {
		return nil, err
	}
	body, err := s.append(aligned.Make(0), sizes.length)
	if err != nil {
		return nil, err
	}
	if !o.more {
		if err := s.end(); err != nil {
			return nil, err
		}
	}
	return newOpened(h, body, o)
}

func (s *stream) header() (at sizes, h header, err error) {
	fixed, err := s.append(nil, atNames)
	if err != nil {
		return at, h, err
	}
	if at, err = readSizes(fixed); err != nil {
		return at, h, err
	}
	head, err := s.append(fixed, at.body)
	if err != nil {
		return at, h, err
	}
	h, err = readHeader(head, at)
	return at, h, err
}

// firstBytes are allocated before anything was read.
const firstBytes = 1 << 20

// append reads more bytes, until there are n, into aligned memory. Of these it allocates at most
// twice as many as it has read, unless the reader says how many it has.
func (s *stream) append(read []byte, n int) ([]byte, error) {
	given := s.given()
	for len(read) < n {
		more := min(n-len(read), max(firstBytes, len(read), given))
		grown := aligned.Make(len(read) + more)
		copy(grown, read)
		m, err := io.ReadFull(s.r, grown[len(read):])
		s.n += int64(m)
		read = grown[:len(read)+m]
		switch {
		case err == io.EOF || err == io.ErrUnexpectedEOF:
			return nil, cutShort(int(min(s.n, math.MaxInt)))
		case err != nil:
			return nil, fmt.Errorf("filterfile: %w", err)
		}
	}
	return read, nil
}

// given returns the number of bytes that the reader is known to have, or 0.
func (s *stream) given() int {
	if r, ok := s.r.(interface{ Len() int }); ok {
		return max(r.Len(), 0)
	}
	if r, ok := s.r.(*io.SectionReader); ok {
		return int(min(r.Size()-s.n, math.MaxInt))
	}
	return 0
}

// end requires that nothing follows.
func (s *stream) end() error {
	var next [1]byte
	m, err := io.ReadFull(s.r, next[:])
	s.n += int64(m)
	switch {
	case m > 0:
		return corrupt("bytes follow the filter")
	case !errors.Is(err, io.EOF):
		return fmt.Errorf("filterfile: %w", err)
	}
	return nil
}

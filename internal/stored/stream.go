package stored

import (
	"errors"
	"io"
	"math"

	"github.com/simdbloom/simdbloom/internal/aligned"
)

// stream reads a file whose length is unknown.
type stream struct {
	r io.Reader
	n int64 // bytes that were read
}

func (s *stream) file() (f File, err error) {
	f, at, err := s.header()
	if err != nil {
		return f, err
	}
	if f.Body, err = s.append(aligned.Make(0), at.length); err != nil {
		return f, err
	}
	return f, s.end()
}

func (s *stream) header() (f File, at sizes, err error) {
	fixed, err := s.append(nil, atNames)
	if err != nil && fixed != nil {
		err = tooShort(fixed)
	}
	if err != nil {
		return f, at, err
	}
	if at, err = readSizes(fixed); err != nil {
		return f, at, err
	}
	head, err := s.append(fixed, at.body)
	if err != nil {
		return f, at, err
	}
	f, err = readHeader(head, at)
	return f, at, err
}

// firstBytes are allocated before anything was read.
const firstBytes = 1 << 20

// append reads more bytes, until there are n, into aligned memory. Of these it allocates at most
// twice as many as it has read, unless the reader knows how many it has. If there are fewer, it returns
// them and the error.
func (s *stream) append(read []byte, n int) ([]byte, error) {
	var given int
	if n-len(read) > firstBytes {
		given = s.given()
	}
	for len(read) < n {
		more := min(n-len(read), max(firstBytes, len(read), given))
		grown := aligned.Make(len(read) + more)
		copy(grown, read)
		m, err := io.ReadFull(s.r, grown[len(read):])
		s.n += int64(m)
		read = grown[:len(read)+m]
		switch {
		case err == io.EOF || err == io.ErrUnexpectedEOF:
			return read, cutShort(s.n)
		case err != nil:
			return nil, err
		}
	}
	return read, nil
}

// given returns the number of bytes that the reader is known to have, or 0. A section may be longer than
// its source, unless its last byte can be read.
func (s *stream) given() (bytes int) {
	switch r := s.r.(type) {
	case interface{ Len() int }:
		bytes = r.Len()
	case *io.SectionReader:
		at, _ := r.Seek(0, io.SeekCurrent)
		if n, _ := r.ReadAt(make([]byte, 1), r.Size()-1); n == 1 {
			bytes = int(min(r.Size()-at, math.MaxInt))
		}
	}
	return bytes
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
		return err
	}
	return nil
}

package sliced

import (
	"fmt"

	"github.com/simdbloom/simdbloom/internal/pieces"
	"github.com/simdbloom/simdbloom/internal/stored"
)

// source is a file that tiles are in, whose pieces are checked when they are read.
type source struct {
	body   []byte
	file   *stored.File // which keeps the body mapped
	pieces *pieces.Pieces
}

// isRight reports whether the pieces of n bytes are right.
func (s *source) isRight(at, n int) bool {
	size := s.pieces.Size()
	for piece := at / size; piece <= (at+n-1)/size; piece++ {
		if !s.pieces.Check(piece) {
			return false
		}
	}
	return true
}

// check returns an error if one of the pieces of n bytes is wrong.
func (s *source) check(at, n int) error {
	if !s.pieces.AllRight() && !s.isRight(at, n) {
		return wrap(s.file.Err())
	}
	return nil
}

// checkRows is check of rows that are stride bytes apart.
func (s *source) checkRows(at, stride, bytes, rows int) error {
	for row := 0; row < rows && !s.pieces.AllRight(); row++ {
		if err := s.check(at+row*stride, bytes); err != nil {
			return err
		}
	}
	return nil
}

// passOver replaces rows of a tile that are in wrong pieces by that of live columns, which was checked before: such
// rows rule out no filter.
func (s *source) passOver(rows []uint64, t *tile, live uint64) {
	if s.pieces.AllRight() {
		return
	}
	for i, row := range rows {
		if !s.isRight(t.at+int(row), t.room) {
			rows[i] = live
		}
	}
}

// Check compares all checksums of an opened file that were not compared yet. Its error wraps [simdbloom.ErrCorrupt]. It
// needs the time of reading the file.
func (s *Filters) Check() error {
	return s.ofSource((*stored.File).Check)
}

// Err returns an error that wraps [simdbloom.ErrCorrupt] and names the piece of the file that was found to be wrong,
// the first one, or nil as long as none was. Only with [filterfile.WithLazyCheck] there may be one.
func (s *Filters) Err() error {
	return s.ofSource((*stored.File).Err)
}

func (s *Filters) ofSource(err func(*stored.File) error) error {
	c := s.opened.Load()
	switch {
	case c == nil:
		return errClosed
	case c.source == nil:
		return nil
	}
	return wrap(err(c.source.file))
}

func wrap(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("sliced: %w", err)
}

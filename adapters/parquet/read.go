package parquet

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/splitblock"
)

const (
	// firstBytes are read of a filter whose length the file does not say.
	firstBytes = 4 << 10

	// gapBytes between two filters are read with them: less work than another read.
	gapBytes = 64 << 10

	// mostBytes are read at once, unless a filter is larger.
	mostBytes = 64 << 20

	// lineBytes are what filters should begin at a multiple of, in memory.
	lineBytes = 64
)

// source is where the bytes of a file's data are, which is all before the footer.
type source struct {
	reader io.ReaderAt // or
	data   []byte
	end    int64
}

// bytes returns the bytes from one offset to another. They are in memory as they are in the file,
// relative to multiples of 64, if Go begins them at one, which it does with large slices.
func (s *source) bytes(from, to int64) ([]byte, error) {
	if s.reader == nil {
		return s.data[from:to:to], nil
	}
	start := from &^ (lineBytes - 1)
	data, err := readAt(s.reader, start, to)
	if err != nil {
		return nil, err
	}
	return data[from-start:], nil
}

// piece is a range of the file that a filter is in, or begins in.
type piece struct {
	rowGroup int
	from, to int64
}

// read opens the filters of a column in the given row groups. Those whose ranges are close together
// it reads in one read.
func (f *File) read(column int, rowGroups []int, filters []*simdbloom.Filter) error {
	pieces := make([]piece, 0, len(rowGroups))
	for _, g := range rowGroups {
		c := f.rowGroups[g][column]
		length := cmp.Or(int64(c.FilterLength), min(firstBytes, f.source.end-c.FilterOffset))
		if c.FilterOffset < int64(len(magic)) || c.FilterOffset >= f.source.end || length < 0 || length > f.source.end-c.FilterOffset {
			return f.wrap(corrupt("a filter of %d bytes at %d: the data ends at %d", c.FilterLength, c.FilterOffset, f.source.end), g, column)
		}
		pieces = append(pieces, piece{g, c.FilterOffset, c.FilterOffset + length})
	}
	slices.SortFunc(pieces, func(a, b piece) int { return cmp.Or(cmp.Compare(a.from, b.from), a.rowGroup-b.rowGroup) })
	for len(pieces) > 0 {
		n, to := 1, pieces[0].to
		for ; n < len(pieces) && pieces[n].from <= to+gapBytes && pieces[n].to-pieces[0].from <= mostBytes; n++ {
			to = max(to, pieces[n].to)
		}
		data, err := f.source.bytes(pieces[0].from, to)
		if err != nil {
			return err
		}
		for _, p := range pieces[:n] {
			filter, err := f.open(data[p.from-pieces[0].from:], p, column)
			if err != nil {
				return f.wrap(err, p.rowGroup, column)
			}
			filters[p.rowGroup] = filter
		}
		pieces = pieces[n:]
	}
	return nil
}

// open opens the filter that begins at data, of which the rest may still have to be read.
func (f *File) open(data []byte, p piece, column int) (*simdbloom.Filter, error) {
	if length := f.rowGroups[p.rowGroup][column].FilterLength; length != 0 {
		data = data[:p.to-p.from]
	} else if header, size, err := splitblock.ReadHeader(data); err == nil && header+size > len(data) && int64(size) <= f.source.end-p.from {
		if data, err = f.source.bytes(p.from, min(p.from+int64(header)+int64(size), f.source.end)); err != nil {
			return nil, err
		}
	}
	bits, err := splitblock.AfterHeader(data)
	if err != nil {
		return nil, err
	}
	return splitblock.Open(bits, keyhash.XX64)
}

func (f *File) wrap(err error, rowGroup, column int) error {
	return fmt.Errorf("row group %d, column %q: %w", rowGroup, f.columns[column].Name(), err)
}

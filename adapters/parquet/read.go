package parquet

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"slices"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/adapters/parquet/internal/footer"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/splitblock"
)

const (
	// firstBytes are read of a filter whose length the file does not say.
	firstBytes = 4 << 10

	// mostBytes are read at once, unless a filter is larger.
	mostBytes = 64 << 20

	// mostPassing are read at once of filters that are not kept, unless one is larger: so they stay in a cache.
	mostPassing = 256 << 10

	// lineBytes divides the addresses where filters should begin.
	lineBytes = 64
)

// source is where the bytes of a file's data are, which is all before the footer.
type source struct {
	reader   io.ReaderAt // or
	data     []byte
	end      int64
	readCost int64 // of reader, in bytes
}

// bytes returns the bytes from one offset to another: in new memory, or in the buffer. They are in memory as they are
// in the file, relative to multiples of 64, if Go begins them at one, which it does with large slices.
func (s *source) bytes(from, to int64, buffer *[]byte) ([]byte, error) {
	if s.reader == nil {
		return s.data[from:to:to], nil
	}
	start := from
	if to-from > headerBytes { // it is not a block or a header
		start &^= lineBytes - 1
	}
	var data []byte
	if buffer != nil && int64(len(*buffer)) >= to-start {
		data = (*buffer)[:to-start]
	} else {
		var err error
		if data, err = memory(to - start); err != nil {
			return nil, err
		}
		if buffer != nil {
			*buffer = data
		}
	}
	return data[from-start:], readAt(s.reader, data, start)
}

// piece is a range of the file that a row group's filter is in, begins in, or has a part in.
type piece struct {
	rowGroup int
	from, to int64
	hash     uint64 // that is looked up in it, if it is a block
}

func sortPieces(pieces []piece) {
	slices.SortFunc(pieces, func(a, b piece) int { return cmp.Or(cmp.Compare(a.from, b.from), a.rowGroup-b.rowGroup) })
}

// together returns the number of sorted pieces that one read is best for, and where it ends.
func (s *source) together(pieces []piece, most int64) (n int, to int64) {
	n, to = 1, pieces[0].to
	for ; n < len(pieces) && pieces[n].from-to <= s.readCost && pieces[n].to-pieces[0].from <= most; n++ {
		to = max(to, pieces[n].to)
	}
	return n, to
}

// each calls use with every one of sorted pieces and its bytes, which nothing changes later.
func (s *source) each(pieces []piece, use func(p piece, data []byte) error) error {
	return s.eachRead(pieces, mostBytes, nil, func(read []piece, data []byte) error {
		for _, p := range read {
			if err := use(p, p.in(data, read[0].from)); err != nil {
				return err
			}
		}
		return nil
	})
}

// eachRead calls use with the pieces that are read at once, and the bytes from the first on.
func (s *source) eachRead(pieces []piece, most int64, buffer *[]byte, use func(read []piece, data []byte) error) error {
	for len(pieces) > 0 {
		n, to := s.together(pieces, most)
		data, err := s.bytes(pieces[0].from, to, buffer)
		if err != nil {
			return err
		}
		if err := use(pieces[:n], data); err != nil {
			return err
		}
		pieces = pieces[n:]
	}
	return nil
}

// in returns the piece's bytes, in data that begins at an offset of the file.
func (p *piece) in(data []byte, at int64) []byte { return data[p.from-at:][:p.to-p.from] }

// pieces returns where the filters of a column are in the given row groups, sorted, or where they begin if the file
// does not say their lengths: lengths is false, then. Filters that cannot be there are left out. The caller holds k.mu.
func (f *File) pieces(k *kept, column int, rowGroups []int) (pieces []piece, lengths bool, err error) {
	pieces, lengths = make([]piece, 0, len(rowGroups)), true
	room := f.room()
	for _, g := range rowGroups {
		p, err := f.piece(g, column, &room)
		if err == nil {
			err = f.doubt(g, column)
		}
		if err != nil {
			if !errors.Is(err, simdbloom.ErrCorrupt) {
				return nil, false, f.about(g, column, err)
			}
			if err := f.refuse(k, g, column, err); err != nil {
				return nil, false, err
			}
			continue
		}
		lengths = lengths && f.rowGroups[g][column].FilterLength != 0
		pieces = append(pieces, p)
	}
	sortPieces(pieces)
	return pieces, lengths, nil
}

// piece returns where the filter of a column chunk is, or begins, if there is room.
func (f *File) piece(rowGroup, column int, room *int64) (piece, error) {
	c := f.rowGroups[rowGroup][column]
	length := cmp.Or(int64(c.FilterLength), min(firstBytes, f.source.end-c.FilterOffset))
	if c.FilterOffset < int64(len(magic)) || c.FilterOffset >= f.source.end || length < 0 || length > f.source.end-c.FilterOffset {
		return piece{}, footer.Corrupt("a filter of %d bytes at %d: the data ends at %d", c.FilterLength, c.FilterOffset, f.source.end)
	}
	if int64(c.FilterLength) > *room {
		return piece{}, footer.Corrupt("with the row groups before, its filters have more bytes than the file")
	}
	*room -= int64(c.FilterLength)
	return piece{rowGroup: rowGroup, from: c.FilterOffset, to: c.FilterOffset + length}, nil
}

// room returns how many bytes the filters of a column may have. They do not overlap, so the file has room for them; a
// hostile one could say that every row group has the same large filter.
func (f *File) room() int64 { return max(f.source.end, mostBytes) }

// read opens the filters of a column that are in, or begin in, the given pieces. The caller holds k.mu.
func (f *File) read(k *kept, column int, pieces []piece) error {
	room := f.room()
	return f.source.each(pieces, func(p piece, data []byte) error {
		filter, err := f.open(data, p, column, &room)
		if errors.Is(err, simdbloom.ErrCorrupt) {
			return f.refuse(k, p.rowGroup, column, err)
		}
		if err != nil {
			return f.about(p.rowGroup, column, err)
		}
		k.filters[p.rowGroup] = filter
		return nil
	})
}

// open opens the filter that begins at data, of which the rest may still have to be read, if there is room.
func (f *File) open(data []byte, p piece, column int, room *int64) (*simdbloom.Filter, error) {
	header, size, err := splitblock.ReadHeader(data)
	if err != nil {
		return nil, err
	}
	if length := f.rowGroups[p.rowGroup][column].FilterLength; length != 0 {
		if !has(length, header, size) {
			return nil, footer.Corrupt("a filter of %d bytes in the footer has a header of %d bytes for %d bytes of bits", length, header, size)
		}
	} else if header+size > len(data) && int64(size) <= min(*room, f.source.end-p.from) {
		*room -= int64(size)
		if data, err = f.source.bytes(p.from, min(p.from+int64(header)+int64(size), f.source.end), nil); err != nil {
			return nil, err
		}
	}
	if size > len(data)-header {
		return nil, footer.Corrupt("a filter's header says %d bytes, and %d follow", size, len(data)-header)
	}
	bits := data[header : header+size : header+size]
	if fault := f.empty(); fault != nil && f.rowGroups[p.rowGroup][column].Values > 0 && len(bytes.Trim(bits, "\x00")) == 0 {
		return nil, footer.Corrupt("%s", fault.what)
	}
	return splitblock.Open(bits, keyhash.XX64)
}

// has reports whether a filter whose length is in the footer has the header and the bits, and nothing else: with fewer
// bits than it was written with, all values are elsewhere, and would be missing.
func has(length, header, size int) bool { return int64(length) == int64(header)+int64(size) }

package sliced

import (
	"slices"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/keyhash"
)

// shape has the filters of one kind.
type shape struct {
	kind
	usual     *frame // of most filters
	columns   int    // that filters have or had
	free      numbers
	waiting   []arrival // filters whose columns are not in the tiles yet, which are loose
	tiles     []tile
	ids       []uint32 // of the columns, or nil while each is the column's number
	unordered bool     // ids do not ascend
	stale     bool     // tiles may have bits of filters that were removed
}

const (
	fewestSliced = 32 // filters of a shape that has no tiles: fewer are looked up faster one by one
	together     = 8  // filters that become columns together, which costs a sixth of one after the other
)

func (s *shape) live() int { return s.columns - s.free.n }

// enough returns how many waiting filters become columns.
func (s *shape) enough() int {
	if s.tiles == nil {
		return fewestSliced
	}
	return together
}

// next returns the column that add takes.
func (s *shape) next() int {
	if s.free.n > 0 {
		return s.free.lowest()
	}
	return s.columns
}

// add gives a column, which is free or columns, to a filter.
func (s *shape) add(column, id int) {
	if column < s.columns {
		s.free.remove(column)
	} else {
		s.columns++
	}
	if s.ids == nil {
		return
	}
	if column == len(s.ids) {
		s.ids = append(s.ids, uint32(id))
	}
	s.ids[column] = uint32(id)
	if column > 0 && s.ids[column-1] > uint32(id) || column+1 < len(s.ids) && s.ids[column+1] < uint32(id) {
		s.unordered = true
	}
}

// remove makes a column free.
func (s *shape) remove(column int) {
	s.waiting = slices.DeleteFunc(s.waiting, func(a arrival) bool { return a.column == column })
	s.free.add(column)
}

// list makes ids explicit.
func (s *shape) list() {
	s.ids = make([]uint32, s.columns)
	for column := range s.ids {
		s.ids[column] = uint32(column)
	}
}

func (s *shape) id(column int) int {
	if s.ids == nil {
		return column
	}
	return int(s.ids[column])
}

// filter returns the filter in a column, or nil if a piece of the file is wrong.
func (s *shape) filter(column int, fr *frame, hash keyhash.Hash) *simdbloom.Filter {
	t := &s.tiles[column/tileColumns]
	column %= tileColumns
	if t.source != nil && t.source.checkRows(t.at+column/wordColumns*8, t.stride, 8, s.rows()) != nil {
		return nil
	}
	f, _ := fr.filter(s.bodyBytes, hash, func(body []byte) { t.read(body, column) })
	return f
}

// tileWidth returns the bytes of a tile's rows that have columns. Those of waiting filters may have no room yet.
func (s *shape) tileWidth(tile int) int {
	return min(width(min(s.columns-tile*tileColumns, tileColumns)), s.tiles[tile].room)
}

// hidesColumns reports whether tiles may have bits in columns that no filter has. Those of a file may have any.
func (s *shape) hidesColumns(t *tile) bool { return s.stale || t.source != nil }

// appendRows appends the rows of a hash in a tile, and that of live columns if it matters.
func (s *shape) appendRows(rows []uint64, t *tile, hash uint64) []uint64 {
	rows = asm.SlicedRows(rows, s.format, uint64(s.blocks()), hash, s.probes, t.stride)
	if s.hidesColumns(t) {
		rows = append(rows, s.liveRow(t))
	}
	return rows
}

func (s *shape) liveRow(t *tile) uint64 { return 8 * uint64(s.bodyBytes) * uint64(t.stride) }

func (s *shape) blocks() int {
	if s.format == asm.SplitBlock {
		return s.bodyBytes / asm.SplitBlockBytes
	}
	return s.bodyBytes / asm.BlockBytes
}

func (s *shape) bytes() int {
	n := 4*cap(s.ids) + s.free.bytes()
	for i := range s.tiles {
		n += s.rows() * strideOf(s.tiles[i].room)
	}
	return n
}

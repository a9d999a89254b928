package sliced

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/aligned"
)

// A tile has the columns of up to tileColumns filters of a shape. Rows are whole in it, and behind those of the bodies'
// bits is the row of live columns. So full tiles are never copied, and a lookup reads long stretches of memory.
type tile struct {
	memory []byte
	stride int // bytes between rows
	room   int // bytes of a row that columns can have
	source *source
	at     int // where the memory begins in the source
}

const (
	tileColumns  = 8 * asm.MostSlicedBytes
	chunkColumns = 512
	chunkBytes   = chunkColumns / 8
	wordColumns  = 64
)

// width returns the bytes of a row that are read for the given number of columns.
func width(columns int) int {
	for bytes := 8; bytes < chunkBytes; bytes *= 2 {
		if columns <= 8*bytes {
			return bytes
		}
	}
	return (columns + chunkColumns - 1) / chunkColumns * chunkBytes
}

// strideOf returns the distance of rows of the given width: an odd number of lines, where that needs at most 4 % more
// memory. A line of each of many rows is then in all sets of the caches: rows 4 KiB apart would be in one, and take 3
// to 4 times as long.
func strideOf(width int) int {
	const fewestLines = 26
	if lines := width / chunkBytes; lines >= fewestLines && lines%2 == 0 {
		width += chunkBytes
	}
	return width
}

// roomFor returns the room of a tile that has less, for rows of the given width and, if possible, of the wanted one: it
// doubles, and grows by a quarter from eight chunks on.
func roomFor(room, width, wanted int) int {
	switch {
	case room < 8*chunkBytes:
		room *= 2
	default:
		room += (room/4 + chunkBytes - 1) / chunkBytes * chunkBytes
	}
	return min(max(room, width, wanted), asm.MostSlicedBytes)
}

// mostBytes is beyond all memory, where the machine's is not known.
const mostBytes = min(math.MaxInt-aligned.Slack, 1<<46)

// checkRoom returns an error if tiles of so many columns, and of those that are expected, do not fit in memory.
func (s *shape) checkRoom(columns, expected int) error {
	all := float64(columns) + float64(expected)
	size := all / 8 * (8*float64(s.bodyBytes) + 1)
	if size > float64(min(mostBytes, aligned.Memory())) {
		return fmt.Errorf("sliced: %.0f filters of %d bytes are %w", all, s.bodyBytes, simdbloom.ErrTooLarge)
	}
	return nil
}

// makeRoom makes room for so many columns, and for those that are expected beyond them in the same tiles. After an
// error nothing has changed.
func (s *shape) makeRoom(columns, expected int) error {
	if err := s.checkRoom(columns, 0); err != nil {
		return err
	}
	for i := 0; i*tileColumns < columns; i++ {
		needed := min(columns-i*tileColumns, tileColumns)
		wanted := min(needed+expected, tileColumns)
		if i == len(s.tiles) {
			s.tiles = append(s.tiles, tile{})
		}
		if t := &s.tiles[i]; t.room < width(needed) {
			if err := s.replace(t, roomFor(t.room, width(needed), width(wanted))); err != nil {
				return err
			}
		}
	}
	return nil
}

// own makes a tile memory of its own, if it is a file's.
func (s *shape) own(t *tile) error {
	if t.source == nil {
		return nil
	}
	return s.replace(t, t.room)
}

// replace copies a tile into memory with other room.
func (s *shape) replace(t *tile, room int) error {
	if t.source != nil {
		if err := t.source.checkRows(t.at, t.stride, t.room, s.rows()); err != nil {
			return err
		}
	}
	made := tile{memory: aligned.Make(s.rows() * strideOf(room)), stride: strideOf(room), room: room}
	if t.memory != nil {
		live := t.memory[s.liveRow(t):][:t.room]
		for row := range s.rows() {
			to := made.memory[row*made.stride:][:t.room]
			if copy(to, t.memory[row*t.stride:]); t.source != nil { // other columns may have any bits
				for at := 0; at < len(to); at += 8 {
					word := binary.LittleEndian.Uint64(to[at:]) & binary.LittleEndian.Uint64(live[at:])
					binary.LittleEndian.PutUint64(to[at:], word)
				}
			}
		}
	}
	*t = made
	return nil
}

// rows returns the number of rows of a tile.
func (s *shape) rows() int { return 8*s.bodyBytes + 1 }

// setLive sets the bit of a column in the row of live columns.
func (s *shape) setLive(column int, live bool) error {
	t := &s.tiles[column/tileColumns]
	if err := s.own(t); err != nil {
		return err
	}
	column %= tileColumns
	word := t.memory[8*s.bodyBytes*t.stride+column/wordColumns*8:]
	bits := binary.LittleEndian.Uint64(word) &^ (1 << (column % wordColumns))
	if live {
		bits |= 1 << (column % wordColumns)
	}
	binary.LittleEndian.PutUint64(word, bits)
	return nil
}

// arrival is a filter that is about to become a column.
type arrival struct {
	column int
	body   []byte
}

// pieceBytes of bodies are transposed at a time: the lines of their rows stay in the second-level cache, in which the
// words of a chunk's other columns are written.
const pieceBytes = 256

// prepare makes room for filters that are about to become columns, and for those that are expected beyond them.
func (s *shape) prepare(arrivals []arrival, expected int) error {
	columns := s.columns
	for _, a := range arrivals {
		columns = max(columns, a.column+1)
	}
	if err := s.makeRoom(columns, expected); err != nil {
		return err
	}
	for _, a := range arrivals {
		if err := s.own(&s.tiles[a.column/tileColumns]); err != nil {
			return err
		}
	}
	return nil
}

// slice writes filters, in the order of their columns, after prepare.
func (s *shape) slice(arrivals []arrival) {
	for len(arrivals) > 0 {
		n := 1
		for n < len(arrivals) && arrivals[n].column/chunkColumns == arrivals[0].column/chunkColumns {
			n++
		}
		s.sliceChunk(arrivals[:n])
		arrivals = arrivals[n:]
	}
}

// sliceChunk writes filters whose columns are in one chunk.
func (s *shape) sliceChunk(arrivals []arrival) {
	var bodies [wordColumns][]byte
	t := &s.tiles[arrivals[0].column/tileColumns]
	for from := 0; from < s.bodyBytes; from += pieceBytes {
		to := min(from+pieceBytes, s.bodyBytes)
		for left := arrivals; len(left) > 0; {
			n := neighbours(left)
			for i, a := range left[:n] {
				bodies[i] = a.body[from:to]
			}
			asm.SliceBodies(t.memory[8*from*t.stride:], t.stride, left[0].column%tileColumns, bodies[:n])
			left = left[n:]
		}
	}
	for _, a := range arrivals {
		s.setLive(a.column, true) // the tile is its own
	}
}

// neighbours returns how many columns follow each other in one word.
func neighbours(arrivals []arrival) int {
	n, first := 1, arrivals[0].column
	for n < len(arrivals) && arrivals[n].column == first+n && (first+n)%wordColumns != 0 {
		n++
	}
	return n
}

// read copies a column to a body.
func (t *tile) read(body []byte, column int) {
	bodies := [1][]byte{body}
	asm.UnsliceBodies(bodies[:], t.memory, t.stride, column)
}

package sliced

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/simdbloom/simdbloom/internal/formats/contents"
)

// directory is the part of a file before filters and matrices: docs/files.md describes it.
type directory struct {
	ids    uint64
	frames []frame
	shapes []shapeEntry
	loose  []looseEntry
	odd    []oddEntry
	places []uint64 // of the ids, or none while each is the column of its number in the only shape
}

// shapeEntry has a shape that has a matrix.
type shapeEntry struct{ frame, bodyBytes, columns uint64 }

// looseEntry has a filter that is stored as it is.
type looseEntry struct{ id, frame, bytes uint64 }

// oddEntry has a filter whose frame is not its shape's.
type oddEntry struct{ id, frame uint64 }

// unplaced is the place of removed ids, and of filters without a matrix. Others have a column and, above its 32 bits, a
// shape.
const unplaced = math.MaxUint64

// code writes or reads all fields, each a multiple of eight bytes.
func (d *directory) code(c *codec) {
	c.number(&d.ids)
	entries(c, &d.frames, func(f *frame) {
		bits := math.Float64bits(f.bitsPerKey)
		c.number(&bits)
		f.bitsPerKey = math.Float64frombits(bits)
		c.text(&f.name)
		c.text(&f.before)
		if c.text(&f.after); len(f.before)+len(f.after) > mostBeside {
			c.fail("%d bytes beside a filter's body", len(f.before)+len(f.after))
		}
	})
	entries(c, &d.shapes, func(s *shapeEntry) { c.numbers(&s.frame, &s.bodyBytes, &s.columns) })
	entries(c, &d.loose, func(l *looseEntry) { c.numbers(&l.id, &l.frame, &l.bytes) })
	entries(c, &d.odd, func(o *oddEntry) { c.numbers(&o.id, &o.frame) })
	entries(c, &d.places, c.number)
}

// mostBeside bounds the bytes of a filter's header and trailer.
const mostBeside = 256

// lineBytes divides where filters and matrices begin.
const lineBytes = 64

// bytes returns the directory, with its length before it, and zeros up to a multiple of lineBytes.
func (d *directory) bytes() []byte {
	c := codec{writes: true, bytes: make([]byte, 8)}
	d.code(&c)
	c.zeros(lineBytes)
	binary.LittleEndian.PutUint64(c.bytes, uint64(len(c.bytes)))
	return c.bytes
}

// readDirectory reads the directory at the beginning of a file's body.
func readDirectory(from *source) (d directory, length int, err error) {
	if len(from.body) < lineBytes {
		return d, length, corrupt("%d bytes have no directory", len(from.body))
	}
	if err := from.check(0, 8); err != nil {
		return d, length, err
	}
	n := binary.LittleEndian.Uint64(from.body)
	if n < lineBytes || n%lineBytes != 0 || n > uint64(len(from.body)) {
		return d, length, corrupt("a directory of %d bytes in %d", n, len(from.body))
	}
	if err := from.check(0, int(n)); err != nil {
		return d, length, err
	}
	c := codec{bytes: from.body[8:n]}
	d.code(&c)
	if len(c.bytes) >= lineBytes {
		c.fail("%d bytes follow the directory", len(c.bytes))
	}
	c.zeros(lineBytes)
	return d, int(n), c.err
}

// codec writes fields to bytes, or reads them from there. After an error everything that it reads is 0.
type codec struct {
	writes bool
	bytes  []byte // that are written, or left
	err    error
}

func (c *codec) fail(format string, args ...any) {
	if c.err == nil {
		c.err = corrupt(format, args...)
	}
	c.bytes = nil
}

func (c *codec) number(n *uint64) {
	switch {
	case c.writes:
		c.bytes = binary.LittleEndian.AppendUint64(c.bytes, *n)
	case len(c.bytes) < 8:
		c.fail("the directory is too short")
	default:
		*n = binary.LittleEndian.Uint64(c.bytes)
		c.bytes = c.bytes[8:]
	}
}

func (c *codec) numbers(all ...*uint64) {
	for _, n := range all {
		c.number(n)
	}
}

// text has a length, the bytes, and zeros up to a multiple of eight.
func (c *codec) text(s *string) {
	n := uint64(len(*s))
	c.number(&n)
	switch {
	case c.writes:
		c.bytes = append(c.bytes, *s...)
	case n > uint64(len(c.bytes)):
		c.fail("a name, header or trailer of %d bytes in a directory that has %d more", n, len(c.bytes))
	default:
		*s = string(c.bytes[:n])
		c.bytes = c.bytes[n:]
	}
	c.zeros(8)
}

// zeros pads with zeros to a multiple of bytes, or reads these.
func (c *codec) zeros(multiple int) {
	if c.writes {
		c.bytes = append(c.bytes, make([]byte, padded(len(c.bytes), multiple)-len(c.bytes))...)
		return
	}
	n := len(c.bytes) % multiple
	for _, b := range c.bytes[:n] {
		if b != 0 {
			c.fail("padding in the directory is not zero")
			return
		}
	}
	c.bytes = c.bytes[n:]
}

func padded(n, multiple int) int { return (n + multiple - 1) / multiple * multiple }

// entries are a number of them, and each.
func entries[T any](c *codec, list *[]T, code func(*T)) {
	n := uint64(len(*list))
	c.number(&n)
	if !c.writes {
		const least = 8 // bytes of an entry
		if n > uint64(len(c.bytes)/least) {
			c.fail("%d entries in a directory that has %d more bytes", n, len(c.bytes))
			return
		}
		*list = make([]T, n)
	}
	for i := range *list {
		code(&(*list)[i])
	}
}

func corrupt(format string, args ...any) error {
	return fmt.Errorf("sliced: %w: %s", contents.ErrCorrupt, fmt.Sprintf(format, args...))
}

// Package sliced looks up one key in thousands of filters at once.
//
// A store has a filter for each file, segment or part, and needs to know which of them may contain a key.
// [simdbloom.AppendFilters] reads a cache line of every filter. [Filters] stores them transposed: row r has bit r of
// each. A lookup ANDs as many rows as the filters have probes, and the result has a bit for every filter that may
// contain the key. The memory and the answers are the same.
//
//	s := sliced.New(keyhash.XX64)
//	id, err := s.Append(f)                  // any number of filters
//	ids = s.AppendHits(ids[:0], hash)       // those that may contain the key
//	err = s.Remove(id)
//	err = s.WriteFile("filters.sliced")     // and Open
//
// Filters of the formats FastLocal, SplitBlock and Blobloom can be sliced. Those of one format, size and number of
// probes have one matrix, a [Shape], and every shape is looked up by itself: [SizeFor] rounds sizes, so that shapes are
// few. Fewer than 32 filters of a shape stay as they are, as do the newest up to 7.
//
// [docs/engines.md] has measured times, and the cost of filters of many sizes.
//
// [docs/engines.md]: https://github.com/simdbloom/simdbloom/blob/HEAD/docs/engines.md#one-key-in-thousands-of-filters
package sliced

import (
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"sync/atomic"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/checked"
	"github.com/simdbloom/simdbloom/internal/formats"
	"github.com/simdbloom/simdbloom/internal/formats/contents"
	"github.com/simdbloom/simdbloom/internal/nocopy"
	"github.com/simdbloom/simdbloom/keyhash"
)

// Filters are filters of one key hash, in which a key is looked up at once. Each has an id: they count from 0, and the
// id of a removed filter is used again. [New], [Open] and [OpenBytes] return Filters. Do not copy them.
//
// Any number of goroutines may look up and write files at once. While one goroutine calls Append, AppendAll, Remove or
// Grow, no other may use the Filters. The race detector reports violations.
//
// On closed Filters, and on the zero value, lookups panic, and methods that return an error return one.
type Filters struct {
	_      nocopy.Mark
	opened atomic.Pointer[collection]
}

// New returns Filters without any, whose filters will have the given key hash.
func New(hash keyhash.Hash) *Filters { return filtersOf(&collection{hash: hash}) }

func filtersOf(c *collection) *Filters {
	s := new(Filters)
	s.opened.Store(c)
	return s
}

// collection is the content of Filters.
type collection struct {
	hash     keyhash.Hash
	live     int // filters
	expected int // filters that Grow made known
	ids      ids
	shapes   []*shape
	byKind   map[kind]int   // numbers in shapes
	vacant   []int          // numbers of shapes without filters
	odd      map[int]*frame // of ids whose frame is not the usual one of their shape
	loose    loose
	source   *source // the file that some tiles are in, or nil
}

var errClosed = fmt.Errorf("sliced: the Filters are closed, or were never made by New or Open: %w", fs.ErrClosed)

// collection returns the content that a lookup needs. Whoever reads tiles keeps it alive meanwhile: when nobody does, a
// closed file is unmapped.
func (s *Filters) collection() *collection {
	c := s.opened.Load()
	if c == nil {
		panic(errClosed.Error())
	}
	return c
}

// Len returns the number of filters, without the removed ones.
func (s *Filters) Len() int { return s.collection().live }

// SizeBytes returns the memory that the filters need, with everything beside them. Of an opened file it includes the
// mapped bytes.
func (s *Filters) SizeBytes() int {
	c := s.collection()
	n := c.ids.bytes() + c.loose.bytes()
	for _, s := range c.shapes {
		n += s.bytes()
	}
	return n
}

// Shape describes filters that are looked up together.
type Shape struct {
	Format    simdbloom.Format // of the filters
	Probes    int              // that a lookup tests
	SizeBytes int              // of a filter
	Filters   int              // their number, without removed ones
}

// Shapes returns the shapes of the filters, in the order in which they came. Filters that give every key the same
// answer have none.
func (s *Filters) Shapes() []Shape {
	var all []Shape
	for _, s := range s.collection().shapes {
		if n := s.live(); n > 0 {
			size := s.bodyBytes + len(s.usual.before) + len(s.usual.after)
			all = append(all, Shape{simdbloom.Format(s.format), s.probes, size, n})
		}
	}
	return all
}

// Filter returns a copy of a filter, with the bytes of the one that was appended, or nil if no filter has the id. It
// reads a cache line for every bit of the filter: use it to save filters, not to look up keys.
func (s *Filters) Filter(id int) *simdbloom.Filter {
	c := s.collection()
	f := c.filter(id)
	runtime.KeepAlive(c)
	return f
}

func (c *collection) filter(id int) *simdbloom.Filter {
	if !c.ids.has(id) {
		return nil
	}
	if f := c.loose.filter(id); f != nil {
		return f.CopyAligned()
	}
	at := c.ids.place(id)
	s := c.shapes[at.shape]
	fr := c.odd[id]
	if fr == nil {
		fr = s.usual
	}
	return s.filter(int(at.column), fr, c.hash)
}

// Remove removes a filter. The memory is used again by the next filter of its shape, and freed with the last one. It is
// an error if no filter has the id.
func (s *Filters) Remove(id int) error {
	c := s.opened.Load()
	switch {
	case c == nil:
		return errClosed
	case !c.ids.has(id):
		return fmt.Errorf("sliced: no filter has the id %d", id)
	}
	return c.remove(id)
}

func (c *collection) remove(id int) error {
	isLoose := c.loose.filter(id) != nil
	if at := c.ids.place(id); at.shape != noShape {
		s := c.shapes[at.shape]
		if !isLoose {
			if err := s.setLive(int(at.column), false); err != nil {
				return err
			}
			s.stale = true
		}
		if s.remove(int(at.column)); s.live() == 0 {
			delete(c.byKind, s.kind)
			c.vacant = append(c.vacant, int(at.shape))
			*s = shape{}
		}
	}
	if isLoose {
		c.loose.remove(id)
	}
	delete(c.odd, id)
	c.ids.removed.add(id)
	c.live--
	if c.live == 0 {
		*c = collection{hash: c.hash, expected: c.expected}
	}
	return nil
}

// Grow prepares for n more filters: memory for as many of one shape is then allocated at once when the first of them
// needs it. It is an error if n is negative, and one that wraps [simdbloom.ErrTooLarge] if that many filters like the
// last ones do not fit in memory.
func (s *Filters) Grow(n int) error {
	c := s.opened.Load()
	switch {
	case c == nil:
		return errClosed
	case n < 0:
		return fmt.Errorf("sliced: the number of filters must be at least 0, not %d", n)
	}
	for _, s := range c.shapes[max(0, len(c.shapes)-1):] {
		if err := s.checkRoom(s.columns, n); err != nil {
			return err
		}
	}
	if uint64(c.ids.n)+uint64(n) > mostFilters {
		return tooMany(uint64(n))
	}
	c.expected = n
	return nil
}

// Close ends the use of the Filters. Lookups that are under way in other goroutines end as they would have; later ones
// panic. A mapped file is unmapped by the garbage collector, when no lookup uses it any more. Filters need not be
// closed. It returns nil.
func (s *Filters) Close() error {
	s.opened.Store(nil)
	return nil
}

// isConstant reports whether a filter gives every hash the same answer: it is empty, of an unknown format, or recorded
// under a name with another key hash than that of its keys.
func isConstant(f *simdbloom.Filter) bool {
	format := f.Format()
	return format == simdbloom.Reserved || format == simdbloom.Empty || formats.Of(formatOf(f)).Narrow != (f.Hash().Bits() == 32)
}

// check returns an error for a filter that cannot be appended.
func (c *collection) check(f *simdbloom.Filter) error {
	switch {
	case f == nil:
		return errors.New("the filter is nil")
	case f.Hash().IsZero():
		return errors.New("the zero Filter has no bytes")
	case f.Hash() != c.hash && c.hash.IsZero():
		return contents.ErrNoHash
	case f.Hash() != c.hash && f.Hash().Name() == c.hash.Name():
		return fmt.Errorf("the filter has another key hash named %s: keyhash.New was called twice", c.hash.Name())
	case f.Hash() != c.hash:
		return fmt.Errorf("the filter has the key hash %s, and the others have %s", f.Hash().Name(), c.hash.Name())
	case isConstant(f) || sliceable(formatOf(f)):
		return checked.Check(f)
	}
	return fmt.Errorf("filters of the format %v cannot be sliced, only those of %s", f.Format(), sliceableNames())
}

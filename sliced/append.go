package sliced

import (
	"cmp"
	"fmt"
	"runtime"
	"slices"

	"github.com/simdbloom/simdbloom"
)

// Append adds a copy of the filter, as it is now, and returns its id: the lowest one that was removed, or the number of
// ids before. Keys that are added to a [simdbloom.Mutable] or [simdbloom.Concurrent] afterwards are missing.
//
// It is an error if the filter is nil, has another key hash than the Filters, or a format that cannot be sliced; the
// error names those that can. Filters that give every key the same answer, because they are empty or of a format of the
// future, can be appended. An error wraps [simdbloom.ErrTooLarge] if there is no room, and [simdbloom.ErrCorrupt] if
// the memory is a file's that is wrong. After an error nothing has changed.
//
// It costs about ten times the copying of the filter. AppendAll costs a tenth of that.
func (s *Filters) Append(f *simdbloom.Filter) (id int, err error) {
	c := s.opened.Load()
	if c == nil {
		return 0, errClosed
	}
	if err := c.check(f); err != nil {
		return 0, fmt.Errorf("sliced: %w", err)
	}
	id = c.ids.next()
	if uint64(id) >= mostFilters {
		return 0, tooMany(1)
	}
	if err := c.append(id, f); err != nil {
		return 0, err
	}
	return id, nil
}

func (c *collection) append(id int, f *simdbloom.Filter) error {
	copied := f.CopyAligned() // the caller may change f's memory, or unmap it
	if isConstant(f) {
		c.add(id, noShape, 0, nil)
		c.loose.add(id, copied)
		return nil
	}
	k, fr, body := cut(copied)
	number := c.shapeOf(k)
	s := c.shapes[number]
	s.waiting = append(s.waiting, arrival{s.next(), body})
	a := s.waiting[len(s.waiting)-1]
	settles := len(s.waiting) >= s.enough()
	if settles {
		if err := s.prepare(s.waiting, c.expected); err != nil {
			s.waiting = s.waiting[:len(s.waiting)-1]
			return err
		}
	}
	c.add(id, number, a.column, &fr)
	c.loose.add(id, copied)
	if settles {
		c.settle(s)
	}
	return nil
}

// AppendAll is Append of many filters, and returns the id of the first: those of the others follow it, behind all ids
// that were used before, or from 0 on if no filter is left. After an error, which has the index of the filter, nothing
// has changed.
func (s *Filters) AppendAll(filters []*simdbloom.Filter) (first int, err error) {
	c := s.opened.Load()
	if c == nil {
		return 0, errClosed
	}
	for i, f := range filters {
		if err := c.check(f); err != nil {
			return 0, fmt.Errorf("sliced: filter %d: %w", i, err)
		}
	}
	if uint64(c.ids.n)+uint64(len(filters)) > mostFilters {
		return 0, tooMany(uint64(len(filters)))
	}
	return c.appendAll(filters)
}

func (c *collection) appendAll(filters []*simdbloom.Filter) (first int, err error) {
	type newcomer struct {
		number, column int // noShape if it has none
		fr             *frame
	}
	all, first := make([]newcomer, len(filters)), c.ids.n
	arriving := make(map[int][]arrival) // by their shapes' numbers
	last := new(frame)                  // mostly the next one's, too
	for i, f := range filters {
		if isConstant(f) {
			all[i].number = noShape
			continue
		}
		k, fr, body := cut(f)
		if fr != *last {
			own := fr
			last = &own
		}
		number := c.shapeOf(k)
		arrivals := arriving[number]
		column := c.shapes[number].columns + len(arrivals)
		arriving[number] = append(arrivals, arrival{column, body})
		all[i] = newcomer{number, column, last}
	}
	for number, arrivals := range arriving {
		s := c.shapes[number]
		if len(s.waiting)+len(arrivals) < s.enough() {
			delete(arriving, number)
		} else if err := s.prepare(append(arrivals, s.waiting...), max(0, c.expected-len(filters))); err != nil {
			return 0, err
		}
	}
	for i, f := range filters {
		is := &all[i]
		c.add(first+i, is.number, is.column, is.fr)
		if arriving[is.number] != nil {
			continue
		}
		copied := f.CopyAligned()
		c.loose.add(first+i, copied)
		if is.number != noShape {
			_, _, body := cut(copied)
			s := c.shapes[is.number]
			s.waiting = append(s.waiting, arrival{is.column, body})
		}
	}
	for number, arrivals := range arriving {
		s := c.shapes[number]
		s.waiting = append(s.waiting, arrivals...)
		c.settle(s)
	}
	runtime.KeepAlive(filters)
	return first, nil
}

// shapeOf returns the number of the shape of a kind. A new one takes the place of one that has no filters any more.
func (c *collection) shapeOf(k kind) int {
	number, found := c.byKind[k]
	if found {
		return number
	}
	if n := len(c.vacant); n > 0 {
		number, c.vacant = c.vacant[n-1], c.vacant[:n-1]
	} else {
		number, c.shapes = len(c.shapes), append(c.shapes, nil)
	}
	c.shapes[number] = &shape{kind: k}
	if c.ids.places != nil {
		c.shapes[number].list()
	}
	if c.byKind == nil {
		c.byKind = make(map[kind]int)
	}
	c.byKind[k] = number
	return number
}

// add records a filter, whose id and column are new or free. It has no frame if it has no shape.
func (c *collection) add(id, number, column int, fr *frame) {
	if c.ids.places == nil && (number != 0 || column != id) {
		c.ids.list()
		for _, s := range c.shapes {
			s.list()
		}
	}
	c.ids.add(id, place{uint32(number), uint32(column)})
	c.live++
	c.expected = max(0, c.expected-1)
	if fr == nil {
		return
	}
	s := c.shapes[number]
	s.add(column, id)
	switch {
	case s.usual == nil:
		s.usual = fr
	case *fr != *s.usual:
		if c.odd == nil {
			c.odd = make(map[int]*frame)
		}
		c.odd[id] = fr
	}
}

// settle makes columns of the filters that wait in a shape.
func (c *collection) settle(s *shape) {
	slices.SortFunc(s.waiting, func(a, b arrival) int { return cmp.Compare(a.column, b.column) })
	s.slice(s.waiting)
	for _, a := range s.waiting {
		c.loose.remove(s.id(a.column))
	}
	s.waiting, s.stale = nil, s.stale && s.free.n > 0
}

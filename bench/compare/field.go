package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/simdbloom/simdbloom/bench/internal/pages"
	"github.com/simdbloom/simdbloom/bench/internal/parallel"
	"github.com/simdbloom/simdbloom/bench/internal/progress"
)

// spareBytes is what a contestant may take beyond the filling's bytes, for a
// trailer and for rounding up.
const spareBytes = 4096

// entrant is a contestant in a field.
type entrant struct {
	contestant
	leftOut   bool
	note      string // what is to be said of it, if anything
	ownMemory bool   // whether the filter takes it from Go's heap, as its users' do
	passes    int    // over all keys, in which it is built; the last ones may be those of Finish

	bitsPerKey float64 // if not the field's
	reference  string  // that it is compared with, if not the field's

	room int // bytes of memory for the filter, if more than the field's

	memory  *pages.Mapping // nil if the filter takes memory of its own
	chosen  chosen
	bytes   int
	running []*row // those that are measured
}

// comparedWith names the entrant that this one is compared with.
func (e *entrant) comparedWith() string {
	if e.reference != "" {
		return e.reference
	}
	return reference
}

// filling is what the entrant is filled with in a field of that filling.
func (e *entrant) filling(fill filling) filling {
	if e.bitsPerKey > 0 {
		filters := fill.filters
		fill = newFilling(fill.bytes, e.bitsPerKey, fill.keyBytes)
		fill.filters = filters
	}
	return fill
}

// field is what is measured together: contestants filled with the same keys.
type field struct {
	filling
	entrants []*entrant
	notes    []string
}

// newField chooses the contestants that have a row to measure.
func newField(s *settings, fill filling) *field {
	f := &field{filling: fill}
	contestants := s.contestants(fill)
	references := map[string]bool{reference: true}
	for _, e := range contestants {
		if s.wantsOf(e, fill) {
			references[e.comparedWith()] = true
		}
	}
	for _, e := range contestants {
		for _, r := range e.rows() {
			if s.measures(r, fill) && (s.wants(r) || references[e.name()]) {
				e.running = append(e.running, r)
			}
		}
		if len(e.running) == 0 {
			continue
		}
		if e.note != "" {
			f.notes = append(f.notes, e.name()+" "+e.note)
		}
		if !e.leftOut {
			f.entrants = append(f.entrants, e)
		}
	}
	return f
}

// build builds the filters, as many at once as there are CPUs.
func (f *field) build(s *settings, terminal io.Writer) error {
	const permille = 1000 // all keys are more than a bar can count on 32 bits
	bar := progress.Start(terminal, fmt.Sprintf("Building, %s at %v bits/key", sizeText(f.bytes), f.bitsPerKey), permille*len(f.entrants))
	defer bar.Done()
	return parallel.Each(len(f.entrants), func() func(int) error {
		return func(i int) (err error) {
			e := f.entrants[i]
			memory, err := e.takeMemory(f.pagesOf(s), f.filling)
			if err != nil {
				return err
			}
			fill := e.filling(f.filling)
			first := fill
			if s.grow {
				first = fill.firstKeys()
			}
			var keys, shown uint64
			hashes := first.hashes(s.seed, func(more int) {
				keys += uint64(more)
				now := permille * keys / first.keys / uint64(e.passes)
				bar.Add(int(now - shown))
				shown = now
			})
			if e.bytes, e.chosen, err = e.build(memory, fill, hashes); err != nil {
				return fmt.Errorf("%s: %w", e.name(), err)
			}
			bar.Add(int(permille - shown))
			return nil
		}
	})
}

// takeMemory maps memory for an entrant's filters, unless it takes its own.
func (e *entrant) takeMemory(kind pages.Kind, fill filling) (memory []byte, err error) {
	if e.ownMemory {
		return nil, nil
	}
	room := max(fill.bytes, e.room)
	if e.memory, err = pages.Map(kind, fill.filters*(room+spareBytes)); err != nil {
		return nil, err
	}
	return e.memory.Bytes[:room], nil
}

// pagesOf returns the kind of pages that the field's filters are in. Filters that grow have
// ordinary pages if they are smaller than a huge one, as simdbloom's have.
func (f *field) pagesOf(s *settings) pages.Kind {
	if s.grow && !inHugePages(s.pages, f.filling) {
		return pages.Ordinary
	}
	return s.pages
}

// unmap ends the field. Nothing is held by its rows any more, which tables keep.
func (f *field) unmap() (err error) {
	for _, e := range f.entrants {
		for _, r := range e.running {
			r.query = nil
		}
		if e.memory != nil {
			err = errors.Join(err, e.memory.Unmap())
		}
	}
	return err
}

// rows returns the rows that are queried, with their entrants.
func (f *field) rows() (rows []*timedRow) {
	for _, e := range f.entrants {
		for _, r := range e.running {
			t := &timedRow{times: times{Name: r.name, row: r, entrant: e}}
			if r.answers() {
				t.Bytes, t.chosen = e.bytes, e.chosen
				t.BitsPerKey = 8 * float64(e.bytes) / float64(e.filling(f.filling).keys)
			}
			rows = append(rows, t)
		}
	}
	return rows
}

// shared is how many keys are in all filters, whatever their bits per key.
func (f *field) shared() uint64 {
	keys := f.keys
	for _, e := range f.entrants {
		keys = min(keys, e.filling(f.filling).keys)
	}
	return keys
}

// in says what is measured, and in what pages.
func (f *field) in(kind pages.Kind) *filters {
	return &filters{Bytes: f.bytes, Filters: f.filters, BitsPerKey: f.bitsPerKey, Keys: f.keys, KeyBytes: f.keyBytes, Pages: kind.String(), Notes: f.notes}
}

// describe says what was built.
func (f *field) describe(s *settings) (*filters, error) {
	d := f.in(f.pagesOf(s))
	d.HugeShare = 1
	for _, e := range f.entrants {
		if e.memory == nil {
			continue
		}
		share, err := e.memory.HugeShare()
		if err != nil {
			return nil, err
		}
		d.HugeShare = min(d.HugeShare, share)
	}
	return d, nil
}

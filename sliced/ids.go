package sliced

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/simdbloom/simdbloom"
)

// mostFilters is the largest number of ids.
const mostFilters = min(math.MaxInt, math.MaxUint32-1)

func tooMany(n uint64) error {
	return fmt.Errorf("sliced: %d more filters are %w", n, simdbloom.ErrTooLarge)
}

// place is where a filter is: a column of a shape. Filters that have a column may be loose, too.
type place struct{ shape, column uint32 }

// noShape is the shape of filters that give every key the same answer.
const noShape = mostFilters

// ids are the ids that were used up to now.
type ids struct {
	n       int
	removed numbers
	places  []place // of each, or nil while each is the column of its number in the only shape
}

func (i *ids) has(id int) bool { return id >= 0 && id < i.n && !i.removed.has(id) }

func (i *ids) place(id int) place {
	if i.places == nil {
		return place{0, uint32(id)}
	}
	return i.places[id]
}

// next returns the id that add takes.
func (i *ids) next() int {
	if i.removed.n > 0 {
		return i.removed.lowest()
	}
	return i.n
}

// add gives an id, which was removed or is n, to a filter.
func (i *ids) add(id int, at place) {
	if id == i.n {
		i.n++
		if i.places != nil {
			i.places = append(i.places, at)
		}
		return
	}
	i.removed.remove(id)
	if i.places != nil {
		i.places[id] = at
	}
}

// list makes places explicit.
func (i *ids) list() {
	i.places = make([]place, i.n)
	for id := range i.places {
		i.places[id] = place{0, uint32(id)}
	}
}

func (i *ids) bytes() int { return 8*cap(i.places) + i.removed.bytes() }

// numbers are a set of numbers.
type numbers struct {
	words []uint64
	n     int
	from  int // no word before this one has a number
}

func (s *numbers) has(i int) bool { return i/64 < len(s.words) && s.words[i/64]>>(i%64)&1 != 0 }

func (s *numbers) add(i int) {
	if i/64 >= len(s.words) {
		s.words = append(s.words, make([]uint64, i/64+1-len(s.words))...)
	}
	s.words[i/64] |= 1 << (i % 64)
	s.n++
	s.from = min(s.from, i/64)
}

// all makes s the numbers below n.
func (s *numbers) all(n int) {
	*s = numbers{words: make([]uint64, (n+63)/64), n: n}
	for i := range s.words {
		s.words[i] = ^uint64(0) >> max(0, 64*(i+1)-n)
	}
}

func (s *numbers) remove(i int) {
	s.words[i/64] &^= 1 << (i % 64)
	s.n--
}

// lowest returns the lowest number of a set that is not empty.
func (s *numbers) lowest() int {
	for s.words[s.from] == 0 {
		s.from++
	}
	return 64*s.from + bits.TrailingZeros64(s.words[s.from])
}

func (s *numbers) bytes() int { return 8 * cap(s.words) }

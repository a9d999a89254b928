package sliced

import (
	"math/bits"
	"slices"
	"unsafe"

	"github.com/simdbloom/simdbloom"
)

// loose are the filters that stay as they are, by their ids: those that wait for others of their shape, and those that
// give every key the same answer.
type loose struct {
	ids     []int // ascending
	filters []*simdbloom.Filter
}

func (l *loose) add(id int, f *simdbloom.Filter) {
	at, _ := slices.BinarySearch(l.ids, id)
	l.ids = slices.Insert(l.ids, at, id)
	l.filters = slices.Insert(l.filters, at, f)
}

func (l *loose) remove(id int) {
	if at, found := slices.BinarySearch(l.ids, id); found {
		l.ids = slices.Delete(l.ids, at, at+1)
		l.filters = slices.Delete(l.filters, at, at+1)
	}
}

// filter returns the filter of an id, or nil if it is not loose.
func (l *loose) filter(id int) *simdbloom.Filter {
	if at, found := slices.BinarySearch(l.ids, id); found {
		return l.filters[at]
	}
	return nil
}

// appendHits appends the ids of the filters that may contain a hash.
func (l *loose) appendHits(dst []int, hash uint64) []int {
	from := len(dst)
	dst = simdbloom.AppendFilters(dst, l.filters, hash)
	for i, at := range dst[from:] {
		dst[from+i] = l.ids[at]
	}
	return dst
}

func (l *loose) bytes() int {
	const each = 2*bits.UintSize/8 + int(unsafe.Sizeof(simdbloom.Filter{})) // id, pointer and Filter
	n := each * len(l.ids)
	for _, f := range l.filters {
		n += f.SizeBytes()
	}
	return n
}

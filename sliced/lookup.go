package sliced

import (
	"iter"
	"runtime"
	"slices"

	"github.com/simdbloom/simdbloom/asm"
)

// AppendHits appends to dst the id of every filter that may contain the key with the given hash, in ascending order,
// and returns the extended slice, as [simdbloom.AppendFilters] does for the same filters. It allocates only if dst is
// too small.
//
// It costs some ten nanoseconds for a shape, and one or two for 100 of its filters, while the rows are cached; beyond,
// memory's bandwidth limits it.
func (s *Filters) AppendHits(dst []int, hash uint64) []int {
	c := s.collection()
	dst = c.appendHits(dst, hash)
	runtime.KeepAlive(c)
	return dst
}

// AppendKeyHits is AppendHits of a key.
func (s *Filters) AppendKeyHits(dst []int, key []byte) []int {
	c := s.collection()
	if c.live > 0 {
		dst = c.appendHits(dst, c.hash.Sum64(key))
	}
	runtime.KeepAlive(c)
	return dst
}

// Hits returns an iterator over hashes: it yields the index of each, and the ids that AppendHits appends for it. The
// ids are valid until the next step; the caller may change them.
//
// It is the fastest way to look up many keys. [Filters.Candidates] has another order.
func (s *Filters) Hits(hashes []uint64) iter.Seq2[int, []int] {
	return func(yield func(int, []int) bool) {
		c := s.collection()
		var hits []int
		for i, hash := range hashes {
			if hits = c.appendHits(hits[:0], hash); !yield(i, hits) {
				break
			}
		}
		runtime.KeepAlive(c)
	}
}

func (c *collection) appendHits(dst []int, hash uint64) []int {
	if c.live == 0 { // read by every lookup, for the race detector
		return dst
	}
	from, ascend := len(dst), true
	for _, s := range c.shapes {
		if s.tiles != nil {
			at := len(dst)
			dst = s.appendHits(dst, hash)
			ascend = ascend && !s.unordered && ascends(dst[from:], at-from)
		}
	}
	if len(c.loose.ids) > 0 {
		at := len(dst)
		dst = c.loose.appendHits(dst, hash)
		ascend = ascend && ascends(dst[from:], at-from)
	}
	if !ascend {
		slices.Sort(dst[from:])
	}
	return dst
}

// ascends reports whether ids ascend where one part of them ends and another begins.
func ascends(ids []int, at int) bool { return at == 0 || at == len(ids) || ids[at-1] < ids[at] }

func (s *shape) appendHits(dst []int, hash uint64) []int {
	var room [32]uint64 // for all but a Blobloom filter's unusual number of probes
	rows, stride, from := room[:0], 0, len(dst)
	for i := range s.tiles {
		t := &s.tiles[i]
		if t.stride != stride || t.source != nil {
			rows, stride = s.appendRows(room[:0], t, hash), t.stride
		}
		if t.source != nil {
			t.source.passOver(rows, t, s.liveRow(t))
		}
		if i+1 < len(s.tiles) && s.tiles[i+1].stride == stride {
			asm.PrefetchSliced(s.tiles[i+1].memory, rows)
		}
		dst = asm.AppendSlicedHits(dst, t.memory, rows, s.tileWidth(i), i*tileColumns)
	}
	if s.ids != nil {
		for i, column := range dst[from:] {
			dst[from+i] = int(s.ids[column])
		}
	}
	return dst
}

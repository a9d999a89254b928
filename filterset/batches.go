package filterset

import (
	"math/bits"
	"slices"
	"sync"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/batches"
	"github.com/simdbloom/simdbloom/keyhash"
)

// Batches sort hashes by part, so that every part is looked up once, in one batch: its lines are near each
// other, and lookups share instructions.

// mostSorted is the number of hashes that are sorted at a time. With 256 parts, a quarter of them take a fifth
// more time.
const mostSorted = 1 << 18

// sorting is the memory of a batch, 23 bytes a hash, which is reused.
type sorting struct {
	hashes []uint64 // of keys
	sorted []uint64
	from   []uint32 // where each sorted hash was
	found  []bool
	layer  []bool   // found, in the second layer and later ones
	hits   []bool   // in the hashes' order
	ends   []uint32 // of the parts' hashes in sorted
}

var sortings = sync.Pool{New: func() any { return new(sorting) }}

// newSorting returns memory for batches of n hashes, or of mostSorted.
func newSorting(n int) *sorting {
	r := sortings.Get().(*sorting)
	if n = min(n, mostSorted); n > len(r.sorted) {
		n = 1 << bits.Len(uint(n-1))
		r.hashes, r.sorted, r.from = make([]uint64, n), make([]uint64, n), make([]uint32, n)
		r.found, r.layer, r.hits = make([]bool, n), make([]bool, n), make([]bool, n)
	}
	return r
}

// ContainsHashes sets hits[i] to ContainsHash(hashes[i]). It panics if hits is shorter than
// hashes, before it writes anything. It is the fastest way to look up many keys: give it tens of thousands
// at a time. It allocates nothing.
func (s *Set) ContainsHashes(hashes []uint64, hits []bool) {
	containsAll(s, hashes, hits, func(_ keyhash.Hash, _, hashes []uint64) []uint64 { return hashes })
}

// containsAll looks up keys, some at a time, by the hashes that hashed returns, for which there is room.
func containsAll[K any](s *Set, keys []K, hits []bool, hashed func(hash keyhash.Hash, room []uint64, keys []K) []uint64) {
	batches.CheckKeys(len(keys), hits)
	o := s.state()
	room := newSorting(len(keys))
	for len(keys) > 0 {
		n := min(len(keys), mostSorted)
		o.containsHashes(room, hashed(o.options.Hash, room.hashes[:0], keys[:n]), hits)
		keys, hits = keys[n:], hits[n:]
	}
	sortings.Put(room)
}

// ContainsHashBits sets bit i%64 of hits[i/64] to ContainsHash(hashes[i]), the rest of the last
// word to zero, and no later words. It panics if hits has less than a bit for each hash, before
// it writes anything.
func (s *Set) ContainsHashBits(hashes, hits []uint64) {
	batches.CheckBits(len(hashes), hits)
	clear(hits[:asm.Words(len(hashes))])
	s.each(hashes, func(i int) { hits[i/64] |= 1 << (i % 64) })
}

// AppendHits appends to dst the index of every hash that may have been added, in ascending
// order, and returns the extended slice.
func (s *Set) AppendHits(dst []int, hashes []uint64) []int {
	s.each(hashes, func(i int) { dst = append(dst, i) })
	return dst
}

// each calls hit for the index of every hash that may have been added, in ascending order.
func (s *Set) each(hashes []uint64, hit func(i int)) {
	o := s.state()
	room := newSorting(len(hashes))
	for base := 0; base < len(hashes); base += mostSorted {
		n := min(len(hashes)-base, mostSorted)
		o.containsHashes(room, hashes[base:][:n], room.hits)
		for i, found := range room.hits[:n] {
			if found {
				hit(base + i)
			}
		}
	}
	sortings.Put(room)
}

// ContainsKeys sets hits[i] to Contains(keys[i]), in less time than one by one. It panics if hits
// is shorter than keys, before it writes anything.
func (s *Set) ContainsKeys(keys [][]byte, hits []bool) {
	containsAll(s, keys, hits, keyhash.Hash.AppendHashes)
}

// ContainsUint64s sets hits[i] to ContainsUint64(values[i]), in less time than one by one. It panics if
// hits is shorter than values, before it writes anything. For a []int64 or other numbers of 8 bytes call ContainsColumn
// or AppendColumnHits of keyhash.Values(values).
func (s *Set) ContainsUint64s(values []uint64, hits []bool) {
	containsAll(s, values, hits, func(h keyhash.Hash, dst, values []uint64) []uint64 {
		return h.AppendColumn(dst, keyhash.Values(values))
	})
}

// containsHashes looks up at most mostSorted hashes.
func (o *opened) containsHashes(room *sorting, hashes []uint64, hits []bool) {
	if len(o.layers) == 0 {
		clear(hits[:len(hashes)])
		return
	}
	if len(hashes) < o.parts/8 { // sorting would not pay
		for i, hash := range hashes {
			hits[i] = o.contains(hash)
		}
		return
	}
	if len(o.layers) == 1 && o.parts == 1 {
		o.inPart(&o.layers[0].parts[0], hashes, hits)
		return
	}
	room.sort(hashes, o.parts)
	sorted, found := room.sorted[:len(hashes)], room.found[:len(hashes)]
	o.inLayer(&o.layers[0], room, sorted, found)
	for i := range o.layers[1:] {
		more := room.layer[:len(hashes)]
		o.inLayer(&o.layers[1+i], room, sorted, more)
		for k, hit := range more {
			found[k] = found[k] || hit
		}
	}
	for i, from := range room.from[:len(hashes)] {
		hits[from] = found[i]
	}
}

// inLayer looks up sorted hashes in a layer.
func (o *opened) inLayer(l *layer, room *sorting, sorted []uint64, found []bool) {
	each := o.parts / len(l.parts) // parts of the sorting for one of the layer's
	from := uint32(0)
	for i := range l.parts {
		to := room.ends[(i+1)*each-1]
		if from < to {
			o.inPart(&l.parts[i], sorted[from:to], found[from:to])
		}
		from = to
	}
}

func (o *opened) inPart(p *part, hashes []uint64, found []bool) {
	if made := o.part(p); made != nil {
		made.ContainsHashes(hashes, found)
		return
	}
	for i := range hashes {
		found[i] = true
	}
}

// sort puts hashes in the order of their parts.
func (r *sorting) sort(hashes []uint64, parts int) {
	r.ends = slices.Grow(r.ends[:0], parts)[:parts]
	clear(r.ends)
	shift := partShift(parts)
	for _, hash := range hashes {
		r.ends[partOf(hash, shift)]++
	}
	begin := uint32(0)
	for i, n := range r.ends {
		r.ends[i] = begin
		begin += n
	}
	for i, hash := range hashes {
		at := &r.ends[partOf(hash, shift)]
		r.sorted[*at], r.from[*at] = hash, uint32(i)
		*at++
	}
}

package filterset

import (
	"math/bits"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/batches"
	"github.com/simdbloom/simdbloom/keyhash"
)

// ContainsColumn sets bit i%64 of hits[i/64] to whether value i of the column is not null and may have
// been added, the rest of the last word to zero, and no later words. It panics if hits has less than a bit
// for each value, before it writes anything. hits must share no memory with the column. A null reads no part.
func (s *Set) ContainsColumn(column keyhash.Column, hits []uint64) {
	n := column.Len()
	batches.CheckBits(n, hits)
	clear(hits[:asm.Words(n)])
	s.eachValue(column, func(i int) { hits[i/64] |= 1 << (i % 64) })
}

// AppendColumnHits appends to dst the index of every value of the column that is not null and may have been
// added, in ascending order, and returns the extended slice. It panics if the column has more than 2^31-1
// values.
func (s *Set) AppendColumnHits(dst []int32, column keyhash.Column) []int32 {
	batches.CheckIndexes(column.Len())
	s.eachValue(column, func(i int) { dst = append(dst, int32(i)) })
	return dst
}

// eachValue calls hit for the index of every value that is not null and may have been added, in ascending order.
func (s *Set) eachValue(column keyhash.Column, hit func(i int)) {
	o := s.state()
	n := column.Len()
	room := newSorting(n)
	for base := 0; base < n; base += mostSorted {
		some := column.Slice(base, min(base+mostSorted, n))
		hashes := o.options.Hash.AppendColumn(room.hashes[:0], some)
		found := room.hits[:len(hashes)]
		o.containsHashes(room, hashes, found)
		for from := 0; from < some.Len(); from += 64 {
			var valid [1]uint64
			some.Slice(from, min(from+64, some.Len())).ValidBits(valid[:])
			for left := valid[0]; left != 0; left &= left - 1 {
				if found[0] {
					hit(base + from + bits.TrailingZeros64(left))
				}
				found = found[1:]
			}
		}
	}
	sortings.Put(room)
}

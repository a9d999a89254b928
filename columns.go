package simdbloom

import (
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/batches"
	"github.com/simdbloom/simdbloom/keyhash"
)

// ContainsColumn sets bit i%64 of hits[i/64] to whether value i of the column is not null and may have
// been added, the rest of the last word to zero, and no later words. It panics if hits has less than a bit
// for each value, before it writes anything.
//
// It hashes and looks up many values at a time, in the cache, and costs little more than
// [keyhash.Hash.AppendColumn] and ContainsHashBits. A join should stop calling it when few rows are dropped: see
// the package's example Join. hits must share no memory with the column.
func (f *Filter) ContainsColumn(column keyhash.Column, hits []uint64) {
	n := column.Len()
	batches.CheckBits(n, hits)
	kernel, hash := f.ofKeys()
	var hashes [batches.ColumnBlock]uint64
	var valid [batches.ColumnBlock / 64]uint64
	for from := 0; from < n; from += len(hashes) {
		part := column.Slice(from, min(from+len(hashes), n))
		kernel.ContainsBits(hash.AppendColumn(hashes[:0], part.WithValidity(nil, 0)), hits)
		part.ValidBits(valid[:])
		for i := range asm.Words(part.Len()) {
			hits[i] &= valid[i]
		}
		hits = hits[asm.Words(part.Len()):]
	}
}

// AppendColumnHits appends to dst the index of every value of the column that is not null and may have been
// added, in ascending order, and returns the extended slice: a selection vector. It panics if the column has
// more than 2^31-1 values.
//
// It costs as much as ContainsColumn, and about a nanosecond for each hit. It allocates as AppendHits does.
func (f *Filter) AppendColumnHits(dst []int32, column keyhash.Column) []int32 {
	n := column.Len()
	batches.CheckIndexes(n)
	var words [batches.ManyBits / 64]uint64
	for base := 0; base < n; base += batches.ManyBits {
		f.ContainsColumn(column.Slice(base, min(base+batches.ManyBits, n)), words[:])
		dst = batches.AppendIndexes(dst, words[:], base, n)
	}
	return dst
}

package filterfile

import (
	"runtime"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/batches"
	"github.com/simdbloom/simdbloom/keyhash"
)

// ContainsColumn sets bit i%64 of hits[i/64] to whether value i of the column is not null and may have
// been added, the rest of the last word to zero, and no later words. It panics if hits has less than a bit
// for each value, before it writes anything.
func (f *Filter) ContainsColumn(column keyhash.Column, hits []uint64) {
	o := f.state()
	o.ContainsColumn(column, hits)
	runtime.KeepAlive(o)
}

// AppendColumnHits appends to dst the index of every value of the column that is not null and may have been
// added, in ascending order, and returns the extended slice. It panics if the column has more than 2^31-1
// values.
func (f *Filter) AppendColumnHits(dst []int32, column keyhash.Column) []int32 {
	batches.CheckIndexes(column.Len())
	o := f.state()
	if o.Sound() {
		dst = o.Unchecked.AppendColumnHits(dst, column)
	} else {
		words := make([]uint64, asm.Words(column.Len()))
		o.ContainsColumn(column, words)
		dst = batches.AppendIndexes(dst, words, 0, column.Len())
	}
	runtime.KeepAlive(o)
	return dst
}

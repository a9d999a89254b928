// Package sliced emits the kernels of sliced tiles: the AND of some rows, the numbers of its bits that are set, and
// making filters' bodies the columns of a tile. Package fallback's sliced.go says what a tile is.
package sliced

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
	"github.com/simdbloom/simdbloom/internal/gen/shared"
)

// Rows emits the kernels that read rows.
func Rows(f *kernel.File) {
	for _, v := range []vectors{{"512", kernel.AVX512, 64}, {"256", kernel.AVX2, 32}} {
		v.hits(f)
		v.keys(f)
	}
	prefetch(f)
}

const offsetBytes = 8 // of a row's offset

// vectors are those of a level.
type vectors struct {
	name  string
	level kernel.Level
	bytes int
}

// and emits the AND of some lines of rows, whose offsets end at an address, beginning at the register at. If there is a
// distance, it prefetches the lines that are so far ahead.
func (v vectors) and(fn *kernel.Function, label string, tile, at reg.Register, end Op, lines int, ahead reg.Register) []reg.VecVirtual {
	sums, row := make([]reg.VecVirtual, lines*shared.LineBytes/v.bytes), fn.GP64()
	for i := range sums {
		if v.level == kernel.AVX512 {
			sums[i] = fn.ZMM()
			fn.VPTERNLOGD(U8(0xff), sums[i], sums[i], sums[i])
		} else {
			sums[i] = fn.YMM()
			fn.VPCMPEQD(sums[i], sums[i], sums[i])
		}
	}
	fn.Label(label)
	fn.MOVQ(Mem{Base: at}, row)
	fn.ADDQ(U8(offsetBytes), at)
	fn.ADDQ(tile, row)
	for i, sum := range sums {
		if v.level == kernel.AVX512 {
			fn.VPANDQ(Mem{Base: row, Disp: i * v.bytes}, sum, sum)
		} else {
			fn.VPAND(Mem{Base: row, Disp: i * v.bytes}, sum, sum)
		}
	}
	if ahead != nil {
		for line := range lines {
			fn.PREFETCHT0(Mem{Base: row, Index: ahead, Scale: 1, Disp: shared.LineBytes * line})
		}
	}
	fn.CMPQ(at, end)
	fn.JNE(LabelRef(label))
	return sums
}

func (v vectors) store(fn *kernel.Function, from reg.VecVirtual, to Mem) {
	if v.level == kernel.AVX512 {
		fn.VMOVDQU64(from, to)
	} else {
		fn.VMOVDQU(from, to)
	}
}

// prefetch emits prefetches of the first line of rows.
func prefetch(f *kernel.File) {
	fn := f.Function(kernel.Base, "slicedPrefetch", "func(tile *byte, rows *uint64, n int)",
		"slicedPrefetch prefetches the first line of n rows, at least one.")
	param := func(name string) reg.Register { return fn.Load(fn.Param(name), fn.GP64()) }
	tile, rows, n, row := param("tile"), param("rows"), param("n"), fn.GP64()
	fn.Label("row")
	fn.MOVQ(Mem{Base: rows}, row)
	shared.FromCache(fn, Mem{Base: tile, Index: row, Scale: 1})
	fn.ADDQ(U8(offsetBytes), rows)
	fn.DECQ(n)
	fn.JNZ(LabelRef("row"))
	fn.RET()
}

// Package ribbon emits the kernels that look keys up in Ribbon filters, and those that build them.
package ribbon

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
	"github.com/simdbloom/simdbloom/internal/gen/shared"
)

// Lookups emits the kernels of Ribbon filters, which package fallback describes.
func Lookups(f *kernel.File) {
	batch(f, kernel.AVX512, "ribbonBatchAVX512")
	batch(f, kernel.AVX2, "ribbonBatchAVX2")
	singles(f)
}

// RocksDB's factors of ordinal seeds and of hashes, and the difference between the halves of a row.
const (
	ribbonSeed  = 0xc78219a23eeadd03
	ribbonHash  = 0x6193d459236a3a0d
	ribbonRow   = 0xc28f82822b650bed
	ribbonLower = 0xc367844a6e52731d
)

const (
	ribbonSlots  = 128              // of a block
	segmentBytes = ribbonSlots / 8  // a block's column
	groupColumns = 4                // that are neighbours in memory, and loaded together
	unitColumns  = 2 * groupColumns // whose parities are compared together
	groupBytes   = groupColumns * segmentBytes
	unitBytes    = unitColumns * segmentBytes

	mostRibbonColumns = 32
)

// A unit emits the lookup of a row in two groups of columns. A block's columns need not be
// whole groups: the last group ends where they end, and some columns are then looked up twice.
type unit interface {
	// rows returns the row's two halves from memory, one for its own block and one for the next.
	rows(low, high Mem) (own, next reg.VecVirtual)
	// wrong returns a bit for each column that has another parity than the key's result. The
	// second group begins the given number of bytes behind the first one.
	wrong(own, next, second reg.GPVirtual, row, rowNext, expected reg.VecVirtual) reg.GPVirtual
	// expect returns the last argument of wrong, from a word in memory or the register.
	expect(bits Op) reg.VecVirtual
}

func newUnit(fn *kernel.Function, level kernel.Level) unit {
	if level == kernel.AVX512 {
		return newUnit512(fn)
	}
	return newUnit256(fn)
}

// A unit256 has the constants of AVX2.
type unit256 struct {
	fn            *kernel.Function
	table, shifts reg.VecVirtual
}

func newUnit256(fn *kernel.Function) *unit256 {
	u := &unit256{fn, fn.YMM(), fn.YMM()}
	// The table has the parity of four bits in the lowest bit of a byte. Doublewords have the
	// columns 0, 2, 4, 6, 1, 3, 5, 7.
	u.fn.VMOVDQU(fn.Words("columnShifts", 0|2<<32, 4|6<<32, 1|3<<32, 5|7<<32), u.shifts)
	var odd [4]uint64
	for i, word := range shared.ParityTable() {
		odd[i] = word >> 7
	}
	u.fn.VMOVDQU(fn.Words("oddOfFour", odd[:]...), u.table)
	return u
}

func (u *unit256) rows(low, high Mem) (own, next reg.VecVirtual) {
	own, next = u.fn.YMM(), u.fn.YMM()
	u.fn.VBROADCASTI128(low, own)
	u.fn.VBROADCASTI128(high, next)
	return own, next
}

// sum returns the slots of two columns that are in the row.
func (u *unit256) sum(own, next Mem, row, rowNext reg.VecVirtual) reg.VecVirtual {
	sum, other := u.fn.YMM(), u.fn.YMM()
	u.fn.VPAND(own, row, sum)
	u.fn.VPAND(next, rowNext, other)
	u.fn.VPXOR(other, sum, sum)
	return sum
}

// fold XORs the halves of columns: it returns words of four columns.
func (u *unit256) fold(a, b reg.VecVirtual) reg.VecVirtual {
	low, high := u.fn.YMM(), u.fn.YMM()
	u.fn.VPUNPCKLQDQ(b, a, low)
	u.fn.VPUNPCKHQDQ(b, a, high)
	u.fn.VPXOR(high, low, low)
	return low
}

func (u *unit256) wrong(own, next, second reg.GPVirtual, row, rowNext, expected reg.VecVirtual) reg.GPVirtual {
	var words [2]reg.VecVirtual
	for i := range words {
		at := func(base reg.GPVirtual, pair int) Mem {
			m := Mem{Base: base, Disp: pair * 2 * segmentBytes}
			if i > 0 {
				m = m.Idx(second, 1)
			}
			return m
		}
		words[i] = u.fold(u.sum(at(own, 0), at(next, 0), row, rowNext), u.sum(at(own, 1), at(next, 1), row, rowNext))
	}
	sum, other, mask := u.fn.YMM(), u.fn.YMM(), u.fn.GP64()
	u.fn.VSHUFPS(U8(0b10_00_10_00), words[1], words[0], sum)
	u.fn.VSHUFPS(U8(0b11_01_11_01), words[1], words[0], other)
	u.fn.VPXOR(other, sum, sum)
	for _, half := range []uint8{16, 8, 4} {
		u.fn.VPSLLD(U8(half), sum, other)
		u.fn.VPXOR(other, sum, sum)
	}
	u.fn.VPSRLD(U8(28), sum, sum)
	u.fn.VPSHUFB(sum, u.table, sum)
	u.fn.VPSRLVD(u.shifts, expected, expected)
	u.fn.VPXOR(expected, sum, sum)
	u.fn.VPSLLD(U8(31), sum, sum)
	u.fn.VMOVMSKPS(sum, mask.As32())
	return mask
}

func (u *unit256) expect(bits Op) reg.VecVirtual {
	expected := u.fn.YMM()
	if r, ok := bits.(reg.GPVirtual); ok {
		u.fn.VMOVD(r.As32(), expected.AsX())
		bits = expected.AsX()
	}
	u.fn.VPBROADCASTD(bits, expected)
	return expected
}

// A unit512 has the constants of AVX-512.
type unit512 struct {
	fn                *kernel.Function
	shifts, one, zero reg.VecVirtual
}

func newUnit512(fn *kernel.Function) *unit512 {
	u := &unit512{fn, fn.ZMM(), fn.ZMM(), fn.ZMM()}
	u.fn.VMOVDQU64(fn.Words("groupShifts", 0, 4, 1, 5, 2, 6, 3, 7), u.shifts)
	u.fn.VPBROADCASTQ(fn.Words("one", 1), u.one)
	u.fn.VPXORQ(u.zero, u.zero, u.zero)
	return u
}

func (u *unit512) rows(low, high Mem) (own, next reg.VecVirtual) {
	own, next = u.fn.ZMM(), u.fn.ZMM()
	u.fn.VBROADCASTI64X2(low, own)
	u.fn.VBROADCASTI64X2(high, next)
	return own, next
}

func (u *unit512) wrong(own, next, second reg.GPVirtual, row, rowNext, expected reg.VecVirtual) reg.GPVirtual {
	var groups [2]reg.VecVirtual
	for i := range groups {
		groups[i] = u.fn.ZMM()
		from, fromNext := Mem{Base: own}, Mem{Base: next}
		if i > 0 {
			from, fromNext = from.Idx(second, 1), fromNext.Idx(second, 1)
		}
		const sumAndProduct = 0x78 // a ^ b&c
		u.fn.VPANDQ(from, row, groups[i])
		u.fn.VPTERNLOGQ(U8(sumAndProduct), fromNext, rowNext, groups[i])
	}
	sum, other, wrong, mask := u.fn.ZMM(), u.fn.ZMM(), u.fn.K(), u.fn.GP64()
	u.fn.VPUNPCKLQDQ(groups[1], groups[0], sum)
	u.fn.VPUNPCKHQDQ(groups[1], groups[0], other)
	u.fn.VPXORQ(other, sum, sum)
	u.fn.VPOPCNTB(sum, sum)
	u.fn.VPSADBW(u.zero, sum, sum)
	u.fn.VPSRLVQ(u.shifts, expected, expected)
	u.fn.VPXORQ(expected, sum, sum)
	u.fn.VPTESTMQ(u.one, sum, wrong)
	u.fn.KMOVB(wrong, mask.As32())
	return mask
}

func (u *unit512) expect(bits Op) reg.VecVirtual {
	expected := u.fn.ZMM()
	u.fn.VPBROADCASTQ(bits, expected)
	return expected
}

// A key is a key that is looked up in one unit after the other.
type key struct {
	own, next, last, result Op // as in a room, in memory or registers
	row, rowNext            reg.VecVirtual
}

// inUnit looks the key up in the unit that begins some bytes behind the first column, and goes on
// to the next unit.
func (k *key) inUnit(fn *kernel.Function, unit unit, at reg.GPVirtual) (wrong reg.GPVirtual) {
	first, second, own, next, expected := fn.GP64(), fn.GP64(), fn.GP64(), fn.GP64(), fn.GP64()
	fn.MOVQ(k.result, expected)
	fn.MOVQ(k.last, second)
	fn.MOVQ(second, first)
	fn.CMPQ(at, first)
	fn.CMOVQLT(at, first)
	fn.ADDQ(U8(groupBytes), at)
	fn.CMPQ(at, second)
	fn.CMOVQLT(at, second)
	fn.ADDQ(U8(groupBytes), at)
	fn.MOVQ(first, own)
	fn.SHRL(U8(4), own.As32())
	fn.SHRXQ(own, expected, next)
	fn.ANDL(U8(1<<groupColumns-1), next.As32())
	fn.MOVQ(second, own)
	fn.SHRL(U8(4), own.As32())
	fn.SHRXQ(own, expected, expected)
	fn.SHLL(U8(groupColumns), expected.As32())
	fn.ORL(next.As32(), expected.As32())
	fn.MOVQ(k.own, own)
	fn.ADDQ(first, own)
	fn.MOVQ(k.next, next)
	fn.ADDQ(first, next)
	fn.SUBQ(first, second)
	return unit.wrong(own, next, second, k.row, k.rowNext, unit.expect(expected))
}

package sliced

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
	"github.com/simdbloom/simdbloom/internal/gen/shared"
)

const (
	lineWords   = shared.LineBytes / 8
	aheadLines  = 8              // that are prefetched
	unrolled    = 4              // lines that are ANDed together
	groupLines  = 64 / lineWords // a bit of a word says which of their words are not 0
	wordColumns = 64
)

// hits emits the kernel for one key. It ANDs the lines of a group, and stores the words. A bit for each says whether it
// is not 0. Then it lists the bits of those that are not. A branch for each word would often be mispredicted, and so
// would one for a second bit: without it, the second column goes to a place that is never read.
func (v vectors) hits(f *kernel.File) {
	name := "slicedHits" + v.name
	fn := f.Function(v.level, name, "func(dst *int, room int, tile *byte, rows *uint64, n, lines, first int) (found int)",
		name+" lists the columns whose bits are set in all of n rows, at least one, counted from first on. It reads the",
		"first lines of the rows, at least one. If there are more columns than room, found is larger than that, and enough for",
		"some of them, of which some have been written.")
	param := func(name string) reg.GPVirtual { return fn.Load(fn.Param(name), fn.GP64()).(reg.GPVirtual) }
	dst, tile, lines := param("dst"), param("tile"), param("lines")
	words, nonzero, shift := fn.GP64(), fn.GP64(), fn.GP64()
	shared.Room(fn, groupLines*shared.LineBytes, words)
	rowsEnd, dstEnd := fn.Address(fn.Param("n")), fn.Address(fn.Param("room")) // in place of these
	end := fn.GP64()
	fn.MOVQ(fn.Address(fn.Param("rows")), end)
	fn.SHLQ(U8(3), rowsEnd)
	fn.ADDQ(end, rowsEnd)
	fn.SHLQ(U8(3), dstEnd)
	fn.ADDQ(dst, dstEnd)

	fn.Label("group")
	fn.XORL(nonzero.As32(), nonzero.As32())
	fn.XORL(shift.As32(), shift.As32())
	fn.Label("lines")
	fn.CMPQ(lines, U8(unrolled))
	fn.JB(LabelRef("line"))
	v.lines(fn, "rows", tile, words, nonzero, shift, lines, rowsEnd, unrolled)
	fn.JZ(LabelRef("list"))
	fn.CMPL(shift.As32(), U8(wordColumns))
	fn.JNE(LabelRef("lines"))
	fn.JMP(LabelRef("list"))
	fn.Label("line")
	v.lines(fn, "row", tile, words, nonzero, shift, lines, rowsEnd, 1)
	fn.JNZ(LabelRef("line"))

	fn.Label("list")
	fn.TESTQ(nonzero, nonzero)
	fn.JZ(LabelRef("next"))
	v.list(fn, dst, words, nonzero, dstEnd)
	fn.Label("next")
	fn.ADDQ(U32(groupLines*lineWords*wordColumns), fn.Address(fn.Param("first")))
	fn.TESTQ(lines, lines)
	fn.JNZ(LabelRef("group"))
	found := fn.GP64()
	fn.Label("done")
	fn.MOVQ(dst, found)
	fn.SUBQ(fn.Address(fn.Param("dst")), found)
	fn.SHRQ(U8(3), found)
	fn.Store(found, fn.Return("found"))
	fn.VZEROUPPER()
	fn.RET()
}

// lines emits the AND of some lines, and leaves the flags of the number of lines that are left.
func (v vectors) lines(fn *kernel.Function, label string, tile, words, nonzero, shift, left reg.GPVirtual, end Op, lines int) {
	at, bits := fn.GP64(), fn.GP64()
	fn.MOVQ(fn.Address(fn.Param("rows")), at)
	var ahead reg.Register
	if lines > 1 { // a row's end is nearer
		ahead = fn.GP64()
		beyond := fn.GP64()
		fn.MOVL(U32(aheadLines*shared.LineBytes), ahead.(reg.GPVirtual).As32())
		fn.XORL(beyond.As32(), beyond.As32())
		fn.CMPQ(left, U8(aheadLines+lines))
		fn.CMOVQCS(beyond, ahead)
	}
	sums := v.and(fn, label, tile, at, end, lines, ahead)
	for i, sum := range sums {
		v.store(fn, sum, Mem{Base: words, Index: shift, Scale: 8, Disp: i * v.bytes})
		if v.level == kernel.AVX512 {
			k := fn.K()
			fn.VPTESTMQ(sum, sum, k)
			fn.KMOVB(k, bits.As32())
		} else {
			zero := fn.YMM()
			fn.VPXOR(zero, zero, zero)
			fn.VPCMPEQQ(zero, sum, zero)
			fn.VMOVMSKPD(zero, bits.As32())
			fn.XORL(U8(1<<(v.bytes/8)-1), bits.As32())
		}
		position := shift
		if i > 0 {
			position = fn.GP64()
			fn.LEAL(Mem{Base: shift, Disp: i * v.bytes / 8}, position.As32())
		}
		fn.SHLXQ(position, bits, bits)
		fn.ORQ(bits, nonzero)
	}
	fn.ADDL(U8(lines*lineWords), shift.As32())
	fn.ADDQ(U32(lines*shared.LineBytes), tile)
	fn.SUBQ(U8(lines), left)
}

// list emits the listing of the bits of some words, at least one, which are not 0. The second bit's column is stored
// before the first one's, in the last place for the word: if there is no second bit, the first one's goes there, too.
func (v vectors) list(fn *kernel.Function, dst, words, nonzero reg.GPVirtual, end Op) {
	word, rest, column, bit, after := fn.GP64(), fn.GP64(), fn.GP64(), fn.GP64(), fn.GP64()
	store := func(from reg.Register, to Mem) {
		fn.TZCNTQ(from, bit)
		fn.ADDQ(column, bit)
		fn.MOVQ(bit, to)
	}
	fn.Label("word")
	fn.TZCNTQ(nonzero, column)
	fn.MOVQ(Mem{Base: words, Index: column, Scale: 8}, word)
	fn.SHLQ(U8(6), column)
	fn.ADDQ(fn.Address(fn.Param("first")), column)
	fn.POPCNTQ(word, after)
	fn.LEAQ(Mem{Base: dst, Index: after, Scale: 8}, after)
	fn.CMPQ(after, end)
	fn.JHI(LabelRef("full"))
	fn.BLSRQ(word, rest)
	store(rest, Mem{Base: after, Disp: -8})
	store(word, Mem{Base: dst})
	fn.BLSRQ(rest, word)
	fn.JNZ(LabelRef("more"))
	fn.Label("listed")
	fn.MOVQ(after, dst)
	fn.BLSRQ(nonzero, nonzero)
	fn.JNZ(LabelRef("word"))
	fn.JMP(LabelRef("next"))
	fn.Label("more")
	fn.ADDQ(U8(8), dst)
	store(rest, Mem{Base: dst})
	fn.BLSRQ(rest, rest)
	fn.JNZ(LabelRef("more"))
	fn.JMP(LabelRef("listed"))
	fn.Label("full")
	fn.MOVQ(after, dst)
	fn.JMP(LabelRef("done"))
}

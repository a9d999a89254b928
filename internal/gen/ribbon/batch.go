package ribbon

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
	"github.com/simdbloom/simdbloom/internal/gen/shared"
)

// A batcher looks up hashes in a Ribbon filter, 32 at a time: where their columns are and
// their rows are computed in vectors of hashes, and stored. Then one key after the other is looked
// up in its first eight columns, and those that are right so far in the others. While it looks up
// keys, it prefetches the columns of the next 32.
type batcher struct {
	fn    *kernel.Function
	lanes lanes
	unit  unit

	filter, hashes, hits, n, distance Mem           // the arguments
	now, then                         reg.GPVirtual // rooms: of the keys that are looked up, and of those that come next
	at                                reg.GPVirtual // 8 times a key's number
	word                              reg.GPVirtual // of answers
	later                             []func()      // emit code behind the function's end
}

// A room has the values that are stored for 32 keys.
const (
	ribbonKeys = 32

	// Two vectors: the halves of the row.
	scratchLow  = 0
	scratchHigh = scratchLow + ribbonKeys*segmentBytes
	// Words: the addresses of the columns, how far behind them the second group begins, and the
	// last one; then the bits of the result, and those that the first unit must have.
	scratchOwn      = scratchHigh + ribbonKeys*segmentBytes
	scratchNext     = scratchOwn + ribbonKeys*shared.HashBytes
	scratchSecond   = scratchNext + ribbonKeys*shared.HashBytes
	scratchLast     = scratchSecond + ribbonKeys*shared.HashBytes
	scratchResult   = scratchLast + ribbonKeys*shared.HashBytes
	scratchExpected = scratchResult + ribbonKeys*shared.HashBytes
	ribbonScratch   = scratchExpected + ribbonKeys*shared.HashBytes
)

func batch(f *kernel.File, level kernel.Level, name string) {
	fn := f.Function(level, name, "func(k *Kernel, hashes *uint64, hits *uint64, n int, distance uint8)",
		name+" looks up n hashes, whole octets, at least one. It sets their bits to the",
		"answers, and the bits behind them, up to a multiple of 32, to 0. It prefetches lines as the distance",
		"says: none at 0, from a cache at 1, from memory at 2.")
	arg := func(name string) Mem { return fn.Address(fn.Param(name)) }
	b := &batcher{
		fn: fn, lanes: lanes{fn, level}, filter: arg("k"), hashes: arg("hashes"), hits: arg("hits"), n: arg("n"),
		distance: arg("distance"),
		now:      fn.GP64(), then: fn.GP64(), at: fn.GP64(), word: fn.GP64(),
	}
	shared.OwnOfArgument(fn, b.filter)
	shared.Room(fn, 2*ribbonScratch, b.now)
	fn.LEAQ(Mem{Base: b.now, Disp: ribbonScratch}, b.then)
	keys := fn.GP64() // 8 times the number of those that are looked up
	fn.XORL(keys.As32(), keys.As32())

	fn.Label("group")
	next := b.prepare()
	fn.TESTQ(keys, keys)
	fn.JZ(LabelRef("none"))
	b.unit = newUnit(fn, level)
	b.lookUp(keys)
	b.lookUpRest()
	hits := fn.GP64()
	fn.MOVQ(b.hits, hits)
	fn.MOVL(b.word.As32(), Mem{Base: hits})
	fn.ADDQ(U8(ribbonKeys/8), b.hits)
	fn.JMP(LabelRef("swap"))
	fn.Label("none")
	b.prefetchFirst(next)
	fn.Label("swap")
	fn.XCHGQ(b.now, b.then)
	fn.MOVQ(next, keys)
	fn.TESTQ(keys, keys)
	fn.JNZ(LabelRef("group"))
	fn.VZEROUPPER()
	fn.RET()
	for _, emit := range b.later {
		emit()
	}
}

// vectorOf is a vector of a key in a room, wordOf is a word.
func (b *batcher) vectorOf(scratch reg.GPVirtual, of int) Mem {
	return Mem{Base: scratch, Disp: of, Index: b.at, Scale: segmentBytes / shared.HashBytes}
}

func (b *batcher) wordOf(scratch reg.GPVirtual, of int) Mem {
	return Mem{Base: scratch, Disp: of, Index: b.at, Scale: 1}
}

// prepare stores the values that the next keys need, and returns 8 times how many these are.
func (b *batcher) prepare() reg.GPVirtual {
	keys := b.fn.GP64()
	most := b.fn.GP64()
	b.fn.MOVQ(b.n, keys)
	b.fn.MOVL(U32(ribbonKeys), most.As32())
	b.fn.CMPQ(keys, most)
	b.fn.CMOVQGT(most, keys)
	b.fn.SUBQ(keys, b.n)
	b.fn.SHLQ(U8(3), keys)
	b.fn.JZ(LabelRef("prepared"))
	rows := b.newRows()
	b.fn.XORL(b.at.As32(), b.at.As32())
	b.fn.Label("rows")
	rows.emit()
	b.fn.ADDQ(U8(b.lanes.bytes()), b.at)
	b.fn.CMPQ(b.at, keys)
	b.fn.JLT(LabelRef("rows"))
	b.fn.ADDQ(keys, b.hashes)
	b.fn.Label("prepared")
	return keys
}

// prefetchFirst prefetches the columns of the first keys of all.
func (b *batcher) prefetchFirst(keys reg.GPVirtual) {
	b.fn.CMPB(b.distance, U8(0))
	b.fn.JE(LabelRef("swap"))
	b.fn.MOVQ(keys, b.at)
	b.fn.Label("first")
	b.fn.SUBQ(U8(shared.HashBytes), b.at)
	b.prefetch("first")
	b.fn.TESTQ(b.at, b.at)
	b.fn.JNZ(LabelRef("first"))
}

// prefetch prefetches the first unit of a key that comes next. Columns of the two blocks are
// neighbours, up to eight of them, so one end need not be prefetched. From a cache, half of the lines
// go to the first-level one: of 7 columns in 2 MiB, a lookup takes 5.4 ns with T0 or so, and 5.7
// with T1; of 15 columns, 6.0 with either and 5.7 so (AVX-512, Zen 4).
func (b *batcher) prefetch(label string) {
	b.fn.CMPB(b.distance, U8(1))
	b.fn.JB(LabelRef(label + "Near"))
	own, next, second := b.fn.GP64(), b.fn.GP64(), b.fn.GP64()
	b.fn.MOVQ(b.wordOf(b.then, scratchOwn), own)
	b.fn.MOVQ(b.wordOf(b.then, scratchNext), next)
	b.fn.MOVQ(b.wordOf(b.then, scratchSecond), second)
	unit := func(prefetch shared.Hint, columns reg.Register) {
		prefetch(b.fn, Mem{Base: columns})
		prefetch(b.fn, Mem{Base: columns, Disp: groupBytes})
		prefetch(b.fn, Mem{Base: columns, Index: second, Scale: 1, Disp: groupBytes - 1})
	}
	b.fn.JA(LabelRef(label + "InMemory"))
	unit(shared.FromCache, own)
	b.fn.Label(label + "Own")
	unit(shared.FromMemory, next)
	b.fn.Label(label + "Near")
	b.later = append(b.later, func() {
		b.fn.Label(label + "InMemory")
		unit(shared.FromMemory, own)
		b.fn.JMP(LabelRef(label + "Own"))
	})
}

// lookUp looks the keys up in their first columns, the last key first.
func (b *batcher) lookUp(keys reg.GPVirtual) {
	b.fn.XORL(b.word.As32(), b.word.As32())
	b.fn.MOVQ(keys, b.at)
	b.fn.Label("key")
	b.fn.SUBQ(U8(shared.HashBytes), b.at)
	own, next, second := b.fn.GP64(), b.fn.GP64(), b.fn.GP64()
	b.fn.MOVQ(b.wordOf(b.now, scratchOwn), own)
	b.fn.MOVQ(b.wordOf(b.now, scratchNext), next)
	b.fn.MOVQ(b.wordOf(b.now, scratchSecond), second)
	row, rowNext := b.unit.rows(b.vectorOf(b.now, scratchLow), b.vectorOf(b.now, scratchHigh))
	wrong := b.unit.wrong(own, next, second, row, rowNext, b.unit.expect(b.wordOf(b.now, scratchExpected)))
	b.fn.CMPL(wrong.As32(), U8(1)) // carries if all are right
	b.fn.ADCL(b.word.As32(), b.word.As32())
	b.prefetch("key")
	b.fn.TESTQ(b.at, b.at)
	b.fn.JNZ(LabelRef("key"))
}

// lookUpRest looks the keys that are right so far up in the other columns.
func (b *batcher) lookUpRest() {
	filter, end := b.fn.GP64(), b.fn.GP64()
	b.fn.MOVQ(b.filter, filter)
	b.fn.MOVQ(b.fn.Field(filter, "ribbonFilter", "unitBytes"), end)
	b.fn.CMPQ(end, U32(unitBytes))
	b.fn.JE(LabelRef("looked"))
	left, number, at := b.fn.GP64(), b.fn.GP64(), b.fn.GP64()
	b.fn.CMPB(b.distance, U8(0))
	b.fn.JE(LabelRef("rest"))
	b.eachRight(left, number, "prefetched", "rest", func() { b.prefetchRest(at) })
	b.fn.Label("rest")
	b.eachRight(left, number, "right", "looked", func() {
		key := key{
			own: b.wordOf(b.now, scratchOwn), next: b.wordOf(b.now, scratchNext),
			last: b.wordOf(b.now, scratchLast), result: b.wordOf(b.now, scratchResult),
		}
		key.row, key.rowNext = b.unit.rows(b.vectorOf(b.now, scratchLow), b.vectorOf(b.now, scratchHigh))
		b.fn.MOVL(U32(unitBytes), at.As32())
		b.fn.Label("unit")
		wrong := key.inUnit(b.fn, b.unit, at)
		b.fn.TESTL(wrong.As32(), wrong.As32())
		b.fn.JNZ(LabelRef("wrong"))
		b.fn.CMPQ(at, end)
		b.fn.JLT(LabelRef("unit"))
		b.fn.JMP(LabelRef("right"))
		b.fn.Label("wrong")
		b.fn.BTRL(number.As32(), b.word.As32())
	})
	b.fn.Label("looked")
}

// eachRight emits a loop over the keys that are right so far. b.at is their place.
func (b *batcher) eachRight(left, number reg.GPVirtual, loop, end string, do func()) {
	b.fn.MOVL(b.word.As32(), left.As32())
	b.fn.Label(loop)
	b.fn.BSFL(left.As32(), number.As32())
	b.fn.JZ(LabelRef(end))
	b.fn.BTRL(number.As32(), left.As32())
	b.fn.MOVL(number.As32(), b.at.As32())
	b.fn.SHLL(U8(3), b.at.As32())
	do()
	b.fn.JMP(LabelRef(loop))
}

// prefetchRest prefetches the columns beyond the first unit.
func (b *batcher) prefetchRest(at reg.GPVirtual) {
	own, next, last := b.fn.GP64(), b.fn.GP64(), b.fn.GP64()
	b.fn.MOVQ(b.wordOf(b.now, scratchOwn), own)
	b.fn.MOVQ(b.wordOf(b.now, scratchNext), next)
	b.fn.MOVQ(b.wordOf(b.now, scratchLast), last)
	b.fn.MOVL(U32(unitBytes), at.As32())
	b.fn.Label("line")
	shared.FromMemory(b.fn, Mem{Base: own, Index: at, Scale: 1})
	shared.FromMemory(b.fn, Mem{Base: next, Index: at, Scale: 1})
	b.fn.ADDQ(U8(shared.LineBytes), at)
	b.fn.CMPQ(at, last)
	b.fn.JLT(LabelRef("line"))
	shared.FromMemory(b.fn, Mem{Base: own, Index: last, Scale: 1, Disp: groupBytes - 1})
	shared.FromMemory(b.fn, Mem{Base: next, Index: last, Scale: 1, Disp: groupBytes - 1})
}

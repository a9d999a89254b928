package ribbon

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
	"github.com/simdbloom/simdbloom/internal/gen/shared"
)

// lanes emits the instructions that differ between AVX2 and AVX-512.
type lanes struct {
	fn    *kernel.Function
	level kernel.Level
}

func (l lanes) wide() bool { return l.level == kernel.AVX512 }

// bytes returns the size of a vector.
func (l lanes) bytes() uint8 {
	if l.wide() {
		return shared.Octet * shared.HashBytes
	}
	return shared.Quad * shared.HashBytes
}

func (l lanes) vector() reg.VecVirtual {
	if l.wide() {
		return l.fn.ZMM()
	}
	return l.fn.YMM()
}

func (l lanes) move(from, to Op) {
	if l.wide() {
		l.fn.VMOVDQU64(from, to)
	} else {
		l.fn.VMOVDQU(from, to)
	}
}

func (l lanes) and(by Op, v reg.VecVirtual) (product reg.VecVirtual) {
	product = l.vector()
	if l.wide() {
		l.fn.VPANDQ(by, v, product)
	} else {
		l.fn.VPAND(by, v, product)
	}
	return product
}

func (l lanes) or(v, by Op) {
	if l.wide() {
		l.fn.VPORQ(by, v, v)
	} else {
		l.fn.VPOR(by, v, v)
	}
}

func (l lanes) xor(by Op, v reg.VecVirtual) {
	if l.wide() {
		l.fn.VPXORQ(by, v, v)
	} else {
		l.fn.VPXOR(by, v, v)
	}
}

// constant returns a vector of one word.
func (l lanes) constant(name string, word uint64) reg.VecVirtual {
	v := l.vector()
	l.fn.VPBROADCASTQ(l.fn.Words(name, word), v)
	return v
}

// right returns words shifted down.
func (l lanes) right(v reg.VecVirtual, by uint8) reg.VecVirtual {
	shifted := l.vector()
	l.fn.VPSRLQ(U8(by), v, shifted)
	return shifted
}

// times returns the low halves of products. high has the words' upper halves.
func (l lanes) times(v, high reg.VecVirtual, name string, factor uint64) reg.VecVirtual {
	product, low := l.vector(), l.constant(name, factor)
	if l.wide() {
		l.fn.VPMULLQ(low, v, product)
		return product
	}
	cross := l.vector()
	l.fn.VPMULUDQ(low, high, cross)
	l.fn.VPMULUDQ(low, v, product)
	upper := l.constant(name+"Upper", factor>>32)
	l.fn.VPMULUDQ(upper, v, upper)
	l.fn.VPADDQ(upper, cross, cross)
	l.fn.VPSLLQ(U8(32), cross, cross)
	l.fn.VPADDQ(cross, product, product)
	return product
}

// rows emits where a vector of keys has its columns, and the keys' rows.
type rows struct {
	*batcher
	from                                       reg.GPVirtual
	body, starts, seed, columns, fewer, bounds reg.VecVirtual
}

func (b *batcher) newRows() *rows {
	r := &rows{batcher: b, from: b.fn.GP64()}
	filter := b.fn.GP64()
	b.fn.MOVQ(b.filter, filter)
	for _, field := range []struct {
		name string
		to   *reg.VecVirtual
	}{
		{"body", &r.body},
		{"shape.Starts", &r.starts},
		{"shape.Seed", &r.seed},
		{"shape.Columns", &r.columns},
		{"shape.Fewer", &r.fewer},
		{"lastSegment", &r.bounds},
	} {
		*field.to = b.lanes.vector()
		b.fn.VPBROADCASTQ(b.fn.Field(filter, "ribbonFilter", field.name), *field.to)
	}
	b.fn.MOVQ(b.hashes, r.from)
	return r
}

// emit emits a vector of keys. Numbers of blocks and segments have 32 bits.
func (r *rows) emit() {
	fn, l := r.fn, r.lanes
	hash := l.vector()
	l.move(Mem{Base: r.from, Index: r.at, Scale: 1}, hash)
	l.xor(r.seed, hash)
	g := l.times(hash, l.right(hash, 32), "ribbonHash", ribbonHash)
	upper := l.right(g, 32)
	a := l.times(g, upper, "ribbonRow", ribbonRow)

	start, product := l.vector(), l.vector()
	fn.VPMULUDQ(r.starts, g, product)
	fn.VPMULUDQ(r.starts, upper, start)
	fn.VPADDQ(l.right(product, 32), start, start)
	start = l.right(start, 32)
	shift := l.and(l.constant("lowSeven", ribbonSlots-1), start)
	block := l.right(start, 7)

	fn.Comment("The columns.")
	own, lower, columns := l.vector(), l.vector(), l.vector()
	fn.VPMULUDQ(r.columns, block, own)
	fn.VPMINUD(r.fewer, block, lower)
	fn.VPSUBQ(lower, own, own)
	fn.VPSUBQ(r.fewer, block, columns)
	columns = l.right(columns, 63) // 1 if the block has one less
	fn.VPSUBQ(columns, r.columns, columns)
	next := l.vector()
	fn.VPADDQ(columns, own, next)
	fn.VPMINUD(r.bounds, next, next)
	for _, to := range []struct {
		columns reg.VecVirtual
		scratch int
	}{{own, scratchOwn}, {next, scratchNext}} {
		fn.VPSLLQ(U8(4), to.columns, to.columns)
		fn.VPADDQ(r.body, to.columns, to.columns)
		l.move(to.columns, r.wordOf(r.then, to.scratch))
	}
	group, second, bytes := l.constant("groupColumns", groupColumns), l.vector(), l.vector()
	fn.VPSUBQ(group, columns, columns)
	fn.VPMINUD(group, columns, second)
	fn.VPSLLQ(U8(4), columns, bytes)
	l.move(bytes, r.wordOf(r.then, scratchLast))
	fn.VPSLLQ(U8(4), second, bytes)
	l.move(bytes, r.wordOf(r.then, scratchSecond))

	fn.Comment("The result.")
	result, expected := l.vector(), l.vector()
	const zero = 0x80808080_00000000
	var reverse []uint64
	for range l.bytes() / segmentBytes {
		reverse = append(reverse, zero|0x04050607, zero|0x0c0d0e0f)
	}
	fn.VPSHUFB(r.memory("reverse", reverse...), a, result)
	l.move(result, r.wordOf(r.then, scratchResult))
	fn.VPSRLVQ(second, result, expected)
	fn.VPSLLQ(U8(groupColumns), expected, expected)
	l.or(expected, l.and(l.constant("lowFour", 1<<groupColumns-1), result))
	l.move(expected, r.wordOf(r.then, scratchExpected))

	fn.Comment("The row.")
	r.shift(a, shift)
}

func (r *rows) memory(name string, words ...uint64) reg.VecVirtual {
	v := r.lanes.vector()
	r.lanes.move(r.fn.Words(name, words...), v)
	return v
}

// shift shifts the rows by their slot in the block. Shifts by 64 and more, and by less than
// nothing, give 0.
func (r *rows) shift(high, by reg.VecVirtual) {
	fn, l := r.fn, r.lanes
	low := l.constant("ribbonLower", ribbonLower)
	l.xor(high, low)
	l.or(low, l.constant("one", 1))
	word := l.constant("sixtyFour", 64)
	beyond, back, far := l.vector(), l.vector(), l.vector()
	fn.VPSUBQ(word, by, beyond) // by - 64
	fn.VPSUBQ(by, word, back)   // 64 - by
	fn.VPADDQ(word, back, far)  // 128 - by
	left := func(v, by reg.VecVirtual) reg.VecVirtual {
		shifted := l.vector()
		fn.VPSLLVQ(by, v, shifted)
		return shifted
	}
	right := func(v, by reg.VecVirtual) reg.VecVirtual {
		shifted := l.vector()
		fn.VPSRLVQ(by, v, shifted)
		return shifted
	}
	first, second := left(low, by), left(high, by)
	l.or(second, right(low, back))
	l.or(second, left(low, beyond))
	r.pair(first, second, scratchLow)
	third, fourth := right(high, back), right(high, far)
	l.or(third, left(high, beyond))
	l.or(third, right(low, far))
	r.pair(third, fourth, scratchHigh)
}

// pair stores each key's two words side by side.
func (r *rows) pair(first, second reg.VecVirtual, scratch int) {
	fn, l := r.fn, r.lanes
	to := r.vectorOf(r.then, scratch)
	if l.wide() {
		other, lower, upper := l.vector(), r.memory("pairs", 0, 8, 1, 9, 2, 10, 3, 11), r.memory("pairsToo", 4, 12, 5, 13, 6, 14, 7, 15)
		l.move(first, other)
		fn.VPERMT2Q(second, lower, first)
		fn.VPERMT2Q(second, upper, other)
		l.move(first, to)
		l.move(other, to.Offset(shared.Octet*shared.HashBytes))
		return
	}
	even, odd := l.vector(), l.vector()
	fn.VPUNPCKLQDQ(second, first, even)
	fn.VPUNPCKHQDQ(second, first, odd)
	fn.VMOVDQU(even.AsX(), to)
	fn.VMOVDQU(odd.AsX(), to.Offset(segmentBytes))
	fn.VEXTRACTI128(U8(1), even, to.Offset(2*segmentBytes))
	fn.VEXTRACTI128(U8(1), odd, to.Offset(3*segmentBytes))
}

package linear

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/shared"
)

const (
	ranksPerBlock = 4 // the number of ranks is a multiple

	// A key's code is its order and, below that, a number that falls in the line.
	codeShift = 7
	fewCodes  = 16 // in a vector
)

// rank puts each line's hashes in the order of elimination. A hash's rank is how many come
// before it: those that have larger codes.
func (s *quadSolver) rank() {
	s.fn.Comment("Ranks.")
	list := func(line int, field string) Mem {
		return s.fn.Field(s.lists, "linearList", field).Offset(line * s.fn.Size("linearList"))
	}
	s.fn.XORQ(s.end, s.end)
	for line := range s.lines() {
		n, empty := s.fn.GP64(), s.fn.GP64()
		s.fn.MOVQ(list(line, "n"), n)
		s.fn.CMPQ(n, s.end)
		s.fn.CMOVQGT(n, s.end)
		if !s.one {
			s.fn.XORL(empty.As32(), empty.As32())
			s.fn.CMPQ(n, U8(1))
			s.fn.SBBQ(empty, empty)
			s.fn.ANDL(U8(anyThreshold), empty.As32())
			s.fn.MOVQ(empty, s.place("empty").Offset(8*line))
		}
	}
	s.fn.ADDQ(U8(ranksPerBlock-1), s.end)
	s.fn.ANDQ(I32(-ranksPerBlock), s.end)
	s.fn.SHLQ(U8(5), s.end) // quadBytes
	s.fn.XORQ(s.at, s.at)
	s.fn.CMPQ(s.at, s.end)
	s.fn.JGE(LabelRef("cleared"))
	zero := s.zero()
	s.loop("clearKeys", s.at, s.end, ranksPerBlock, func() {
		for i := range ranksPerBlock {
			s.fn.VMOVDQU(zero, s.of("keys", s.at).Offset(quadBytes*i))
		}
	})
	s.fn.Label("cleared")

	multiplier, lists, keys, lastList := s.fn.YMM(), s.fn.GP64(), s.fn.GP64(), s.fn.GP64()
	s.fn.VPBROADCASTQ(s.fn.Address(s.fn.Param("multiplier")), multiplier)
	s.fn.MOVQ(s.lists, lists)
	s.fn.LEAQ(s.place("keys"), keys)
	s.fn.LEAQ(Mem{Base: s.lists, Disp: s.lines() * s.fn.Size("linearList")}, lastList)
	s.fn.Label("rankLine")
	hashes, n := s.fn.GP64(), s.fn.GP64()
	s.fn.MOVQ(s.fn.Field(lists, "linearList", "hashes"), hashes)
	s.fn.MOVQ(s.fn.Field(lists, "linearList", "n"), n)
	s.fn.TESTQ(n, n)
	s.fn.JZ(LabelRef("ranked"))
	s.pad(hashes, n)
	s.codes(n, multiplier)
	s.compare(n)
	i, to, hash := s.fn.GP64(), s.fn.GP64(), s.fn.GP64()
	s.fn.XORQ(i, i)
	s.fn.Label("toRank")
	s.fn.MOVWLZX(s.place("ranks").Idx(i, 2), to.As32())
	if s.one {
		every := s.fn.YMM()
		s.fn.VPBROADCASTQ(Mem{Base: hashes, Index: i, Scale: shared.HashBytes}, every)
		s.fn.VMOVDQU(every, Mem{Base: keys, Index: to, Scale: 1})
	} else {
		s.fn.MOVQ(Mem{Base: hashes, Index: i, Scale: shared.HashBytes}, hash)
		s.fn.MOVQ(hash, Mem{Base: keys, Index: to, Scale: 1})
	}
	s.fn.INCQ(i)
	s.fn.CMPQ(i, n)
	s.fn.JLT(LabelRef("toRank"))
	s.fn.Label("ranked")
	s.fn.ADDQ(U8(8), keys)
	s.fn.ADDQ(U8(s.fn.Size("linearList")), lists)
	s.fn.CMPQ(lists, lastList)
	s.fn.JLT(LabelRef("rankLine"))
}

// pad copies a line's hashes. Behind the last one there are zeros.
func (s *quadSolver) pad(hashes, n reg.GPVirtual) {
	at, whole, hash, zero := s.fn.GP64(), s.fn.GP64(), s.fn.GP64(), s.zero()
	s.fn.XORQ(at, at)
	s.fn.MOVQ(n, whole)
	s.fn.ANDQ(I32(-shared.Quad), whole)
	s.fn.JZ(LabelRef("fewHashes"))
	s.fn.Label("copyQuad")
	s.fn.VMOVDQU(s.load(Mem{Base: hashes, Index: at, Scale: shared.HashBytes}), s.place("hashes").Idx(at, shared.HashBytes))
	s.fn.ADDQ(U8(shared.Quad), at)
	s.fn.CMPQ(at, whole)
	s.fn.JLT(LabelRef("copyQuad"))
	s.fn.Label("fewHashes")
	for i := range fewCodes / shared.Quad {
		s.fn.VMOVDQU(zero, s.place("hashes").Idx(at, shared.HashBytes).Offset(quadBytes*i))
	}
	s.fn.CMPQ(at, n)
	s.fn.JGE(LabelRef("padded"))
	s.fn.Label("copyHash")
	s.fn.MOVQ(Mem{Base: hashes, Index: at, Scale: shared.HashBytes}, hash)
	s.fn.MOVQ(hash, s.place("hashes").Idx(at, shared.HashBytes))
	s.fn.INCQ(at)
	s.fn.CMPQ(at, n)
	s.fn.JLT(LabelRef("copyHash"))
	s.fn.Label("padded")
}

// codes finds the codes of a line's keys. Behind the last key there are lower ones than any
// key's, up to a whole vector.
func (s *quadSolver) codes(n reg.GPVirtual, multiplier reg.VecVirtual) {
	number, four := s.fn.YMM(), s.load(s.every("four", shared.Quad))
	orders, highest := s.load(s.every("codeOrders", 63<<codeShift)), s.load(s.every("highestCode", 62<<codeShift))
	order := s.load(s.fn.Words("codesInOrder", 4<<32, 5<<32|1, 6<<32|2, 7<<32|3))
	const last = 1<<codeShift - 1
	s.fn.VMOVDQU(s.fn.Words("codeNumbers", last, last-1, last-2, last-3), number)
	at := s.fn.GP64()
	s.fn.XORQ(at, at)
	s.fn.Label("codes")
	var codes [fewCodes / shared.Quad]reg.VecVirtual
	for i := range codes {
		code := s.fn.YMM()
		s.fn.VPMULUDQ(s.place("hashes").Idx(at, shared.HashBytes).Offset(quadBytes*i), multiplier, code)
		s.fn.VPSRLQ(U8(26-codeShift), code, code)
		s.fn.VPAND(orders, code, code)
		s.fn.VPMINUD(highest, code, code)
		s.fn.VPOR(number, code, code)
		s.fn.VPSUBQ(four, number, number)
		codes[i] = code
	}
	s.fn.VPACKUSDW(codes[1], codes[0], codes[0])
	s.fn.VPACKUSDW(codes[3], codes[2], codes[2])
	s.fn.VPACKUSDW(codes[2], codes[0], codes[0])
	s.fn.VPERMD(codes[0], order, codes[0])
	s.fn.VMOVDQU(codes[0], s.place("codes").Idx(at, 2))
	s.fn.ADDQ(U8(fewCodes), at)
	s.fn.CMPQ(at, n)
	s.fn.JLT(LabelRef("codes"))
}

// compare counts for every code how many are larger, times the bytes of a vector.
func (s *quadSolver) compare(n reg.GPVirtual) {
	const vectors, unrolled = 2, 4
	at := s.fn.GP64()
	s.fn.XORQ(at, at)
	s.fn.Label("compare")
	var codes, counts [vectors]reg.VecVirtual
	for i := range codes {
		codes[i] = s.load(s.place("codes").Idx(at, 2).Offset(quadBytes * i))
		counts[i] = s.zero()
	}
	other := s.fn.GP64()
	s.fn.XORQ(other, other)
	s.fn.Label("others")
	for k := range unrolled {
		one := s.fn.YMM()
		s.fn.VPBROADCASTW(s.place("codes").Idx(other, 2).Offset(2*k), one)
		for i := range codes {
			larger := s.fn.YMM()
			s.fn.VPCMPGTW(codes[i], one, larger)
			s.fn.VPSUBW(larger, counts[i], counts[i])
		}
	}
	s.fn.ADDQ(U8(unrolled), other)
	s.fn.CMPQ(other, n)
	s.fn.JLT(LabelRef("others"))
	for i := range counts {
		s.fn.VPSLLW(U8(5), counts[i], counts[i]) // quadBytes
		s.fn.VMOVDQU(counts[i], s.place("ranks").Idx(at, 2).Offset(quadBytes*i))
	}
	s.fn.ADDQ(U8(vectors*fewCodes), at)
	s.fn.CMPQ(at, n)
	s.fn.JLT(LabelRef("compare"))
}

// prepare computes the parts of rows that do not depend on the seed.
func (s *quadSolver) prepare() {
	s.fn.Comment("Hashes.")
	s.fn.XORQ(s.at, s.at)
	s.fn.CMPQ(s.at, s.end)
	s.fn.JGE(LabelRef("prepared"))
	multiplier, orders, highest, one := s.fn.YMM(), s.fn.YMM(), s.fn.YMM(), s.fn.YMM()
	low, high, shift := s.fn.YMM(), s.fn.YMM(), s.fn.YMM()
	s.fn.VPBROADCASTQ(s.fn.Address(s.fn.Param("multiplier")), multiplier)
	s.fn.VMOVDQU(s.every("quadOrders", 63), orders)
	s.fn.VMOVDQU(s.every("quadHighest", 62), highest)
	s.fn.VMOVDQU(s.every("quadOne", 1), one)
	s.fn.VMOVDQU(s.every("quadLow", linearLow), low)
	s.fn.VMOVDQU(s.every("quadHigh", linearHigh), high)
	s.fn.VMOVDQU(s.field("fingerprintShift"), shift)
	reverse := s.reversal()
	s.loop("prepare", s.at, s.end, 1, func() {
		hash := s.load(s.of("keys", s.at))
		order, upper, word := s.fn.YMM(), s.fn.YMM(), s.fn.YMM()
		s.fn.VPMULUDQ(multiplier, hash, order)
		s.fn.VPSRLQ(U8(26), order, order)
		s.fn.VPAND(orders, order, order)
		s.fn.VPMINUD(highest, order, order)
		s.fn.VPADDQ(one, order, order)
		s.fn.VMOVDQU(order, s.of("orders", s.at))
		s.fn.VPSRLQ(U8(32), hash, upper)
		s.fn.VMOVDQU(upper, s.of("highs", s.at))
		s.fn.VPMULUDQ(low, hash, hash)
		s.fn.VPSLLQ(U8(32), hash, hash)
		s.fn.VPMULUDQ(high, upper, word)
		s.fn.VPXOR(hash, word, word)
		s.fn.VPSRLVQ(shift, word, upper)
		if !s.wide {
			s.fn.VPOR(s.presence(), upper, upper)
		}
		s.fn.VMOVDQU(upper, s.of("fingerprints", s.at))
		s.fn.VMOVDQU(reverse(word), s.of("words", s.at))
	})
	s.fn.Label("prepared")
}

// reversal returns a function that reverses the bits of every byte of a vector, which it
// changes.
func (s *quadSolver) reversal() func(y reg.VecVirtual) reg.VecVirtual {
	var lower, upper [2]uint64 // for VPSHUFB, of a byte's lower and upper four bits
	for nibble := range 16 {
		reversed := uint64(nibble&1<<3 | nibble&2<<1 | nibble&4>>1 | nibble&8>>3)
		lower[nibble/8] |= reversed << 4 << (8 * (nibble % 8))
		upper[nibble/8] |= reversed << (8 * (nibble % 8))
	}
	nibble := s.load(s.every("nibble", 0x0f0f0f0f0f0f0f0f))
	ofLower := s.load(s.fn.Words("reversedLower", lower[0], lower[1], lower[0], lower[1]))
	ofUpper := s.load(s.fn.Words("reversedUpper", upper[0], upper[1], upper[0], upper[1]))
	return func(y reg.VecVirtual) reg.VecVirtual {
		high := s.fn.YMM()
		s.fn.VPSRLQ(U8(4), y, high)
		s.fn.VPAND(nibble, y, y)
		s.fn.VPAND(nibble, high, high)
		s.fn.VPSHUFB(y, ofLower, y)
		s.fn.VPSHUFB(high, ofUpper, high)
		s.fn.VPOR(high, y, y)
		return y
	}
}

package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
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
	s.Comment("Ranks.")
	list := func(line int, field string) Mem {
		return s.Field(s.lists, "linearList", field).Offset(line * s.Size("linearList"))
	}
	s.XORQ(s.end, s.end)
	for line := range quad {
		n := s.GP64()
		s.MOVQ(list(line, "n"), n)
		s.CMPQ(n, s.end)
		s.CMOVQGT(n, s.end)
	}
	s.ADDQ(U8(ranksPerBlock-1), s.end)
	s.ANDQ(I32(-ranksPerBlock), s.end)
	s.SHLQ(U8(5), s.end) // quadBytes
	s.XORQ(s.at, s.at)
	s.CMPQ(s.at, s.end)
	s.JGE(LabelRef("cleared"))
	zero := s.zero()
	s.loop("clearKeys", s.at, s.end, ranksPerBlock, func() {
		for i := range ranksPerBlock {
			s.VMOVDQU(zero, s.of("keys", s.at).Offset(quadBytes*i))
		}
	})
	s.Label("cleared")

	lines, lists, keys, lastList := s.YMM(), s.GP64(), s.GP64(), s.GP64()
	s.VPBROADCASTQ(s.Address(s.Param("lines")), lines)
	s.MOVQ(s.lists, lists)
	s.LEAQ(s.place("keys"), keys)
	s.LEAQ(Mem{Base: s.lists, Disp: quad * s.Size("linearList")}, lastList)
	s.Label("rankLine")
	hashes, n := s.GP64(), s.GP64()
	s.MOVQ(s.Field(lists, "linearList", "hashes"), hashes)
	s.MOVQ(s.Field(lists, "linearList", "n"), n)
	s.TESTQ(n, n)
	s.JZ(LabelRef("ranked"))
	s.pad(hashes, n)
	s.codes(n, lines)
	s.compare(n)
	i, to, hash := s.GP64(), s.GP64(), s.GP64()
	s.XORQ(i, i)
	s.Label("toRank")
	s.MOVWLZX(s.place("ranks").Idx(i, 2), to.As32())
	s.MOVQ(Mem{Base: hashes, Index: i, Scale: hashBytes}, hash)
	s.MOVQ(hash, Mem{Base: keys, Index: to, Scale: 1})
	s.INCQ(i)
	s.CMPQ(i, n)
	s.JLT(LabelRef("toRank"))
	s.Label("ranked")
	s.ADDQ(U8(8), keys)
	s.ADDQ(U8(s.Size("linearList")), lists)
	s.CMPQ(lists, lastList)
	s.JLT(LabelRef("rankLine"))
}

// pad copies a line's hashes. Behind the last one there are zeros.
func (s *quadSolver) pad(hashes, n reg.GPVirtual) {
	at, whole, hash, zero := s.GP64(), s.GP64(), s.GP64(), s.zero()
	s.XORQ(at, at)
	s.MOVQ(n, whole)
	s.ANDQ(I32(-quad), whole)
	s.JZ(LabelRef("fewHashes"))
	s.Label("copyQuad")
	s.VMOVDQU(s.load(Mem{Base: hashes, Index: at, Scale: hashBytes}), s.place("hashes").Idx(at, hashBytes))
	s.ADDQ(U8(quad), at)
	s.CMPQ(at, whole)
	s.JLT(LabelRef("copyQuad"))
	s.Label("fewHashes")
	for i := range fewCodes / quad {
		s.VMOVDQU(zero, s.place("hashes").Idx(at, hashBytes).Offset(quadBytes*i))
	}
	s.CMPQ(at, n)
	s.JGE(LabelRef("padded"))
	s.Label("copyHash")
	s.MOVQ(Mem{Base: hashes, Index: at, Scale: hashBytes}, hash)
	s.MOVQ(hash, s.place("hashes").Idx(at, hashBytes))
	s.INCQ(at)
	s.CMPQ(at, n)
	s.JLT(LabelRef("copyHash"))
	s.Label("padded")
}

// codes finds the codes of a line's keys. Behind the last key there are lower ones than any
// key's, up to a whole vector.
func (s *quadSolver) codes(n reg.GPVirtual, lines reg.VecVirtual) {
	number, four := s.YMM(), s.load(s.every("four", quad))
	orders, highest := s.load(s.every("codeOrders", 63<<codeShift)), s.load(s.every("highestCode", 62<<codeShift))
	order := s.load(s.Words("codesInOrder", 4<<32, 5<<32|1, 6<<32|2, 7<<32|3))
	const last = 1<<codeShift - 1
	s.VMOVDQU(s.Words("codeNumbers", last, last-1, last-2, last-3), number)
	at := s.GP64()
	s.XORQ(at, at)
	s.Label("codes")
	var codes [fewCodes / quad]reg.VecVirtual
	for i := range codes {
		code := s.YMM()
		s.VPMULUDQ(s.place("hashes").Idx(at, hashBytes).Offset(quadBytes*i), lines, code)
		s.VPSRLQ(U8(26-codeShift), code, code)
		s.VPAND(orders, code, code)
		s.VPMINUD(highest, code, code)
		s.VPOR(number, code, code)
		s.VPSUBQ(four, number, number)
		codes[i] = code
	}
	s.VPACKUSDW(codes[1], codes[0], codes[0])
	s.VPACKUSDW(codes[3], codes[2], codes[2])
	s.VPACKUSDW(codes[2], codes[0], codes[0])
	s.VPERMD(codes[0], order, codes[0])
	s.VMOVDQU(codes[0], s.place("codes").Idx(at, 2))
	s.ADDQ(U8(fewCodes), at)
	s.CMPQ(at, n)
	s.JLT(LabelRef("codes"))
}

// compare counts for every code how many are larger, times the bytes of a vector.
func (s *quadSolver) compare(n reg.GPVirtual) {
	const vectors, unrolled = 2, 4
	at := s.GP64()
	s.XORQ(at, at)
	s.Label("compare")
	var codes, counts [vectors]reg.VecVirtual
	for i := range codes {
		codes[i] = s.load(s.place("codes").Idx(at, 2).Offset(quadBytes * i))
		counts[i] = s.zero()
	}
	other := s.GP64()
	s.XORQ(other, other)
	s.Label("others")
	for k := range unrolled {
		one := s.YMM()
		s.VPBROADCASTW(s.place("codes").Idx(other, 2).Offset(2*k), one)
		for i := range codes {
			larger := s.YMM()
			s.VPCMPGTW(codes[i], one, larger)
			s.VPSUBW(larger, counts[i], counts[i])
		}
	}
	s.ADDQ(U8(unrolled), other)
	s.CMPQ(other, n)
	s.JLT(LabelRef("others"))
	for i := range counts {
		s.VPSLLW(U8(5), counts[i], counts[i]) // quadBytes
		s.VMOVDQU(counts[i], s.place("ranks").Idx(at, 2).Offset(quadBytes*i))
	}
	s.ADDQ(U8(vectors*fewCodes), at)
	s.CMPQ(at, n)
	s.JLT(LabelRef("compare"))
}

// prepare finds what the rows of all seeds have in common.
func (s *quadSolver) prepare() {
	s.Comment("Hashes.")
	s.XORQ(s.at, s.at)
	s.CMPQ(s.at, s.end)
	s.JGE(LabelRef("prepared"))
	lines, orders, highest, one := s.YMM(), s.YMM(), s.YMM(), s.YMM()
	low, high, shift := s.YMM(), s.YMM(), s.YMM()
	s.VPBROADCASTQ(s.Address(s.Param("lines")), lines)
	s.VMOVDQU(s.every("quadOrders", 63), orders)
	s.VMOVDQU(s.every("quadHighest", 62), highest)
	s.VMOVDQU(s.every("quadOne", 1), one)
	s.VMOVDQU(s.every("quadLow", linearLow), low)
	s.VMOVDQU(s.every("quadHigh", linearHigh), high)
	s.VMOVDQU(s.field("fingerprintShift"), shift)
	reverse := s.reversal()
	s.loop("prepare", s.at, s.end, 1, func() {
		hash := s.load(s.of("keys", s.at))
		order, upper, word := s.YMM(), s.YMM(), s.YMM()
		s.VPMULUDQ(lines, hash, order)
		s.VPSRLQ(U8(26), order, order)
		s.VPAND(orders, order, order)
		s.VPMINUD(highest, order, order)
		s.VPADDQ(one, order, order)
		s.VMOVDQU(order, s.of("orders", s.at))
		s.VPSRLQ(U8(32), hash, upper)
		s.VMOVDQU(upper, s.of("highs", s.at))
		s.VPMULUDQ(low, hash, hash)
		s.VPSLLQ(U8(32), hash, hash)
		s.VPMULUDQ(high, upper, word)
		s.VPXOR(hash, word, word)
		s.VPSRLVQ(shift, word, upper)
		if !s.wide {
			s.VPOR(s.presence(), upper, upper)
		}
		s.VMOVDQU(upper, s.of("fingerprints", s.at))
		s.VMOVDQU(reverse(word), s.of("words", s.at))
	})
	s.Label("prepared")
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
	ofLower := s.load(s.Words("reversedLower", lower[0], lower[1], lower[0], lower[1]))
	ofUpper := s.load(s.Words("reversedUpper", upper[0], upper[1], upper[0], upper[1]))
	return func(y reg.VecVirtual) reg.VecVirtual {
		high := s.YMM()
		s.VPSRLQ(U8(4), y, high)
		s.VPAND(nibble, y, y)
		s.VPAND(nibble, high, high)
		s.VPSHUFB(y, ofLower, y)
		s.VPSHUFB(high, ofUpper, high)
		s.VPOR(high, y, y)
		return y
	}
}

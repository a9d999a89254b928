package linear

import (
	"fmt"

	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// equations returns the rows of hashes for each seed, zero where there is no key.
func (s *solver) equations(hashes Mem, there reg.OpmaskVirtual) (rows [seeds]solvedRow) {
	hash, high, word, fingerprint := s.fn.ZMM(), s.fn.ZMM(), s.fn.ZMM(), s.fn.ZMM()
	s.fn.VMOVDQU64(hashes, hash)
	s.fn.VPSRLQ(U8(32), hash, high)
	s.fn.VPMULUDQ_BCST(s.fn.Words("linearLow", linearLow), hash, hash)
	s.fn.VPSLLQ(U8(32), hash, hash)
	s.fn.VPMULUDQ_BCST(s.fn.Words("linearHigh", linearHigh), high, word)
	s.fn.VPXORQ(hash, word, word)
	s.fn.VPSRLVQ_BCST(s.field("top"), word, fingerprint)
	s.fn.VPSLLVQ_BCST(s.field("behindSlots"), fingerprint, fingerprint)
	for seed := range rows {
		row, tail := s.fn.ZMM(), s.fn.ZMM()
		s.fn.VPMULUDQ_BCST(s.fn.Words(fmt.Sprint("linearSeed", seed), linearSeeds[seed]), high, row)
		s.fn.VPSRLVQ_BCST(s.field("rowShift"), row, row)
		s.fn.VPSRLQ(U8(8*seed), word, tail)
		s.fn.VPANDQ_BCST(s.field("tailMask"), tail, tail)
		if s.wide {
			s.fn.VPANDQ_BCST_Z(s.field("planeMask"), row, there, row)
			s.fn.VPORQ_Z(fingerprint, tail, there, tail)
			rows[seed] = solvedRow{row, tail}
			continue
		}
		s.fn.VPANDQ_BCST(s.field("planeMask"), row, row)
		s.fn.VPSLLVQ_BCST(s.field("planeSlots"), tail, tail)
		s.fn.VPORQ(tail, row, row)
		s.fn.VPORQ_Z(fingerprint, row, there, row)
		rows[seed] = solvedRow{row: row}
	}
	return rows
}

// halfEquations returns the rows of 16 hashes for each seed, and puts their orders where they belong.
// The first eight hashes have even words, and the others odd ones.
func (s *solver) halfEquations(hashes, orders Mem, there reg.OpmaskVirtual) (rows [seeds]solvedRow) {
	const choose = 0xd8 // the second where the third has a bit, else the first, of a destination, a source and that
	even := s.fn.Words("evenWords", 1<<32-1)
	both := func(first, second reg.VecVirtual) reg.VecVirtual {
		s.fn.VPTERNLOGQ_BCST(U8(choose), even, first, second)
		return second
	}
	var highs, words, fingerprints, places [2]reg.VecVirtual
	for i := range highs {
		hash := s.fn.ZMM()
		highs[i], words[i], fingerprints[i], places[i] = s.fn.ZMM(), s.fn.ZMM(), s.fn.ZMM(), s.fn.ZMM()
		s.fn.VMOVDQU64(hashes.Offset(i*vectorBytes), hash)
		s.fn.VPMULUDQ(hash, s.multiplier, places[i])
		s.fn.VPSRLQ(U8(32), hash, highs[i])
		s.fn.VPMULUDQ_BCST(s.fn.Words("linearLow", linearLow), hash, hash)
		s.fn.VPSLLQ(U8(32), hash, hash)
		s.fn.VPMULUDQ_BCST(s.fn.Words("linearHigh", linearHigh), highs[i], words[i])
		s.fn.VPXORQ(hash, words[i], words[i])
		s.fn.VPSRLVQ_BCST(s.field([]string{"top", "topHigher"}[i]), words[i], fingerprints[i])
	}
	const higher = 32 - 26 // the orders of the second half
	s.fn.VPSRLQ(U8(26), places[0], places[0])
	s.fn.VPSLLQ(U8(higher), places[1], places[1])
	order := both(places[0], places[1])
	s.fn.VPANDD_BCST(s.every("orders", 63), order, order)
	s.fn.VPMINUD_BCST(s.every("highestOrder", 62), order, order)
	s.fn.VMOVDQU64(order, orders)
	fingerprint := both(fingerprints[0], fingerprints[1])
	s.fn.VMOVDQA32_Z(fingerprint, there, fingerprint)
	s.fn.VPSLLQ(U8(32), words[1], words[1])
	tails := both(words[0], words[1])
	s.fn.VPANDD_BCST(s.field("tailBytesMask"), tails, tails)
	for seed := range rows {
		var products [2]reg.VecVirtual
		for i := range products {
			products[i] = s.fn.ZMM()
			s.fn.VPMULUDQ_BCST(s.fn.Words(fmt.Sprint("linearSeed", seed), linearSeeds[seed]), highs[i], products[i])
		}
		s.fn.VPSRLVQ_BCST(s.field("rowShift"), products[0], products[0])
		s.fn.VPSLLVQ_BCST(s.field("rowShiftHigher"), products[1], products[1])
		row, tail, rest := both(products[0], products[1]), s.fn.ZMM(), s.fn.ZMM()
		s.fn.VPSHUFB(s.field("tailByte").Offset(seed*vectorBytes), tails, tail)
		const orAnd = 0xf8 // the destination, or the other two's common bits
		s.fn.VPTERNLOGD_BCST(U8(orAnd), s.field("planeMask"), row, tail)
		s.fn.VMOVDQA32_Z(tail, there, tail)
		s.fn.VMOVDQA64(fingerprint, rest)
		rows[seed] = solvedRow{tail, rest}
	}
	return rows
}

package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// rank puts each line's hashes in the order of elimination. A hash's rank is how many come
// before it.
func (s *linearSolver) rank() {
	s.fn.Comment("Ranks.")
	line, list, keys := s.fn.GP64(), s.fn.GP64(), s.fn.GP64()
	s.fn.XORQ(line, line)
	s.fn.XORQ(s.ranks, s.ranks)
	s.fn.MOVQ(s.lists, list)
	s.fn.LEAQ(s.place("keys"), keys)
	s.fn.Label("rankLine")
	hashes, n := s.fn.GP64(), s.fn.GP64()
	s.fn.MOVQ(s.fn.Field(list, "linearList", "hashes"), hashes)
	s.fn.MOVQ(s.fn.Field(list, "linearList", "n"), n)
	s.fn.MOVQ(n, s.place("counts").Idx(line, 8))
	s.fn.CMPQ(n, s.ranks)
	s.fn.CMOVQGT(n, s.ranks)
	s.fn.TESTQ(n, n)
	s.fn.JZ(LabelRef("ranked"))

	s.fn.Comment("The orders, a byte each.")
	left, some, at := s.fn.GP64(), s.fn.K(), s.fn.GP64()
	s.fn.MOVQ(n, left)
	s.fn.XORQ(at, at)
	bytes := s.fn.ZMM()
	s.fn.VPXORQ(bytes, bytes, bytes)
	s.fn.VMOVDQU64(bytes, s.place("bytes"))
	s.fn.Label("octetOrders")
	mask, full := s.fn.GP64(), s.fn.GP64()
	s.fn.MOVQ(U32(octet), full)
	s.fn.CMPQ(left, full)
	s.fn.CMOVQLT(left, full)
	s.fn.MOVQ(full, reg.RCX)
	s.fn.MOVQ(U32(1), mask)
	s.fn.SHLQ(reg.CL, mask)
	s.fn.DECQ(mask)
	s.fn.KMOVB(mask.As32(), some)
	hash, eight := s.fn.ZMM(), s.fn.XMM()
	s.fn.VMOVDQU64_Z(Mem{Base: hashes, Index: at, Scale: hashBytes}, some, hash)
	orders := s.fn.ZMM()
	s.fn.VMOVDQU64_Z(s.orders(hash), some, orders)
	s.fn.VPMOVQB(orders, eight)
	s.fn.VMOVQ(eight, s.place("bytes").Idx(at, 1))
	s.fn.ADDQ(U8(octet), at)
	s.fn.SUBQ(U8(octet), left)
	s.fn.JG(LabelRef("octetOrders"))

	s.fn.Comment("Each hash goes to its rank.")
	s.fn.VMOVDQU64(s.place("bytes"), bytes)
	before, one, word := s.fn.GP64(), s.fn.ZMM(), s.fn.GP64()
	s.fn.XORQ(before, before) // the hashes before it in the list
	s.fn.XORQ(at, at)
	s.fn.Label("rankKey")
	higher, same := s.fn.K(), s.fn.K()
	above, equal := s.fn.GP64(), s.fn.GP64()
	s.fn.VPBROADCASTB(s.place("bytes").Idx(at, 1), one)
	const greater = 6
	s.fn.VPCMPUB(U8(greater), one, bytes, higher)
	s.fn.VPCMPEQB(one, bytes, same)
	s.fn.KMOVQ(higher, above)
	s.fn.KMOVQ(same, equal)
	s.fn.ANDQ(before, equal)
	s.fn.ORQ(equal, above)
	s.fn.POPCNTQ(above, above)
	s.fn.SHLQ(U8(6), above)
	s.fn.MOVQ(Mem{Base: hashes, Index: at, Scale: hashBytes}, word)
	s.fn.MOVQ(word, Mem{Base: keys, Index: above, Scale: 1})
	s.fn.LEAQ(Mem{Base: before, Index: before, Scale: 1, Disp: 1}, before)
	s.fn.INCQ(at)
	s.fn.CMPQ(at, n)
	s.fn.JLT(LabelRef("rankKey"))

	s.fn.Label("ranked")
	s.fn.ADDQ(U8(s.fn.Size("linearList")), list)
	s.fn.ADDQ(U8(8), keys)
	s.fn.INCQ(line)
	s.fn.CMPQ(line, U8(solvedLines))
	s.fn.JLT(LabelRef("rankLine"))
}

// eliminate reduces the rows of each rank by those before, for all seeds. A seed's
// threshold is above the first order at which no slots are left of a row, but a fingerprint.
func (s *linearSolver) eliminate() {
	s.fn.Comment("Elimination.")
	counts, rank, one := s.fn.ZMM(), s.fn.ZMM(), s.fn.ZMM()
	var thresholds [seeds]reg.VecVirtual
	for seed := range thresholds {
		thresholds[seed] = s.fn.ZMM()
		s.fn.VPXORQ(thresholds[seed], thresholds[seed], thresholds[seed])
	}
	s.fn.VMOVDQU64(s.place("counts"), counts)
	s.fn.VPXORQ(rank, rank, rank)
	s.fn.VPBROADCASTQ(s.fn.Words("one", 1), one)
	key, orders, row, low, end := s.at("keys"), s.at("orders"), s.at("rows"), s.at("lows"), s.fn.GP64()
	s.fn.MOVQ(s.ranks, end)
	s.fn.SHLQ(U8(6), end)
	s.fn.ADDQ(key, end)
	s.fn.CMPQ(key, end)
	s.fn.JGE(LabelRef("eliminated"))
	s.fn.Label("eliminate")
	there := s.fn.K()
	const less = 1
	s.fn.VPCMPUQ(U8(less), counts, rank, there)
	order := s.orders(Mem{Base: key})
	s.fn.VMOVDQU64(order, Mem{Base: orders})
	rows := s.equations(Mem{Base: key}, there)

	other, otherLow := s.at("rows"), s.at("lows")
	s.fn.CMPQ(other, row)
	s.fn.JGE(LabelRef("reduced"))
	s.fn.Label("reduce")
	for seed := range rows {
		contains := s.fn.K()
		s.fn.VPTESTMQ(Mem{Base: otherLow, Disp: seed * vectorBytes}, rows[seed], contains)
		s.fn.VPXORQ(Mem{Base: other, Disp: seed * vectorBytes}, rows[seed], contains, rows[seed])
	}
	s.fn.ADDQ(I32(seeds*vectorBytes), other)
	s.fn.ADDQ(I32(seeds*vectorBytes), otherLow)
	s.fn.CMPQ(other, row)
	s.fn.JLT(LabelRef("reduce"))
	s.fn.Label("reduced")

	s.fn.VPADDQ(one, order, order)
	for seed := range rows {
		slots, lowest, failed := s.fn.ZMM(), s.fn.ZMM(), s.fn.K()
		s.fn.VPANDQ_BCST(s.field("slotMask"), rows[seed], slots)
		s.fn.VPXORQ(lowest, lowest, lowest)
		s.fn.VPSUBQ(slots, lowest, lowest)
		s.fn.VPANDQ(slots, lowest, lowest)
		s.fn.VMOVDQU64(rows[seed], Mem{Base: row, Disp: seed * vectorBytes})
		s.fn.VMOVDQU64(lowest, Mem{Base: low, Disp: seed * vectorBytes})
		s.fn.VPTESTNMQ(slots, slots, failed)
		s.fn.VPTESTMQ(rows[seed], rows[seed], failed, failed)
		s.fn.VPTESTNMQ(thresholds[seed], thresholds[seed], failed, failed)
		s.fn.VMOVDQA64(order, failed, thresholds[seed])
	}
	s.fn.VPADDQ(one, rank, rank)
	s.fn.ADDQ(U8(vectorBytes), key)
	s.fn.ADDQ(U8(vectorBytes), orders)
	s.fn.ADDQ(I32(seeds*vectorBytes), row)
	s.fn.ADDQ(I32(seeds*vectorBytes), low)
	s.fn.CMPQ(key, end)
	s.fn.JLT(LabelRef("eliminate"))
	s.fn.Label("eliminated")
	for seed := range thresholds {
		s.fn.VMOVDQU64(thresholds[seed], s.place("thresholds").Offset(seed*vectorBytes))
	}
}

// equations returns the rows of hashes for each seed, zero where there is no key.
func (s *linearSolver) equations(hashes Mem, there reg.OpmaskVirtual) (rows [seeds]reg.VecVirtual) {
	hash, high, word, fingerprint := s.fn.ZMM(), s.fn.ZMM(), s.fn.ZMM(), s.fn.ZMM()
	s.fn.VMOVDQU64(hashes, hash)
	s.fn.VPSRLQ(U8(32), hash, high)
	s.fn.VPMULUDQ_BCST(s.fn.Words("linearLow", linearLow), hash, hash)
	s.fn.VPSLLQ(U8(32), hash, hash)
	s.fn.VPMULUDQ_BCST(s.fn.Words("linearHigh", linearHigh), high, word)
	s.fn.VPXORQ(hash, word, word)
	s.fn.VPSRLVQ_BCST(s.field("top"), word, fingerprint)
	s.fn.VPSLLVQ_BCST(s.field("allSlots"), fingerprint, fingerprint)
	for seed := range rows {
		row, tail := s.fn.ZMM(), s.fn.ZMM()
		s.fn.VPMULUDQ_BCST(s.fn.Words(fmt.Sprint("linearSeed", seed), linearSeeds[seed]), high, row)
		s.fn.VPSRLVQ_BCST(s.field("rowShift"), row, row)
		s.fn.VPANDQ_BCST(s.field("planeMask"), row, row)
		s.fn.VPSRLQ(U8(8*seed), word, tail)
		s.fn.VPANDQ_BCST(s.field("tailMask"), tail, tail)
		s.fn.VPSLLVQ_BCST(s.field("planeSlots"), tail, tail)
		s.fn.VPORQ(tail, row, row)
		s.fn.VPORQ_Z(fingerprint, row, there, row)
		rows[seed] = row
	}
	return rows
}

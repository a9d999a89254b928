package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// rank puts each line's hashes in the order of elimination. A hash's rank is how many come
// before it.
func (s *linearSolver) rank() {
	s.Comment("Ranks.")
	line, list, keys := s.GP64(), s.GP64(), s.GP64()
	s.XORQ(line, line)
	s.XORQ(s.ranks, s.ranks)
	s.MOVQ(s.lists, list)
	s.LEAQ(s.place("keys"), keys)
	s.Label("rankLine")
	hashes, n := s.GP64(), s.GP64()
	s.MOVQ(s.Field(list, "linearList", "hashes"), hashes)
	s.MOVQ(s.Field(list, "linearList", "n"), n)
	s.MOVQ(n, s.place("counts").Idx(line, 8))
	s.CMPQ(n, s.ranks)
	s.CMOVQGT(n, s.ranks)
	s.TESTQ(n, n)
	s.JZ(LabelRef("ranked"))

	s.Comment("The orders, a byte each.")
	left, some, at := s.GP64(), s.K(), s.GP64()
	s.MOVQ(n, left)
	s.XORQ(at, at)
	bytes := s.ZMM()
	s.VPXORQ(bytes, bytes, bytes)
	s.VMOVDQU64(bytes, s.place("bytes"))
	s.Label("octetOrders")
	mask, full := s.GP64(), s.GP64()
	s.MOVQ(U32(octet), full)
	s.CMPQ(left, full)
	s.CMOVQLT(left, full)
	s.MOVQ(full, reg.RCX)
	s.MOVQ(U32(1), mask)
	s.SHLQ(reg.CL, mask)
	s.DECQ(mask)
	s.KMOVB(mask.As32(), some)
	hash, eight := s.ZMM(), s.XMM()
	s.VMOVDQU64_Z(Mem{Base: hashes, Index: at, Scale: hashBytes}, some, hash)
	orders := s.ZMM()
	s.VMOVDQU64_Z(s.orders(hash), some, orders)
	s.VPMOVQB(orders, eight)
	s.VMOVQ(eight, s.place("bytes").Idx(at, 1))
	s.ADDQ(U8(octet), at)
	s.SUBQ(U8(octet), left)
	s.JG(LabelRef("octetOrders"))

	s.Comment("Each hash goes to its rank.")
	s.VMOVDQU64(s.place("bytes"), bytes)
	before, one, word := s.GP64(), s.ZMM(), s.GP64()
	s.XORQ(before, before) // the hashes before it in the list
	s.XORQ(at, at)
	s.Label("rankKey")
	higher, same := s.K(), s.K()
	above, equal := s.GP64(), s.GP64()
	s.VPBROADCASTB(s.place("bytes").Idx(at, 1), one)
	const greater = 6
	s.VPCMPUB(U8(greater), one, bytes, higher)
	s.VPCMPEQB(one, bytes, same)
	s.KMOVQ(higher, above)
	s.KMOVQ(same, equal)
	s.ANDQ(before, equal)
	s.ORQ(equal, above)
	s.POPCNTQ(above, above)
	s.SHLQ(U8(6), above)
	s.MOVQ(Mem{Base: hashes, Index: at, Scale: hashBytes}, word)
	s.MOVQ(word, Mem{Base: keys, Index: above, Scale: 1})
	s.LEAQ(Mem{Base: before, Index: before, Scale: 1, Disp: 1}, before)
	s.INCQ(at)
	s.CMPQ(at, n)
	s.JLT(LabelRef("rankKey"))

	s.Label("ranked")
	s.ADDQ(U8(s.Size("linearList")), list)
	s.ADDQ(U8(8), keys)
	s.INCQ(line)
	s.CMPQ(line, U8(solvedLines))
	s.JLT(LabelRef("rankLine"))
}

// eliminate reduces the rows of each rank by those before, for all seeds. A seed's
// threshold is above the first order at which no slots are left of a row, but a fingerprint.
func (s *linearSolver) eliminate() {
	s.Comment("Elimination.")
	counts, rank, one := s.ZMM(), s.ZMM(), s.ZMM()
	var thresholds [seeds]reg.VecVirtual
	for seed := range thresholds {
		thresholds[seed] = s.ZMM()
		s.VPXORQ(thresholds[seed], thresholds[seed], thresholds[seed])
	}
	s.VMOVDQU64(s.place("counts"), counts)
	s.VPXORQ(rank, rank, rank)
	s.VPBROADCASTQ(s.Words("one", 1), one)
	key, orders, row, low, end := s.at("keys"), s.at("orders"), s.at("rows"), s.at("lows"), s.GP64()
	s.MOVQ(s.ranks, end)
	s.SHLQ(U8(6), end)
	s.ADDQ(key, end)
	s.CMPQ(key, end)
	s.JGE(LabelRef("eliminated"))
	s.Label("eliminate")
	there := s.K()
	const less = 1
	s.VPCMPUQ(U8(less), counts, rank, there)
	order := s.orders(Mem{Base: key})
	s.VMOVDQU64(order, Mem{Base: orders})
	rows := s.equations(Mem{Base: key}, there)

	other, otherLow := s.at("rows"), s.at("lows")
	s.CMPQ(other, row)
	s.JGE(LabelRef("reduced"))
	s.Label("reduce")
	for seed := range rows {
		contains := s.K()
		s.VPTESTMQ(Mem{Base: otherLow, Disp: seed * vectorBytes}, rows[seed], contains)
		s.VPXORQ(Mem{Base: other, Disp: seed * vectorBytes}, rows[seed], contains, rows[seed])
	}
	s.ADDQ(I32(seeds*vectorBytes), other)
	s.ADDQ(I32(seeds*vectorBytes), otherLow)
	s.CMPQ(other, row)
	s.JLT(LabelRef("reduce"))
	s.Label("reduced")

	s.VPADDQ(one, order, order)
	for seed := range rows {
		slots, lowest, failed := s.ZMM(), s.ZMM(), s.K()
		s.VPANDQ_BCST(s.field("slotMask"), rows[seed], slots)
		s.VPXORQ(lowest, lowest, lowest)
		s.VPSUBQ(slots, lowest, lowest)
		s.VPANDQ(slots, lowest, lowest)
		s.VMOVDQU64(rows[seed], Mem{Base: row, Disp: seed * vectorBytes})
		s.VMOVDQU64(lowest, Mem{Base: low, Disp: seed * vectorBytes})
		s.VPTESTNMQ(slots, slots, failed)
		s.VPTESTMQ(rows[seed], rows[seed], failed, failed)
		s.VPTESTNMQ(thresholds[seed], thresholds[seed], failed, failed)
		s.VMOVDQA64(order, failed, thresholds[seed])
	}
	s.VPADDQ(one, rank, rank)
	s.ADDQ(U8(vectorBytes), key)
	s.ADDQ(U8(vectorBytes), orders)
	s.ADDQ(I32(seeds*vectorBytes), row)
	s.ADDQ(I32(seeds*vectorBytes), low)
	s.CMPQ(key, end)
	s.JLT(LabelRef("eliminate"))
	s.Label("eliminated")
	for seed := range thresholds {
		s.VMOVDQU64(thresholds[seed], s.place("thresholds").Offset(seed*vectorBytes))
	}
}

// equations returns the rows of hashes for each seed, zero where there is no key.
func (s *linearSolver) equations(hashes Mem, there reg.OpmaskVirtual) (rows [seeds]reg.VecVirtual) {
	hash, high, word, fingerprint := s.ZMM(), s.ZMM(), s.ZMM(), s.ZMM()
	s.VMOVDQU64(hashes, hash)
	s.VPSRLQ(U8(32), hash, high)
	s.VPMULUDQ_BCST(s.Words("linearLow", linearLow), hash, hash)
	s.VPSLLQ(U8(32), hash, hash)
	s.VPMULUDQ_BCST(s.Words("linearHigh", linearHigh), high, word)
	s.VPXORQ(hash, word, word)
	s.VPSRLVQ_BCST(s.field("top"), word, fingerprint)
	s.VPSLLVQ_BCST(s.field("allSlots"), fingerprint, fingerprint)
	for seed := range rows {
		row, tail := s.ZMM(), s.ZMM()
		s.VPMULUDQ_BCST(s.Words(fmt.Sprint("linearSeed", seed), linearSeeds[seed]), high, row)
		s.VPSRLVQ_BCST(s.field("rowShift"), row, row)
		s.VPANDQ_BCST(s.field("planeMask"), row, row)
		s.VPSRLQ(U8(8*seed), word, tail)
		s.VPANDQ_BCST(s.field("tailMask"), tail, tail)
		s.VPSLLVQ_BCST(s.field("planeSlots"), tail, tail)
		s.VPORQ(tail, row, row)
		s.VPORQ_Z(fingerprint, row, there, row)
		rows[seed] = row
	}
	return rows
}

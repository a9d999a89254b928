package linear

import (
	"math/bits"

	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/shared"
)

// rank puts each line's hashes in the order of elimination. A hash's rank is how many come
// before it: those of higher orders, and those of the same one that are before it in the list.
func (s *solver) rank() {
	s.fn.Comment("Twice the orders, a byte each.")
	list, lastList, bytes := s.fn.GP64(), s.fn.GP64(), s.at("bytes")
	s.fn.XORQ(s.most, s.most)
	s.fn.Load(s.fn.Param("lists"), list)
	s.fn.LEAQ(Mem{Base: list, Disp: s.in.lines * s.fn.Size("linearList")}, lastList)
	s.fn.Label("orders")
	hashes, n := s.fn.GP64(), s.fn.GP64()
	s.fn.MOVQ(s.fn.Field(list, "linearList", "hashes"), hashes)
	s.fn.MOVQ(s.fn.Field(list, "linearList", "n"), n)
	s.fn.CMPQ(n, s.most)
	s.fn.CMOVQGT(n, s.most)
	s.fn.TESTQ(n, n)
	s.fn.JZ(LabelRef("ordered"))
	some, mask, at := s.fn.K(), s.fn.GP64(), s.fn.GP64()
	s.fn.XORQ(at, at)
	s.fn.VMOVDQU64(s.zero, Mem{Base: bytes})
	s.fn.VMOVDQU64(s.zero, Mem{Base: bytes, Disp: vectorBytes})
	s.fn.Label("octetOrders")
	left, full := s.fn.GP64(), s.fn.GP64()
	s.fn.MOVQ(n, left)
	s.fn.SUBQ(at, left)
	s.fn.MOVQ(U32(shared.Octet), full)
	s.fn.CMPQ(left, full)
	s.fn.CMOVQGT(full, left)
	s.fn.MOVQ(I32(-1), mask)
	s.fn.BZHIQ(left, mask, mask)
	s.fn.KMOVB(mask.As32(), some)
	orders, eight := s.fn.ZMM(), s.fn.XMM()
	s.fn.VMOVDQU64_Z(Mem{Base: hashes, Index: at, Scale: shared.HashBytes}, some, orders)
	s.fn.VMOVDQA64_Z(s.orders(orders), some, orders)
	s.fn.VPADDQ(orders, orders, orders)
	s.fn.VPMOVQB(orders, eight)
	s.fn.VMOVQ(eight, Mem{Base: bytes, Index: at, Scale: 1})
	s.fn.ADDQ(U8(shared.Octet), at)
	s.fn.CMPQ(at, n)
	s.fn.JLT(LabelRef("octetOrders"))
	s.fn.Label("ordered")
	s.fn.ADDQ(I32(lineKeys), bytes)
	s.fn.ADDQ(U8(s.fn.Size("linearList")), list)
	s.fn.CMPQ(list, lastList)
	s.fn.JLT(LabelRef("orders"))

	s.fn.Comment("Each hash goes to its rank.")
	line, keys := s.fn.GP64(), s.at("keys")
	s.fn.LEAQ(s.place("bytes"), bytes)
	s.fn.XORQ(line, line)
	s.fn.Load(s.fn.Param("lists"), list)
	s.fn.Label("rankLine")
	s.fn.MOVQ(s.fn.Field(list, "linearList", "hashes"), hashes)
	s.fn.MOVQ(s.fn.Field(list, "linearList", "n"), n)
	if s.half {
		s.fn.MOVL(n.As32(), s.place("counts").Idx(line, 4))
	} else {
		s.fn.MOVQ(n, s.place("counts").Idx(line, 8))
	}
	s.fn.TESTQ(n, n)
	s.fn.JZ(LabelRef("ranked"))
	s.fn.CMPQ(n, U8(lineKeys/2))
	s.fn.JG(LabelRef("rankMany"))
	s.rankKeys("rankKey", bytes, hashes, n, keys, 1)
	s.fn.JMP(LabelRef("ranked"))
	s.fn.Label("rankMany")
	s.rankKeys("rankOfMany", bytes, hashes, n, keys, 2)
	s.fn.Label("ranked")
	s.fn.ADDQ(I32(lineKeys), bytes)
	s.fn.ADDQ(U8(s.fn.Size("linearList")), list)
	s.fn.ADDQ(U8(shared.HashBytes), keys)
	s.fn.INCQ(line)
	if s.half { // even lines have the first half of the keys
		number, odd := s.fn.GP64(), s.fn.GP64()
		s.fn.MOVQ(line, number)
		s.fn.SHRQ(U8(1), number)
		s.fn.MOVQ(line, odd)
		s.fn.ANDQ(U8(1), odd)
		s.fn.SHLQ(U8(6), odd)
		s.fn.LEAQ(s.place("keys").Idx(number, shared.HashBytes), keys)
		s.fn.ADDQ(odd, keys)
	}
	s.fn.CMPQ(line, U8(s.in.lines))
	s.fn.JLT(LabelRef("rankLine"))
}

// rankKeys puts a line's hashes, up to 64 for each vector, to their ranks. An order is twice as
// much, and more by one when its hash has a rank: then it is above those of the same order.
func (s *solver) rankKeys(label string, bytes, hashes, n, keys reg.GPVirtual, vectors int) {
	at, one, oneOf := s.fn.GP64(), s.fn.ZMM(), s.fn.GP64()
	orders := make([]reg.VecVirtual, vectors)
	for i := range vectors {
		orders[i] = s.fn.ZMM()
		s.fn.VMOVDQU64(Mem{Base: bytes, Disp: i * vectorBytes}, orders[i])
	}
	s.fn.LEAQ(s.fn.Words("oneOf", oneAmong()...), oneOf)
	s.fn.ADDQ(U8(lineKeys), oneOf)
	s.fn.XORQ(at, at)
	s.fn.Label(label)
	s.fn.VPBROADCASTB(Mem{Base: bytes, Index: at, Scale: 1}, one)
	rank := s.fn.GP64()
	for i := range vectors {
		const greater = 6
		higher, above := s.fn.K(), rank
		s.fn.VPCMPUB(U8(greater), one, orders[i], higher)
		s.fn.VPADDB(Mem{Base: oneOf, Disp: i * vectorBytes}, orders[i], orders[i])
		if i > 0 {
			above = s.fn.GP64()
		}
		s.fn.KMOVQ(higher, above)
		s.fn.POPCNTQ(above, above)
		if i > 0 {
			s.fn.ADDQ(above, rank)
		}
	}
	word := s.fn.GP64()
	s.fn.SHLQ(U8(uint8(bits.TrailingZeros(uint(s.keyBytes())))), rank)
	s.fn.MOVQ(Mem{Base: hashes, Index: at, Scale: shared.HashBytes}, word)
	s.fn.MOVQ(word, Mem{Base: keys, Index: rank, Scale: 1})
	s.fn.DECQ(oneOf)
	s.fn.INCQ(at)
	s.fn.CMPQ(at, n)
	s.fn.JLT(LabelRef(label))
}

// oneAmong returns bytes, one of which is 1. The others are 0.
func oneAmong() []uint64 {
	words := make([]uint64, 2*lineKeys/8)
	words[lineKeys/8] = 1
	return words
}

// solvedRow is the rows of a rank for a seed. The rest is there if rows are two words.
type solvedRow struct{ row, rest reg.VecVirtual }

// eliminate reduces the rows of each rank by those before, for all seeds. A seed's threshold is
// above the first order at which no slots are left of a row, but a fingerprint. It ends where no
// line has another rank and a seed without a threshold.
func (s *solver) eliminate() {
	s.fn.Comment("Elimination.")
	rank, one := s.fn.ZMM(), s.every("one", 1)
	s.fn.VMOVDQA64(s.zero, rank)
	var thresholds [seeds]reg.VecVirtual
	for seed := range thresholds {
		thresholds[seed] = s.fn.ZMM()
		s.fn.VMOVDQA64(s.zero, thresholds[seed])
	}
	key, orders, at := s.at("keys"), s.at("orders"), s.at("ranks")
	s.fn.MOVQ(at, s.end)
	if s.wide {
		s.fn.LEAQ(Mem{Base: at, Disp: lineKeys * rankBytes}, s.lasts)
	}
	s.fn.TESTQ(s.most, s.most)
	s.fn.JZ(LabelRef("eliminated"))
	s.fn.Label("eliminate")
	rows := s.nextRows(key, orders, rank, one)
	other := s.at("ranks")
	s.reduceByEarlier(rows, other, at)
	if s.wide {
		s.reduceByLasts(rows, other, at)
	}
	s.lead(rows, orders, at, one, thresholds)
	s.fn.ADDQ(I32(int32(ranksPerStep*s.keyBytes())), key)
	s.fn.ADDQ(I32(ranksPerStep*vectorBytes), orders)
	s.fn.ADDQ(I32(ranksPerStep*rankBytes), at)
	least, more := s.fn.ZMM(), s.fn.K()
	s.in.min(thresholds[0], thresholds[1], least)
	s.in.min(thresholds[2], least, least)
	s.in.min(thresholds[3], least, least)
	s.in.testNot(least, least, more)
	s.in.compare(U8(less), s.place("counts"), rank, more, more)
	s.fn.KORTESTW(more, more)
	s.fn.JNZ(LabelRef("eliminate"))
	s.fn.MOVQ(at, s.end)
	s.fn.Label("eliminated")
	for seed := range thresholds {
		s.fn.VMOVDQU64(thresholds[seed], s.threshold(seed))
	}
}

// stepRows are the rows of a step, of each rank and seed.
type stepRows [ranksPerStep][seeds]solvedRow

// nextRows returns the rows of the next ranks.
func (s *solver) nextRows(key, orders reg.GPVirtual, rank reg.VecVirtual, one Mem) (rows stepRows) {
	for i := range rows {
		there := s.fn.K()
		s.in.compare(U8(less), s.place("counts"), rank, there)
		s.in.addEach(one, rank, rank)
		from := Mem{Base: key, Disp: i * s.keyBytes()}
		order := Mem{Base: orders, Disp: i * vectorBytes}
		if s.half {
			rows[i] = s.halfEquations(from, order, there)
		} else {
			s.fn.VMOVDQU64(s.orders(from), order)
			rows[i] = s.equations(from, there)
		}
	}
	return rows
}

// reduceByEarlier reduces the rows by those of all ranks before them.
func (s *solver) reduceByEarlier(rows stepRows, other, at reg.GPVirtual) {
	s.fn.CMPQ(other, at)
	s.fn.JGE(LabelRef("reduced"))
	s.fn.Label("reduce")
	for range ranksPerStep {
		for seed := range seeds {
			low := s.fn.ZMM()
			s.fn.VMOVDQU64(Mem{Base: other, Disp: lows + seed*vectorBytes}, low)
			for i := range rows {
				s.reduce(rows[i][seed], low, Mem{Base: other, Disp: seed * vectorBytes})
			}
		}
		s.fn.ADDQ(I32(rankBytes), other)
	}
	s.fn.CMPQ(other, at)
	s.fn.JLT(LabelRef("reduce"))
	s.fn.Label("reduced")
}

// reduceByLasts reduces the rows by those whose lowest slot is in the tail.
func (s *solver) reduceByLasts(rows stepRows, other, at reg.GPVirtual) {
	s.fn.MOVQ(s.lasts, other)
	s.fn.CMPQ(other, at)
	s.fn.JGE(LabelRef("lastsReduced"))
	s.fn.Label("reduceLasts")
	for seed := range seeds {
		last := s.fn.ZMM()
		s.fn.VMOVDQU64(Mem{Base: other, Disp: s.rests() + lows + seed*vectorBytes}, last)
		for i := range rows {
			contains, rest := s.fn.K(), rows[i][seed].rest
			s.fn.VPTESTMQ(last, rest, contains)
			s.fn.VPXORQ(Mem{Base: other, Disp: s.rests() + seed*vectorBytes}, rest, contains, rest)
		}
	}
	s.fn.ADDQ(I32(rankBytes), other)
	s.fn.CMPQ(other, at)
	s.fn.JLT(LabelRef("reduceLasts"))
	s.fn.Label("lastsReduced")
}

// lead stores the rows, each reduced by those before it, and sets the thresholds of lines that fail.
func (s *solver) lead(rows stepRows, orders, at reg.GPVirtual, one Mem, thresholds [seeds]reg.VecVirtual) {
	for i := range rows {
		order := s.fn.ZMM()
		s.fn.VMOVDQU64(Mem{Base: orders, Disp: i * vectorBytes}, order)
		s.in.addEach(one, order, order)
		for seed, r := range rows[i] {
			failed := s.leadRow(Mem{Base: at, Disp: i*rankBytes + seed*vectorBytes}, r, rows[i+1:], seed)
			s.in.testNot(thresholds[seed], thresholds[seed], failed, failed)
			s.in.move(order, failed, thresholds[seed])
		}
	}
}

func (s *solver) threshold(seed int) Mem {
	return s.place("thresholds").Offset(seed * vectorBytes)
}

// reduce XORs a row with another one where it has that one's lowest slot.
func (s *solver) reduce(r solvedRow, low reg.VecVirtual, by Mem) {
	contains := s.fn.K()
	s.in.test(low, r.row, contains)
	s.in.xor(by, r.row, contains, r.row)
	if s.split() {
		s.in.xor(by.Offset(s.rests()), r.rest, contains, r.rest)
	}
}

// leadRow stores a reduced row and its lowest slot, and reduces the later rows of its seed by it. It
// returns the lines where no slots are left of it, but a fingerprint.
func (s *solver) leadRow(to Mem, r solvedRow, later [][seeds]solvedRow, seed int) (failed reg.OpmaskVirtual) {
	failed = s.fn.K()
	slots, left := r.row, r.row
	if !s.split() {
		slots = s.fn.ZMM()
		s.fn.VPANDQ_BCST(s.field("slotMask"), r.row, slots)
	}
	low := s.lowest(slots)
	s.fn.VMOVDQU64(r.row, to)
	s.fn.VMOVDQU64(low, to.Offset(lows))
	if s.split() {
		s.fn.VMOVDQU64(r.rest, to.Offset(s.rests()))
		left = r.rest
	}
	for i := range later {
		s.reduce(later[i][seed], low, to)
	}
	s.in.testNot(slots, slots, failed)
	if s.wide {
		lastSlots := s.fn.ZMM()
		s.fn.VPANDQ_BCST_Z(s.field("tailMask"), r.rest, failed, lastSlots)
		last, any := s.lowest(lastSlots), s.fn.K()
		s.fn.VMOVDQU64(last, to.Offset(s.rests()+lows))
		for i := range later {
			contains, rest := s.fn.K(), later[i][seed].rest
			s.fn.VPTESTMQ(last, rest, contains)
			s.fn.VPXORQ(r.rest, rest, contains, rest)
		}
		s.fn.VPTESTMQ(last, last, any)
		at, some := s.fn.GP64(), s.fn.GP64()
		s.fn.LEAQ(Mem{Base: to.Base, Disp: to.Disp / rankBytes * rankBytes}, at)
		s.fn.CMPQ(at, s.lasts)
		s.fn.CMOVQGT(s.lasts, at)
		s.fn.KMOVB(any, some.As32())
		s.fn.TESTL(some.As32(), some.As32())
		s.fn.CMOVQNE(at, s.lasts)
		s.fn.VPTESTNMQ(lastSlots, lastSlots, failed, failed)
	}
	s.in.test(left, left, failed, failed)
	return failed
}

// lowest returns the lowest bits of words.
func (s *solver) lowest(words reg.VecVirtual) reg.VecVirtual {
	low := s.fn.ZMM()
	s.in.sub(words, s.zero, low)
	s.fn.VPANDQ(words, low, low)
	return low
}

package linear

import (
	"fmt"

	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
	"github.com/simdbloom/simdbloom/internal/gen/shared"
)

const (
	solvedLines     = 8   // at once: each is a quadword of the vectors
	mostSolvedLines = 16  // each is a doubleword
	lineKeys        = 128 // at most, of a line
	seeds           = 4   // of which the best is found
	lineSlots       = 80  // slots of a line in a linearScratch: the last ones are none
	vectorBytes     = 64

	ranksPerStep = 2 // of the elimination

	// A rank has vectors of each seed's rows, and of their lowest slots.
	lows      = seeds * vectorBytes
	rankBytes = 2 * seeds * vectorBytes
)

// A solver solves some lines at once. Word i of every vector belongs to line i.
//
// Rows are words: slots from the lowest bit on, and above them the fingerprint. Where that is more
// than a word, the planes' slots are one word, and the rest, which is the tail's slots and the
// fingerprint, is another. Where the slots are at most 32, words are of 32 bits, and fingerprints
// are other words. What a rank is, from the highest of a line's orders down, has a vector for each
// seed.
type solver struct {
	fn               *kernel.Function
	wide             bool // rows are two quadwords
	half             bool // rows are two doublewords
	in               lanes
	shape, scratch   reg.GPVirtual
	most             reg.GPVirtual // keys of a line
	end              reg.GPVirtual // behind the last rank that was eliminated
	lasts            reg.GPVirtual // the first rank that any line has a row at whose slots are only the tail's
	multiplier, zero reg.VecVirtual
}

// lanes are instructions for words of a size.
type lanes struct {
	lines                                                                      int // that a vector has words of
	test, testNot, xor, sub, add, addEach, compare, min, move, load, equalEach func(ops ...Op)
}

// Solve512 emits the kernel that solves lines, a line in each lane of its vectors.
func Solve512(f *kernel.File) {
	for _, of := range []struct {
		name, doc  string
		wide, half bool
	}{
		{name: "linearSolveAVX512", doc: "solves eight lines of at most 128 keys each, whose rows are a word."},
		{name: "linearSolveWideAVX512", doc: "solves eight lines of at most 128 keys each, whose rows are two words.", wide: true},
		{name: "linearSolveHalfAVX512", doc: "solves 16 lines of at most 128 keys each, of at most 32 slots.", half: true},
	} {
		fn := f.Function(kernel.AVX512, of.name,
			"func(s *linearShape, multiplier uint64, lists *[16]linearList, scratch *linearScratch)",
			of.name+" "+of.doc+" It writes the",
			"lines and headers. Works as fallback.LinearSolve.")
		param := func(name string) reg.GPVirtual { return fn.Load(fn.Param(name), fn.GP64()).(reg.GPVirtual) }
		s := &solver{
			fn: fn, wide: of.wide, half: of.half, shape: param("s"), scratch: param("scratch"),
			most: fn.GP64(), end: fn.GP64(), lasts: fn.GP64(), multiplier: fn.ZMM(), zero: fn.ZMM(),
			in: lanes{
				solvedLines, fn.VPTESTMQ, fn.VPTESTNMQ, fn.VPXORQ, fn.VPSUBQ, fn.VPADDQ, fn.VPADDQ_BCST,
				fn.VPCMPUQ, fn.VPMINUQ, fn.VMOVDQA64, fn.VMOVDQU64, fn.VPCMPEQQ_BCST,
			},
		}
		if of.half {
			s.in = lanes{
				mostSolvedLines, fn.VPTESTMD, fn.VPTESTNMD, fn.VPXORD, fn.VPSUBD, fn.VPADDD, fn.VPADDD_BCST,
				fn.VPCMPUD, fn.VPMINUD, fn.VMOVDQA32, fn.VMOVDQU32, fn.VPCMPEQD_BCST,
			}
		}
		s.fn.VPBROADCASTQ(s.fn.Address(s.fn.Param("multiplier")), s.multiplier)
		s.fn.VPXORQ(s.zero, s.zero, s.zero)
		s.rank()
		s.eliminate()
		s.choose()
		s.substitute()
		s.write()
		s.fn.VZEROUPPER()
		s.fn.RET()
	}
}

// split reports whether rows are two words.
func (s *solver) split() bool { return s.wide || s.half }

// wordBytes is the size of a line's word.
func (s *solver) wordBytes() int { return vectorBytes / s.in.lines }

// keyBytes is the size of the keys of a rank.
func (s *solver) keyBytes() int { return s.in.lines * shared.HashBytes }

// every is a number in every quadword, or in every doubleword if words are that.
func (s *solver) every(name string, n uint64) Mem {
	if s.half {
		return s.fn.Words(name+"Half", n<<32|n)
	}
	return s.fn.Words(name, n)
}

// away is how far one field of the scratch is from another.
func (s *solver) away(from, to string) int { return s.place(to).Disp - s.place(from).Disp }

// rests is how far the second words of rows are from the first ones.
func (s *solver) rests() int { return s.away("ranks", "rests") }

func (s *solver) field(name string) Mem { return s.fn.Field(s.shape, "linearShape", name) }

// place is the address of a field of the room.
func (s *solver) place(name string) Mem { return s.fn.Field(s.scratch, "linearScratch", name) }

// at returns the address of a field of the room, from where the field of a rank is.
func (s *solver) at(name string) reg.GPVirtual {
	at := s.fn.GP64()
	s.fn.LEAQ(s.place(name), at)
	return at
}

// orders returns the places of hashes in their lines' orders.
func (s *solver) orders(hashes Op) reg.VecVirtual {
	orders := s.fn.ZMM()
	s.fn.VPMULUDQ(hashes, s.multiplier, orders)
	s.fn.VPSRLQ(U8(26), orders, orders)
	s.fn.VPANDQ_BCST(s.fn.Words("orders", 63), orders, orders)
	s.fn.VPMINUD_BCST(s.fn.Words("highestOrder", 62|62<<32), orders, orders)
	return orders
}

// choose takes each line's first seed with the lowest threshold. Keys below it lose their
// rows.
func (s *solver) choose() {
	s.fn.Comment("The best seeds.")
	best, bestSeed := s.fn.ZMM(), s.fn.ZMM()
	var chosen [seeds]reg.OpmaskVirtual
	s.fn.VMOVDQU64(s.threshold(0), best)
	s.fn.VPXORQ(bestSeed, bestSeed, bestSeed)
	for seed := 1; seed < seeds; seed++ {
		threshold, lower, number := s.fn.ZMM(), s.fn.K(), s.fn.ZMM()
		s.fn.VMOVDQU64(s.threshold(seed), threshold)
		s.in.compare(U8(less), best, threshold, lower)
		s.in.move(threshold, lower, best)
		s.fn.VPBROADCASTQ(s.every(fmt.Sprint("seed", seed), uint64(seed)), number)
		s.in.move(number, lower, bestSeed)
	}
	header := s.fn.ZMM()
	s.fn.VPSLLQ(U8(2), best, header) // a threshold has six bits
	s.fn.VPORQ(bestSeed, header, header)
	s.fn.VMOVDQU64(header, s.place("headers"))
	for seed := 1; seed < seeds; seed++ {
		chosen[seed] = s.fn.K()
		s.in.equalEach(s.every(fmt.Sprint("seed", seed), uint64(seed)), bestSeed, chosen[seed])
	}
	orders, at := s.at("orders"), s.at("ranks")
	s.fn.CMPQ(at, s.end)
	s.fn.JGE(LabelRef("chosen"))
	s.fn.Label("choose")
	held := s.fn.K()
	const notLess = 5
	order := s.fn.ZMM()
	s.fn.VMOVDQU64(Mem{Base: orders}, order)
	s.in.compare(U8(notLess), best, order, held)
	for _, from := range s.words() {
		z := s.fn.ZMM()
		s.fn.VMOVDQU64(Mem{Base: at, Disp: from}, z)
		for seed := 1; seed < seeds; seed++ {
			s.in.load(Mem{Base: at, Disp: from + seed*vectorBytes}, chosen[seed], z)
		}
		if s.half {
			s.fn.VMOVDQA32_Z(z, held, z)
		} else {
			s.fn.VMOVDQA64_Z(z, held, z)
		}
		s.fn.VMOVDQU64(z, Mem{Base: at, Disp: from})
	}
	s.fn.ADDQ(U8(vectorBytes), orders)
	s.fn.ADDQ(I32(rankBytes), at)
	s.fn.CMPQ(at, s.end)
	s.fn.JLT(LabelRef("choose"))
	s.fn.Label("chosen")
}

// words returns where a rank has its rows' words and lowest slots.
func (s *solver) words() []int {
	switch {
	case s.wide:
		return []int{0, lows, s.rests(), s.rests() + lows}
	case s.half:
		return []int{0, lows, s.rests()}
	}
	return []int{0, lows}
}

package linear

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
	"github.com/simdbloom/simdbloom/internal/gen/shared"
)

const (
	quadSlots = 80
	quadBytes = 32 // of a vector
	rowSlots  = 61 // bits of a row

	anyThreshold = 64 // of lines whose threshold need not be found: above all orders, and no bits of a header
)

// A quadSolver solves four lines at once. Every vector has a quadword for each line.
//
// Rows have their slots in falling order from the highest bit down, and the fingerprint
// below. If a row has another one's leading slot, it is larger than both XORed, and otherwise
// smaller. So the row without that slot is the smaller one: a VXORPD and a VMINPD, since
// floating-point numbers above zero are in the order of their bits. All rows have one more
// bit, which those that they are XORed with lack: it keeps them above the denormal numbers.
//
// It tries one seed after the other, until all four lines hold all their keys. Or it solves one line, and every vector
// has a quadword for each seed.
type quadSolver struct {
	fn             *kernel.Function
	wide           bool // rows are two words
	one            bool // it solves one line
	shape, scratch reg.GPVirtual
	lists          reg.GPVirtual // of the four lines
	end            reg.GPVirtual // behind the last rank's vectors
	seed           reg.GPVirtual
	rows           reg.GPVirtual // the quadRows of the seed
	at             reg.GPVirtual // a rank's vectors
	bestEnd        reg.GPVirtual
	lasts          reg.GPVirtual // the first rank that any line has a last row at, if rows are two words
}

// Quads emits the solvers of linear filters for AVX2.
func Quads(f *kernel.File) {
	for _, of := range []struct {
		wide  bool
		words string
	}{{false, "a word"}, {true, "two words"}} {
		wide := ""
		if of.wide {
			wide = "Wide"
		}
		name := "linearSolve" + wide + "AVX2"
		fn := f.Function(kernel.AVX2, name, "func(s *quadShape, multiplier uint64, lists *linearList, lines int, scratch *quadScratch)",
			name+" solves lines of at most 128 keys each, whose rows are "+of.words+". The",
			"lists are a multiple of four; those behind the lines are empty. It writes the lines",
			"and headers. Works as fallback.LinearSolve.")
		quadSolve(fn, of.wide)
		name = "linearSolveOne" + wide + "AVX2"
		fn = f.Function(kernel.AVX2, name, "func(s *quadShape, multiplier uint64, list *linearList, scratch *quadScratch)",
			name+" solves a line of 1 to 128 keys, whose rows are "+of.words+", with all seeds",
			"at once. It writes the line and its header. Works as fallback.LinearSolve.")
		oneSolve(fn, of.wide)
	}
}

func newQuadSolver(fn *kernel.Function, wide, one bool, lists string) *quadSolver {
	s := &quadSolver{
		fn: fn, wide: wide, one: one, shape: fn.GP64(), scratch: fn.GP64(), lists: fn.GP64(), end: fn.GP64(), seed: fn.GP64(),
		rows: fn.GP64(), at: fn.GP64(), bestEnd: fn.GP64(), lasts: fn.GP64(),
	}
	fn.Load(fn.Param("s"), s.shape)
	fn.Load(fn.Param("scratch"), s.scratch)
	fn.Load(fn.Param(lists), s.lists)
	return s
}

func quadSolve(fn *kernel.Function, wide bool) {
	s := newQuadSolver(fn, wide, false, "lists")
	fn.Label("quad")
	s.rank()
	s.prepare()
	s.best()
	s.substitute()
	s.scatter()
	s.write()
	last := s.fn.GP64()
	s.fn.Load(s.fn.Param("lines"), last)
	s.fn.IMUL3Q(U8(uint8(s.fn.Size("linearList"))), last, last)
	s.fn.ADDQ(s.fn.Address(s.fn.Param("lists")), last)
	s.fn.CMPQ(s.lists, last)
	s.fn.JLT(LabelRef("quad"))
	s.fn.VZEROUPPER()
	s.fn.RET()
}

func oneSolve(fn *kernel.Function, wide bool) {
	s := newQuadSolver(fn, wide, true, "list")
	s.rank()
	s.prepare()
	s.bestOfAll()
	s.substitute()
	s.scatter()
	s.write()
	s.fn.VZEROUPPER()
	s.fn.RET()
}

// lines is how many lines are solved at once.
func (s *quadSolver) lines() int {
	if s.one {
		return 1
	}
	return shared.Quad
}

func (s *quadSolver) field(name string) Mem { return s.fn.Field(s.shape, "quadShape", name) }

// place is the address of a field of the room.
func (s *quadSolver) place(name string) Mem { return s.fn.Field(s.scratch, "quadScratch", name) }

// of returns the vector of a rank in a field of the room.
func (s *quadSolver) of(name string, at reg.Register) Mem { return s.place(name).Idx(at, 1) }

// row returns the vector of a rank in a field of rows.
func (s *quadSolver) row(rows reg.Register, name string, at reg.Register) Mem {
	return s.fn.Field(rows, "quadRows", name).Idx(at, 1)
}

// every returns the address of a vector of the word.
func (s *quadSolver) every(name string, word uint64) Mem {
	return s.fn.Words(name, word, word, word, word)
}

func (s *quadSolver) load(from Mem) reg.VecVirtual {
	y := s.fn.YMM()
	s.fn.VMOVDQU(from, y)
	return y
}

func (s *quadSolver) zero() reg.VecVirtual {
	y := s.fn.YMM()
	s.fn.VPXOR(y, y, y)
	return y
}

// presence is a bit that rows have, but not those that they are XORed with.
func (s *quadSolver) presence() Mem { return s.every("presence", 1<<(rowSlots+1)) }

// loop emits a loop over the ranks from a register on, which it changes, to another.
func (s *quadSolver) loop(label string, at, end reg.Register, step int, do func()) {
	s.fn.Label(label)
	do()
	s.fn.ADDQ(I32(int32(step*quadBytes)), at)
	s.fn.CMPQ(at, end)
	s.fn.JLT(LabelRef(label))
}

// best tries the seeds. It has the rows of each line's best one.
func (s *quadSolver) best() {
	s.fn.Comment("Seeds.")
	s.fn.XORQ(s.seed, s.seed)
	s.fn.MOVQ(s.end, s.lasts)
	s.fn.LEAQ(s.place("best"), s.rows)
	s.fn.VMOVDQU(s.load(s.place("empty")), s.place("threshold"))
	s.fn.XORQ(s.bestEnd, s.bestEnd)
	s.fn.Label("seed")
	s.eliminate()
	s.fn.CMPQ(s.at, s.bestEnd)
	s.fn.CMOVQGT(s.at, s.bestEnd)
	s.fn.TESTQ(s.seed, s.seed)
	s.fn.JNZ(LabelRef("another"))
	first := s.load(s.place("threshold"))
	s.fn.VMOVDQU(first, s.place("lowest"))
	s.fn.VMOVDQU(s.zero(), s.place("seed"))
	s.fn.JMP(LabelRef("tried"))
	s.fn.Label("another")
	s.take()
	s.fn.Label("tried")

	s.fn.Comment("A line that holds all its keys needs no other seed, and neither does an empty one.")
	settled := s.load(s.every("belowAny", anyThreshold-1))
	s.fn.VPAND(s.place("lowest"), settled, settled)
	s.fn.VPCMPEQQ(s.zero(), settled, settled)
	failed := s.fn.GP64()
	s.fn.VMOVMSKPD(settled, failed.As32())
	s.fn.CMPL(failed.As32(), U8(1<<shared.Quad-1))
	s.fn.JEQ(LabelRef("chosen"))
	s.fn.VPAND(s.every("anyThreshold", anyThreshold), settled, settled)
	s.fn.VMOVDQU(settled, s.place("threshold"))
	s.fn.LEAQ(s.place("tried"), s.rows)
	s.fn.INCQ(s.seed)
	s.fn.CMPQ(s.seed, U8(seeds))
	s.fn.JLT(LabelRef("seed"))
	s.fn.Label("chosen")

	seed, header := s.load(s.place("seed")), s.fn.YMM()
	s.fn.VPSLLQ(U8(2), s.load(s.place("lowest")), header)
	s.fn.VPOR(seed, header, header)
	s.fn.VMOVDQU(header, s.place("headers"))
}

// bestOfAll eliminates with all seeds. A header has the threshold above the seed, so that the best seed's is the least.
func (s *quadSolver) bestOfAll() {
	s.fn.Comment("All seeds.")
	s.fn.MOVQ(s.end, s.lasts)
	s.fn.LEAQ(s.place("best"), s.rows)
	s.fn.VMOVDQU(s.zero(), s.place("threshold"))
	s.eliminate()
	s.fn.MOVQ(s.at, s.bestEnd)
	best := s.fn.GP64()
	for seed := range seeds {
		header := s.fn.GP64()
		s.fn.MOVQ(s.place("threshold").Offset(8*seed), header)
		s.fn.SHLQ(U8(2), header)
		s.fn.ADDQ(U8(seed), header)
		if seed == 0 {
			best = header
			continue
		}
		s.fn.CMPQ(header, best)
		s.fn.CMOVQCS(header, best)
	}
	s.fn.MOVQ(best, s.place("headers"))
	s.fn.MOVQ(best, s.seed)
	s.fn.ANDL(U8(seeds-1), s.seed.As32())
	s.fn.SHRQ(U8(2), best)
	lowest := s.fn.YMM()
	s.fn.VMOVQ(best, lowest.AsX())
	s.fn.VPBROADCASTQ(lowest.AsX(), lowest)
	s.fn.VMOVDQU(lowest, s.place("lowest"))
}

// take takes the tried seed's rows for the lines whose thresholds it lowers.
func (s *quadSolver) take() {
	threshold, lowest, lower, seed, any := s.load(s.place("threshold")), s.load(s.place("lowest")), s.fn.YMM(), s.fn.YMM(), s.fn.GP64()
	s.fn.VPCMPGTQ(threshold, lowest, lower)
	s.fn.VMOVMSKPD(lower, any.As32())
	s.fn.TESTL(any.As32(), any.As32())
	s.fn.JZ(LabelRef("tried"))
	s.fn.VPBLENDVB(lower, threshold, lowest, lowest)
	s.fn.VMOVDQU(lowest, s.place("lowest"))
	number := s.fn.XMM()
	s.fn.VMOVQ(s.seed, number)
	s.fn.VPBROADCASTQ(number, seed)
	old := s.load(s.place("seed"))
	s.fn.VPBLENDVB(lower, seed, old, seed)
	s.fn.VMOVDQU(seed, s.place("seed"))
	at, best := s.fn.GP64(), s.fn.GP64()
	s.fn.LEAQ(s.place("best"), best)
	s.fn.XORQ(at, at)
	fields := []string{"rows"}
	if s.wide {
		fields = append(fields, "rests", "lasts")
	}
	s.loop("take", at, s.at, 1, func() {
		for _, field := range fields {
			y := s.load(s.row(best, field, at))
			s.fn.VBLENDVPD(lower, s.row(s.rows, field, at), y, y)
			s.fn.VMOVDQU(y, s.row(best, field, at))
		}
	})
}

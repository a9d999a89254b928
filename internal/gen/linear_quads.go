package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
)

const (
	quad      = 4   // lines that AVX2 solves at once: each is a quadword of the vectors
	quadKeys  = 128 // at most, of a line
	quadSlots = 80
	quadBytes = 32 // of a vector
	rowSlots  = 61 // bits of a row
)

// A quadSolver solves four lines at once. Every vector has a quadword for each line.
//
// Rows have their slots in falling order from the highest bit down, and the fingerprint
// below. If a row has another one's leading slot, it is larger than both XORed, and otherwise
// smaller. So the row without that slot is the smaller one: a VXORPD and a VMINPD, since
// floating-point numbers above zero are in the order of their bits. All rows have one more
// bit, which those that they are XORed with lack: it keeps them above the denormal numbers.
//
// It tries one seed after the other, until all four lines hold all their keys.
type quadSolver struct {
	*kernel.Function
	wide        bool // rows are two words
	shape, room reg.GPVirtual
	lists       reg.GPVirtual // of the four lines
	end         reg.GPVirtual // behind the last rank's vectors
	seed        reg.GPVirtual
	rows        reg.GPVirtual // the quadRows of the seed
	at          reg.GPVirtual // a rank's vectors
	bestEnd     reg.GPVirtual
	lasts       reg.GPVirtual // the first rank that any line has a last row at, if rows are two words
}

// linearQuads emits the solvers of linear filters for AVX2.
func linearQuads(f *kernel.File) {
	for _, wide := range []bool{false, true} {
		name, words := "linearSolveAVX2", "a word"
		if wide {
			name, words = "linearSolveWideAVX2", "two words"
		}
		quadSolve(f.Function(kernel.AVX2, name, "func(s *quadShape, lines int, lists *[8]linearList, room *quadRoom)",
			name+" solves eight lines of at most 128 keys each, whose rows are "+words+". It writes the",
			"lines. Works as fallback.LinearSolve."), wide)
	}
}

func quadSolve(fn *kernel.Function, wide bool) {
	s := &quadSolver{
		Function: fn, wide: wide, shape: fn.GP64(), room: fn.GP64(), lists: fn.GP64(), end: fn.GP64(), seed: fn.GP64(),
		rows: fn.GP64(), at: fn.GP64(), bestEnd: fn.GP64(), lasts: fn.GP64(),
	}
	fn.Load(fn.Param("s"), s.shape)
	fn.Load(fn.Param("room"), s.room)
	fn.Load(fn.Param("lists"), s.lists)
	s.Label("quad")
	s.rank()
	s.prepare()
	s.best()
	s.substitute()
	s.scatter()
	s.write()
	last := s.GP64()
	s.Load(s.Param("lists"), last)
	s.ADDQ(U32(solvedLines*s.Size("linearList")), last)
	s.CMPQ(s.lists, last)
	s.JLT(LabelRef("quad"))
	s.VZEROUPPER()
	s.RET()
}

func (s *quadSolver) field(name string) Mem { return s.Field(s.shape, "quadShape", name) }

// place is the address of a field of the room.
func (s *quadSolver) place(name string) Mem { return s.Field(s.room, "quadRoom", name) }

// of returns the vector of a rank in a field of the room.
func (s *quadSolver) of(name string, at reg.Register) Mem { return s.place(name).Idx(at, 1) }

// row returns the vector of a rank in a field of rows.
func (s *quadSolver) row(rows reg.Register, name string, at reg.Register) Mem {
	return s.Field(rows, "quadRows", name).Idx(at, 1)
}

// every returns the address of a vector of the word.
func (s *quadSolver) every(name string, word uint64) Mem {
	return s.Words(name, word, word, word, word)
}

func (s *quadSolver) load(from Mem) reg.VecVirtual {
	y := s.YMM()
	s.VMOVDQU(from, y)
	return y
}

func (s *quadSolver) zero() reg.VecVirtual {
	y := s.YMM()
	s.VPXOR(y, y, y)
	return y
}

// presence is a bit that rows have, but not those that they are XORed with.
func (s *quadSolver) presence() Mem { return s.every("presence", 1<<(rowSlots+1)) }

// loop emits a loop over the ranks from a register on, which it changes, to another.
func (s *quadSolver) loop(label string, at, end reg.Register, step int, do func()) {
	s.Label(label)
	do()
	s.ADDQ(I32(int32(step*quadBytes)), at)
	s.CMPQ(at, end)
	s.JLT(LabelRef(label))
}

// best tries the seeds. It has the rows of each line's best one.
func (s *quadSolver) best() {
	s.Comment("Seeds.")
	s.XORQ(s.seed, s.seed)
	s.MOVQ(s.end, s.lasts)
	s.LEAQ(s.place("best"), s.rows)
	none := s.zero()
	s.VMOVDQU(none, s.place("threshold"))
	s.XORQ(s.bestEnd, s.bestEnd)
	s.Label("seed")
	s.eliminate()
	s.CMPQ(s.at, s.bestEnd)
	s.CMOVQGT(s.at, s.bestEnd)
	s.TESTQ(s.seed, s.seed)
	s.JNZ(LabelRef("another"))
	first := s.load(s.place("threshold"))
	s.VMOVDQU(first, s.place("lowest"))
	s.VMOVDQU(s.zero(), s.place("seed"))
	s.JMP(LabelRef("tried"))
	s.Label("another")
	s.take()
	s.Label("tried")

	s.Comment("A line that holds all its keys needs no other seed.")
	settled := s.zero()
	s.VPCMPEQQ(s.place("lowest"), settled, settled)
	failed := s.GP64()
	s.VMOVMSKPD(settled, failed.As32())
	s.CMPL(failed.As32(), U8(1<<quad-1))
	s.JEQ(LabelRef("chosen"))
	s.VPAND(s.every("anyThreshold", 64), settled, settled)
	s.VMOVDQU(settled, s.place("threshold"))
	s.LEAQ(s.place("tried"), s.rows)
	s.INCQ(s.seed)
	s.CMPQ(s.seed, U8(seeds))
	s.JLT(LabelRef("seed"))
	s.Label("chosen")

	seed, header := s.load(s.place("seed")), s.YMM()
	s.VPSLLQ(U8(2), s.load(s.place("lowest")), header)
	s.VPOR(seed, header, header)
	s.VMOVDQU(header, s.place("headers"))
}

// take takes the tried seed's rows for the lines whose thresholds it lowers.
func (s *quadSolver) take() {
	threshold, lowest, lower, seed, any := s.load(s.place("threshold")), s.load(s.place("lowest")), s.YMM(), s.YMM(), s.GP64()
	s.VPCMPGTQ(threshold, lowest, lower)
	s.VMOVMSKPD(lower, any.As32())
	s.TESTL(any.As32(), any.As32())
	s.JZ(LabelRef("tried"))
	s.VPBLENDVB(lower, threshold, lowest, lowest)
	s.VMOVDQU(lowest, s.place("lowest"))
	number := s.XMM()
	s.VMOVQ(s.seed, number)
	s.VPBROADCASTQ(number, seed)
	old := s.load(s.place("seed"))
	s.VPBLENDVB(lower, seed, old, seed)
	s.VMOVDQU(seed, s.place("seed"))
	at, best := s.GP64(), s.GP64()
	s.LEAQ(s.place("best"), best)
	s.XORQ(at, at)
	fields := []string{"rows"}
	if s.wide {
		fields = append(fields, "rests", "lasts")
	}
	s.loop("take", at, s.at, 1, func() {
		for _, field := range fields {
			y := s.load(s.row(best, field, at))
			s.VBLENDVPD(lower, s.row(s.rows, field, at), y, y)
			s.VMOVDQU(y, s.row(best, field, at))
		}
	})
}

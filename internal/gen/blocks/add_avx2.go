package blocks

import (
	"fmt"

	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
	"github.com/simdbloom/simdbloom/internal/gen/shared"
)

// Rows256 prepares the positions of probes, in doublewords, and shifts a one to each
// of them: in the other doublewords of a block it is shifted out.
type Rows256 struct {
	fn                *kernel.Function
	one, lower, upper reg.VecVirtual // the upper two: less the first bit of each doubleword
	loops             int
}

// NewRows256 emits the constants.
func NewRows256(f *kernel.Function) *Rows256 {
	r := &Rows256{fn: f, one: f.YMM(), lower: f.YMM(), upper: f.YMM()}
	f.VPBROADCASTD(f.Words("one", 1|1<<32), r.one)
	for half, y := range []reg.VecVirtual{r.lower, r.upper} {
		var words [4]uint64
		for i := range 8 {
			words[i/2] |= uint64(uint32(-32*(8*half+i))) << (i % 2 * 32)
		}
		f.VMOVDQU(f.Words("lessFirstBit", words[:]...), y)
	}
	return r
}

// Store stores the positions in the top nine bits of products.
func (r *Rows256) Store(products reg.VecVirtual, to Mem) {
	r.fn.VPSRLD(U8(23), products, products)
	r.fn.VMOVDQU(products, to)
}

// gatherRows returns a block's halves with the bits of the given number of probes, and perhaps one of those behind
// them.
func (r *Rows256) gatherRows(probes reg.Register, from, block Mem) [2]reg.VecVirtual {
	r.loops++
	label := fmt.Sprint("probes", r.loops)
	at, left := r.fn.GP64(), r.fn.GP64()
	r.fn.LEAQ(from, at)
	r.fn.MOVQ(probes, left)
	halves := r.halves(block)
	r.fn.Label(label)
	for probe := range 2 {
		r.set(Mem{Base: at, Disp: 4 * probe}, halves)
	}
	r.fn.ADDQ(U8(8), at)
	r.fn.SUBQ(U8(2), left)
	r.fn.JA(LabelRef(label))
	return halves
}

// halves loads a block.
func (r *Rows256) halves(block Mem) [2]reg.VecVirtual {
	halves := [2]reg.VecVirtual{r.fn.YMM(), r.fn.YMM()}
	for half, y := range halves {
		r.fn.VMOVDQU(block.Offset(RowBytes*half), y)
	}
	return halves
}

// set sets the bit at a position in the halves of a block.
func (r *Rows256) set(position Mem, halves [2]reg.VecVirtual) {
	everywhere := r.fn.YMM()
	r.fn.VPBROADCASTD(position, everywhere)
	for half, lessFirst := range []reg.VecVirtual{r.lower, r.upper} {
		shift := r.fn.YMM()
		r.fn.VPADDD(lessFirst, everywhere, shift)
		r.fn.VPSLLVD(shift, r.one, shift)
		r.fn.VPOR(shift, halves[half], halves[half])
	}
}

// fastLocalRows256 are those of a FastLocal, legacy or blobloom filter.
type fastLocalRows256 struct {
	*Adder
	b           *Bytes256
	n           Mem // probes, on the stack
	rows        int
	unrolled    int // how many probes are set without a loop, or 0
	size, lines reg.VecVirtual
	Progression
}

// locateOctet leaves a key's offset in the upper half of its quadword.
func (s *fastLocalRows256) locateOctet(hashes, offsets Mem) {
	for at := 0; at < shared.LineBytes; at += 32 {
		y := s.Fn.YMM()
		s.Fn.VPMULUDQ(hashes.Offset(at), s.size, y)
		s.Fn.VPAND(s.lines, y, y)
		s.Fn.VMOVDQU(y, offsets.Offset(at))
	}
}

func (s *fastLocalRows256) OctetBytes() int { return shared.Octet * s.KeyBytes() }

func (s *fastLocalRows256) KeyBytes() int { return s.rows * RowsBytes }

func (s *fastLocalRows256) Prepare(hashes, to Mem) {
	s.EachPrepared(s, hashes, to, func(hash, to Mem) {
		factor, first := s.begin(s.Fn, s.Key256(s.Fn, hash))
		for row := range s.rows {
			products := s.Fn.YMM()
			s.Fn.VPMULLD(Mem{Base: s.Multipliers, Disp: RowBytes * row}, factor, products)
			s.b.Store(s.add(s.Fn, first, products), row, s.rows, to)
		}
	})
}

func (s *fastLocalRows256) Round() int { return 2 }

func (s *fastLocalRows256) Mixed() bool { return false }

func (s *fastLocalRows256) Set(key int, offsets, from Mem) {
	offset := s.Fn.GP64()
	s.Fn.MOVL(offsets.Offset(8*key+4), offset.As32())
	from, block := from.Offset(key*s.KeyBytes()), Mem{Base: s.Body, Index: offset, Scale: 1}
	if s.unrolled > 0 {
		s.b.Set(s.unrolled, from, block)
	} else {
		s.b.SetRows(s.n, s.rows, from, block)
	}
}

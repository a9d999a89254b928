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

// RowBytes is the room for a row of a key's.
const RowBytes = 4 * rowProbes

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

// SetRows sets the bits of the given number of probes, and perhaps one of those behind them.
func (r *Rows256) SetRows(probes reg.Register, from, block Mem) {
	for half, y := range r.gatherRows(probes, from, block) {
		r.fn.VMOVDQU(y, block.Offset(32*half))
	}
}

// gatherRows returns the bits that setRows sets in the block's halves.
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
	r    *Rows256
	rows int
	Progression
}

func (s *fastLocalRows256) LocateKey(hash, offsets Mem) { s.Fn.MOVQ(s.Block(hash).Index, offsets) }

func (s *fastLocalRows256) OctetBytes() int { return shared.Octet * s.KeyBytes() }

func (s *fastLocalRows256) KeyBytes() int { return s.rows * RowBytes }

func (s *fastLocalRows256) Prepare(hashes, to Mem) {
	s.EachPrepared(s, hashes, to, func(hash, to Mem) {
		factor, first := s.begin(s.Fn, s.Key256(s.Fn, hash))
		for row := range s.rows {
			products := s.Fn.YMM()
			s.Fn.VPMULLD(Mem{Base: s.Multipliers, Disp: RowBytes * row}, factor, products)
			s.r.Store(s.add(s.Fn, first, products), to.Offset(row*RowBytes))
		}
	})
}

// Round is 8 where that takes 1 % less time (processor not recorded).
func (s *fastLocalRows256) Round() int {
	if s.rows == 1 && s.Progression == Powers {
		return shared.Octet
	}
	return 2
}

func (s *fastLocalRows256) Mixed() bool { return false }

func (s *fastLocalRows256) Set(key int, offsets, from Mem) {
	offset := s.Fn.GP64()
	s.Fn.MOVQ(offsets.Offset(8*key), offset)
	s.r.SetRows(s.Probes, from.Offset(key*s.rows*RowBytes), Mem{Base: s.Body, Index: offset, Scale: 1})
}

package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
)

// rows256 prepares the positions of probes, in doublewords, and shifts a one to each
// of them: in the other doublewords of a block it is shifted out.
type rows256 struct {
	fn                *kernel.Function
	one, lower, upper reg.VecVirtual // the upper two: less the first bit of each doubleword
	loops             int
}

// rowBytes is the room for a row of a key's.
const rowBytes = 4 * rowProbes

func newRows256(f *kernel.Function) *rows256 {
	r := &rows256{fn: f, one: f.YMM(), lower: f.YMM(), upper: f.YMM()}
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

// store stores the positions in the top nine bits of products.
func (r *rows256) store(products reg.VecVirtual, to Mem) {
	r.fn.VPSRLD(U8(23), products, products)
	r.fn.VMOVDQU(products, to)
}

// setRows sets the bits of the given number of probes, and perhaps one of those behind them.
func (r *rows256) setRows(probes reg.Register, from, block Mem) {
	for half, y := range r.gatherRows(probes, from, block) {
		r.fn.VMOVDQU(y, block.Offset(32*half))
	}
}

// gatherRows returns what setRows makes of the block's halves.
func (r *rows256) gatherRows(probes reg.Register, from, block Mem) [2]reg.VecVirtual {
	r.loops++
	label := fmt.Sprint("probes", r.loops)
	at, left := r.fn.GP64(), r.fn.GP64()
	halves, ones := [2]reg.VecVirtual{r.fn.YMM(), r.fn.YMM()}, [2]reg.VecVirtual{r.lower, r.upper}
	r.fn.LEAQ(from, at)
	r.fn.MOVQ(probes, left)
	for half, y := range halves {
		r.fn.VMOVDQU(block.Offset(32*half), y)
	}
	r.fn.Label(label)
	for probe := range 2 {
		position := r.fn.YMM()
		r.fn.VPBROADCASTD(Mem{Base: at, Disp: 4 * probe}, position)
		for half, y := range halves {
			shift := r.fn.YMM()
			r.fn.VPADDD(ones[half], position, shift)
			r.fn.VPSLLVD(shift, r.one, shift)
			r.fn.VPOR(shift, y, y)
		}
	}
	r.fn.ADDQ(U8(8), at)
	r.fn.SUBQ(U8(2), left)
	r.fn.JA(LabelRef(label))
	return halves
}

// fastLocalRows256 are those of a FastLocal, legacy or blobloom filter.
type fastLocalRows256 struct {
	*adder
	r    *rows256
	rows int
	progression
}

func (s *fastLocalRows256) locate(hashes, offsets Mem) { locateOctet(s, hashes, offsets) }

func (s *fastLocalRows256) locateKey(hash, offsets Mem) { s.fn.MOVQ(s.block(hash).Index, offsets) }

func (s *fastLocalRows256) octetBytes() int { return octet * s.rows * rowBytes }

func (s *fastLocalRows256) prepare(hashes, to Mem) {
	for key := range octet {
		factor, first := s.begin(s.fn, s.key256(s.fn, hashes.Offset(hashBytes*key)))
		for row := range s.rows {
			products := s.fn.YMM()
			s.fn.VPMULLD(Mem{Base: s.multipliers, Disp: rowBytes * row}, factor, products)
			s.r.store(s.add(s.fn, first, products), to.Offset((key*s.rows+row)*rowBytes))
		}
	}
}

func (s *fastLocalRows256) mixed() bool { return false }

func (s *fastLocalRows256) set(key int, offsets, from Mem) {
	offset := s.fn.GP64()
	s.fn.MOVQ(offsets.Offset(8*key), offset)
	s.r.setRows(s.probes, from.Offset(key*s.rows*rowBytes), Mem{Base: s.body, Index: offset, Scale: 1})
}

// pairedRows256 are those of a paired filter: of each key, of the lower block and then
// of the higher.
type pairedRows256 struct {
	*pairs
	r    *rows256
	sets *sets256
	rows int
}

func (s *pairedRows256) octetBytes() int { return 2 * octet * s.rows * rowBytes }

func (s *pairedRows256) prepare(hashes, to Mem) {
	for key := range octet {
		high := powers.key256(s.fn, hashes.Offset(hashBytes*key))
		for row := range s.rows {
			products := s.fn.YMM()
			s.fn.VPMULLD(Mem{Base: s.multipliers, Disp: rowBytes * row}, high, products)
			lower, higher := s.sets.sets(products)
			s.r.store(lower, to.Offset((2*key*s.rows+row)*rowBytes))
			s.r.store(higher, to.Offset(((2*key+1)*s.rows+row)*rowBytes))
		}
	}
}

func (s *pairedRows256) mixed() bool { return false }

func (s *pairedRows256) set(key int, offsets, from Mem) {
	lower, higher := s.both(key, offsets)
	s.r.setRows(s.probes, from.Offset(2*key*s.rows*rowBytes), lower)
	s.r.setRows(s.probes, from.Offset((2*key+1)*s.rows*rowBytes), higher)
}

package blocks

import (
	"fmt"

	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
)

// Probes256 evaluates the probes of one key, eight in a round. Either the multipliers
// of all rounds are in registers, or the rounds are a loop.
type Probes256 struct {
	fn *kernel.Function
	Progression
	Powers    []reg.VecVirtual // of each round
	thirtyOne Op               // in every doubleword

	behind     reg.Register // the multipliers of all rounds of a loop
	fromBehind Mem          // on the stack: where they begin, from there
	loops      int          // emitted so far
}

// NewProbes256 emits the constants for the given number of rounds.
func NewProbes256(f *kernel.Function, rounds int, multipliers reg.Register) *Probes256 {
	thirtyOne := f.YMM()
	p := &Probes256{fn: f, thirtyOne: thirtyOne}
	for i := range rounds {
		y := f.YMM()
		f.VMOVDQU(Mem{Base: multipliers, Disp: 32 * i}, y)
		p.Powers = append(p.Powers, y)
	}
	f.VPBROADCASTD(f.Words("thirtyOne", 31|31<<32), thirtyOne)
	return p
}

// newRolledProbes256 emits the constants of the rounds that the probes need, which are a
// loop.
func newRolledProbes256(f *kernel.Function, probes, multipliers reg.Register) *Probes256 {
	p := NewProbes256(f, 0, nil)
	p.fromBehind = f.AllocLocal(8)
	bytes, behind := f.GP64(), f.GP64()
	f.LEAQ(Mem{Base: probes, Disp: 7}, bytes)
	f.ANDQ(I8(-8), bytes)
	f.LEAQ(Mem{Base: multipliers, Index: bytes, Scale: 4}, behind)
	f.SHLQ(U8(2), bytes)
	f.NEGQ(bytes)
	f.MOVQ(bytes, p.fromBehind)
	p.behind = behind
	return p
}

// probe returns a bit for each of eight probes, set if it finds its bit in all rounds. The
// vector is key256's.
func (p *Probes256) probe(key reg.VecVirtual, block Mem) reg.GPVirtual {
	if p.behind != nil {
		return p.rolled(key, block)
	}
	var all reg.VecVirtual
	factor, first := p.begin(p.fn, key)
	for _, powers := range p.Powers {
		product := p.add(p.fn, first, p.Product(factor, powers))
		all = p.Both(all, p.Signs(product, block, block.Offset(32)))
	}
	return p.Bits(all)
}

// rolled is probe as a loop.
func (p *Probes256) rolled(key reg.VecVirtual, block Mem) reg.GPVirtual {
	p.loops++
	next := fmt.Sprint("round", p.loops)
	at, all := p.fn.GP64(), p.fn.YMM()
	p.fn.MOVQ(p.fromBehind, at)
	p.fn.VPCMPEQD(all, all, all)
	factor, first := p.begin(p.fn, key)
	p.fn.Label(next)
	product := p.add(p.fn, first, p.Product(factor, Mem{Base: p.behind, Index: at, Scale: 1}))
	p.Both(all, p.Signs(product, block, block.Offset(32)))
	p.fn.ADDQ(U8(32), at)
	p.fn.JNZ(LabelRef(next))
	return p.Bits(all)
}

// Both returns the signs that both have; one may be nil.
func (p *Probes256) Both(all, more reg.VecVirtual) reg.VecVirtual {
	if all == nil {
		return more
	}
	p.fn.VPAND(more, all, all)
	return all
}

// Bits returns the signs of doublewords.
func (p *Probes256) Bits(signs reg.VecVirtual) reg.GPVirtual {
	bits := p.fn.GP32()
	p.fn.VMOVMSKPS(signs, bits)
	return bits
}

// Product multiplies what is in a key's doublewords.
func (p *Probes256) Product(key reg.VecVirtual, powers Op) reg.VecVirtual {
	y := p.fn.YMM()
	p.fn.VPMULLD(powers, key, y)
	return y
}

// Signs returns the bits at the positions in the top bits of the products, in the
// halves of a block, as the signs of doublewords.
func (p *Probes256) Signs(product reg.VecVirtual, lower, upper Op) reg.VecVirtual {
	word, low, bit := p.fn.YMM(), p.fn.YMM(), p.fn.YMM()
	p.fn.VPSRLD(U8(28), product, word) // of 16 in the block, which is two tables of VPERMD
	p.fn.VPERMD(lower, word, low)
	p.fn.VPERMD(upper, word, word)
	p.fn.VBLENDVPS(product, word, low, word) // by the product's sign
	p.fn.VPSRLD(U8(23), product, bit)
	p.fn.VPANDN(p.thirtyOne, bit, bit) // 31 less the bit's number in the word
	p.fn.VPSLLVD(bit, word, word)
	return word
}

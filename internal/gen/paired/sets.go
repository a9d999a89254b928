package paired

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
)

// A key's probes of the lower numbered block look at the top nine bits of the
// products, those of the higher at the nine bits below. Where that is a bit of the
// pair index, the other 23 bits of the product are spread over the other bits of
// the block.

// sets512 turns products into those whose top nine bits are the positions.
type sets512 struct {
	fn                     *kernel.Function
	indexed, spread, low23 reg.VecVirtual
	some                   reg.OpmaskVirtual
}

// newSets512 emits the constants, given a filter's, in memory or in registers.
func newSets512(f *kernel.Function, indexed, spread Op) *sets512 {
	s := &sets512{f, f.ZMM(), f.ZMM(), f.ZMM(), f.K()}
	f.VPBROADCASTD(indexed, s.indexed)
	f.VPBROADCASTD(spread, s.spread)
	f.VPBROADCASTD(f.Words("low23", (1<<23-1)<<32|(1<<23-1)), s.low23)
	return s
}

// sets overwrites the products.
func (s *sets512) sets(products reg.VecVirtual) (lower, higher reg.VecVirtual) {
	higher, rest, restHigher := s.fn.ZMM(), s.fn.ZMM(), s.fn.ZMM()
	s.fn.VPSLLD(U8(9), products, higher)
	s.fn.VPANDD(s.low23, products, rest)
	s.fn.VPSRLD(U8(9), products, restHigher)
	s.remap(rest, products)
	s.remap(restHigher, higher)
	return products, higher
}

func (s *sets512) remap(rest, products reg.VecVirtual) {
	const less = 1
	s.fn.VPMULLD(s.spread, rest, rest)
	s.fn.VPCMPUD(U8(less), s.indexed, products, s.some)
	s.fn.VPADDD(s.indexed, rest, s.some, products)
}

// sets256 is sets512 in AVX2.
type sets256 struct {
	fn                     *kernel.Function
	indexed, spread, low23 reg.VecVirtual
	below                  reg.VecVirtual // one less than indexed
}

func newSets256(f *kernel.Function, indexed, spread Op) *sets256 {
	s := &sets256{f, f.YMM(), f.YMM(), f.YMM(), f.YMM()}
	broadcast := func(from Op, to reg.VecVirtual) {
		if r, ok := from.(reg.GPVirtual); ok {
			f.VMOVD(r, to.AsX())
			from = to.AsX()
		}
		f.VPBROADCASTD(from, to)
	}
	broadcast(indexed, s.indexed)
	broadcast(spread, s.spread)
	f.VPBROADCASTD(f.Words("low23", (1<<23-1)<<32|(1<<23-1)), s.low23)
	f.VPCMPEQD(s.below, s.below, s.below)
	f.VPADDD(s.below, s.indexed, s.below)
	return s
}

func (s *sets256) sets(products reg.VecVirtual) (lower, higher reg.VecVirtual) {
	higher, rest := s.fn.YMM(), s.fn.YMM()
	s.fn.VPSLLD(U8(9), products, higher)
	s.fn.VPSRLD(U8(9), products, rest)
	s.remap(rest, higher)
	s.fn.VPAND(s.low23, products, rest)
	s.remap(rest, products)
	return products, higher
}

func (s *sets256) remap(rest, products reg.VecVirtual) {
	least := s.fn.YMM()
	s.fn.VPMULLD(s.spread, rest, rest)
	s.fn.VPADDD(s.indexed, rest, rest)
	s.fn.VPMINUD(s.below, products, least)
	s.fn.VPCMPEQD(products, least, least)
	s.fn.VPBLENDVB(least, rest, products, products)
}

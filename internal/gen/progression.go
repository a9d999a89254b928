package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
)

// A progression says how a key's probes follow from the high half of its hash and the
// filter's multipliers. Their positions are at the top of doublewords.
type progression int

const (
	// powers is the products: the multipliers are powers of phi.
	powers progression = iota
	// steps is the hash itself and a number of steps: the multipliers are these numbers.
	// Positions are the low bits of a hash, so both are shifted up.
	steps
)

const (
	positionBits = 9  // in a block of 512 bits
	deltaAt      = 17 // the bit of a hash that the distance of its probes begins at
)

// begin returns what is multiplied, and what is added to the products, or nil.
func (p progression) begin(fn *kernel.Function, high reg.VecVirtual) (factor, first reg.VecVirtual) {
	if p == powers {
		return high, nil
	}
	factor, first = like(fn, high), like(fn, high)
	fn.VPSRLD(U8(deltaAt), high, factor)
	fn.VPSLLD(U8(32-positionBits), high, first)
	return factor, first
}

// add adds to the product, which it overwrites.
func (p progression) add(fn *kernel.Function, first, product reg.VecVirtual) reg.VecVirtual {
	if p == steps {
		fn.VPADDD(first, product, product)
	}
	return product
}

// like returns another register of the same size.
func like(fn *kernel.Function, v reg.VecVirtual) reg.VecVirtual {
	if v.Size() == 64 {
		return fn.ZMM()
	}
	return fn.YMM()
}

package blocks

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
	"github.com/simdbloom/simdbloom/internal/gen/shared"
)

// A Progression computes a key's probes from the high half of its hash and the
// filter's multipliers. Their positions are at the top of doublewords.
type Progression int

const (
	// powers is the products: the multipliers are powers of phi.
	Powers Progression = iota
	// steps is the hash itself and a number of steps: the multipliers are these numbers.
	// Positions are the low bits of a hash, so both are shifted up.
	steps
	// cubic is blobloom's, whose positions follow from both halves of a hash. A multiplier is
	// i*2^14 + (i^3-i)/6*2^23. Its product with low*2^9 + 1 is (i*low + (i^3-i)/6)*2^23, with bits below
	// that do not count, and high*2^23 is added.
	cubic
)

const (
	positionBits = 9  // in a block of 512 bits
	deltaAt      = 17 // the bit of a hash that the distance of its probes begins at
)

// Key256 fills a vector with what begin takes of a hash.
func (p Progression) Key256(fn *kernel.Function, hash Mem) reg.VecVirtual {
	y := fn.YMM()
	if p == cubic {
		fn.VPBROADCASTQ(hash, y)
	} else {
		fn.VPBROADCASTD(hash.Offset(shared.HashBytes/2), y)
	}
	return y
}

// begin returns the factor of the products, and the summand that is added to them, or nil. It takes the high half of a
// hash in every doubleword, or, if it is cubic, the hash in every quadword.
func (p Progression) begin(fn *kernel.Function, key reg.VecVirtual) (factor, first reg.VecVirtual) {
	if p == Powers {
		return key, nil
	}
	factor, first = like(fn, key), like(fn, key)
	if p == steps {
		fn.VPSRLD(U8(deltaAt), key, factor)
		fn.VPSLLD(U8(32-positionBits), key, first)
		return factor, first
	}
	fn.VPSHUFD(U8(0b10_10_00_00), key, factor)
	fn.VPSLLD(U8(positionBits), factor, factor)
	if key.Size() == 64 {
		fn.VPORD_BCST(fn.Words("one", 1|1<<32), factor, factor)
	} else {
		fn.VPOR(fn.Words("ones", 1|1<<32, 1|1<<32, 1|1<<32, 1|1<<32), factor, factor)
	}
	fn.VPSHUFD(U8(0b11_11_01_01), key, first)
	fn.VPSLLD(U8(32-positionBits), first, first)
	return factor, first
}

// add adds to the product, which it overwrites.
func (p Progression) add(fn *kernel.Function, first, product reg.VecVirtual) reg.VecVirtual {
	if p != Powers {
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

package blocks

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
	"github.com/simdbloom/simdbloom/internal/gen/shared"
)

// Rows512 turns rows of eight probes into the 512 bits that they set, with 5
// instructions a key where shifting each bit into its place would take 20.
//
// A block is 8 quadwords of 8 bytes of 8 bits. Each probe has three numbers: those of its
// quadword, of its byte in there, and of its bit. For each key, three matrices of 8 times
// 8 bits say which probes have which number: q[i], b[i] and t[i] are a byte each, with a
// bit for each probe. Bit n of byte i in quadword j is set if q[j] & b[i] & t[n] is not 0.
// VGF2P8AFFINEQB computes that for all n of 64 bytes at once, as a product of matrices.
// But it adds modulo 2, so probes that look at the same bit as an earlier one are removed
// first.
type Rows512 struct {
	fn *kernel.Function
	*cuts512

	quadwordOf, bitOf  reg.VecVirtual // a bit, by the index of a byte and by its number
	earlier            reg.VecVirtual // in the byte of each probe, the bits of those before it
	transpose, reverse reg.VecVirtual // for VGF2P8AFFINEQB; the other with its rows reversed
	spread             reg.VecVirtual // for VPSHUFB: one byte in each of the quadwords
	different          reg.OpmaskVirtual
}

// Row512Bytes is the room for a row of an octet's: each key's three matrices, which are a vector's distance apart.
const (
	Row512Bytes    = 3 * shared.Octet * Row512KeyBytes
	Row512KeyBytes = 8
)

// NewRows512 emits the constants for rows of 6 or 8 probes, which take 3 or 4 vectors of products.
func NewRows512(f *kernel.Function, vectors int) *Rows512 {
	r := &Rows512{
		fn: f, cuts512: newCuts512(f, vectors),
		quadwordOf: f.ZMM(), bitOf: f.ZMM(), earlier: f.ZMM(), transpose: f.ZMM(), reverse: f.ZMM(),
		spread: f.ZMM(), different: f.K(),
	}
	var quadwords, bits, spread [8]uint64
	for i := range 64 {
		quadwords[i/8] |= 1 << (i/8 + i%8*8)
		bits[i/8] |= 1 << (i%8 + i%8*8)
		spread[i/8] |= uint64(i/8) << (i % 8 * 8)
	}
	f.VMOVDQU64(f.Words("quadwordOf", quadwords[:]...), r.quadwordOf)
	f.VPBROADCASTQ(f.Words("bitOf", bits[0]), r.bitOf)
	f.VMOVDQU64(f.Words("spread", spread[:]...), r.spread)
	// A product's bits are in the opposite order to the bytes of the matrix.
	f.VPBROADCASTQ(f.Bytes("earlier", [8]byte{0, 0x80, 0xc0, 0xe0, 0xf0, 0xf8, 0xfc, 0xfe}), r.earlier)
	f.VPBROADCASTQ(f.Bytes("transpose", [8]byte{1, 2, 4, 8, 16, 32, 64, 128}), r.transpose)
	f.VPBROADCASTQ(f.Bytes("reverse", [8]byte{128, 64, 32, 16, 8, 4, 2, 1}), r.reverse)
	return r
}

// PrepareRow stores the matrices of an octet of keys, given the products of four
// times two probes, which it overwrites.
func (r *Rows512) PrepareRow(products []reg.VecVirtual, to Mem) {
	bytes, bits := r.cutInOrder(products)
	quadword, byteOf := r.fn.ZMM(), r.fn.ZMM()
	r.fn.VPERMB(r.quadwordOf, bytes, quadword)
	r.fn.VPERMB(r.bitOf, bytes, byteOf)
	r.fn.VPERMB(r.bitOf, bits, bits)
	// Which probes have the same numbers.
	same, sameByte, sameBit := r.fn.ZMM(), r.fn.ZMM(), r.fn.ZMM()
	r.fn.VGF2P8AFFINEQB(U8(0), quadword, quadword, same)
	r.fn.VGF2P8AFFINEQB(U8(0), byteOf, byteOf, sameByte)
	r.fn.VGF2P8AFFINEQB(U8(0), bits, bits, sameBit)
	r.fn.VPTERNLOGD(U8(0x80), sameBit, sameByte, same)
	r.fn.VPTESTNMB(r.earlier, same, r.different)
	r.fn.VMOVDQU8_Z(quadword, r.different, quadword)
	r.fn.VGF2P8AFFINEQB(U8(0), quadword, r.transpose, quadword)
	r.fn.VGF2P8AFFINEQB(U8(0), byteOf, r.transpose, byteOf)
	r.fn.VGF2P8AFFINEQB(U8(0), bits, r.reverse, bits)
	r.fn.VMOVDQU64(quadword, to)
	r.fn.VMOVDQU64(byteOf, to.Offset(64))
	r.fn.VMOVDQU64(bits, to.Offset(128))
}

// SetRows sets a key's bits of the given number of rows in a block.
func (r *Rows512) SetRows(key, rows int, from, block Mem) {
	var all reg.VecVirtual
	for row := range rows {
		at, z := from.Offset(row*Row512Bytes+8*key), r.fn.ZMM()
		r.fn.VPBROADCASTQ(at, z)
		r.fn.VPSHUFB(r.spread, z, z)
		r.fn.VPANDQ_BCST(at.Offset(64), z, z)
		r.fn.VGF2P8AFFINEQB_BCST(U8(0), at.Offset(128), z, z)
		if all == nil {
			all = z
		} else {
			r.fn.VPORQ(z, all, all)
		}
	}
	r.fn.VPORQ(block, all, all)
	r.fn.VMOVDQU64(all, block)
}

// Highs returns the high halves of an octet's hashes, each twice.
func (r *Rows512) Highs(hashes Mem) reg.VecVirtual {
	z := r.fn.ZMM()
	r.fn.VPSHUFD(U8(0xf5), hashes, z)
	return z
}

// A Factors returns the multipliers of two probes of a row.
type Factors func(row, pair int) reg.VecVirtual

// FactorsOf returns those at an address. It keeps those of the first rows in registers.
func (r *Rows512) FactorsOf(multipliers reg.Register, rows int) Factors {
	load := func(row, pair int) reg.VecVirtual {
		z := r.fn.ZMM()
		r.fn.VPBROADCASTQ(Mem{Base: multipliers, Disp: 4 * (rowProbes*row + 2*pair)}, z)
		return z
	}
	var kept [][rowProbes / 2]reg.VecVirtual
	for row := range rows {
		var pairs [rowProbes / 2]reg.VecVirtual
		for pair := range pairs {
			pairs[pair] = load(row, pair)
		}
		kept = append(kept, pairs)
	}
	return func(row, pair int) reg.VecVirtual {
		if row < rows {
			return kept[row][pair]
		}
		return load(row, pair)
	}
}

// ProductsOf returns those of a row.
func (r *Rows512) ProductsOf(row int, highs reg.VecVirtual, f Factors) (products []reg.VecVirtual) {
	for pair := range r.vectors {
		z := r.fn.ZMM()
		r.fn.VPMULLD(highs, f(row, pair), z)
		products = append(products, z)
	}
	return products
}

// fastLocalRows512 are those of a FastLocal filter.
type fastLocalRows512 struct {
	*Adder
	*Rows512
	rows        int
	factors     Factors
	size, lines reg.VecVirtual
}

func newFastLocalRows512(a *Adder, r *Rows512, rows int) *fastLocalRows512 {
	s := &fastLocalRows512{a, r, rows, r.FactorsOf(a.Multipliers, min(rows, 2)), a.Fn.ZMM(), a.Fn.ZMM()}
	a.Fn.VPBROADCASTQ(a.Size, s.size)
	a.Fn.VPBROADCASTQ(a.Fn.Words("wholeLines", 0xffffffc0<<32), s.lines)
	return s
}

// locateOctet leaves a key's offset in the upper half of its quadword.
func (s *fastLocalRows512) locateOctet(hashes, offsets Mem) {
	z := s.Adder.Fn.ZMM()
	s.Adder.Fn.VPMULUDQ(hashes, s.size, z)
	s.Adder.Fn.VPANDQ(s.lines, z, z)
	s.Adder.Fn.VMOVDQU64(z, offsets)
}

func (s *fastLocalRows512) Mixed() bool { return s.rows <= 2 }

func (s *fastLocalRows512) OctetBytes() int { return s.rows * Row512Bytes }

func (s *fastLocalRows512) KeyBytes() int { return Row512KeyBytes }

func (s *fastLocalRows512) Round() int { return shared.Octet }

func (s *fastLocalRows512) Prepare(hashes, to Mem) {
	highs := s.Highs(hashes)
	for row := range s.rows {
		s.PrepareRow(s.ProductsOf(row, highs, s.factors), to.Offset(row*Row512Bytes))
	}
}

func (s *fastLocalRows512) Set(key int, offsets, from Mem) {
	offset := s.fn.GP64()
	s.Adder.Fn.MOVL(offsets.Offset(8*key+4), offset.As32())
	s.SetRows(key, s.rows, from, Mem{Base: s.Body, Index: offset, Scale: 1})
}

package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
)

// legacy emits the kernels of legacy filters. Their batches are FastLocal's, of widened
// hashes and with other probes.
func legacy(f *kernel.File) {
	legacyWiden(f)
	legacyLineContains(f)
	batch512(f, "legacyContainsBatchAVX512", steps, layouts[:4])
	batch256(f, "legacyContainsBatchAVX2", steps)
}

// legacyNEON emits the batch kernel for arm64.
func legacyNEON(f *kernel.File) { batchNEON(f, "legacyContainsBitsNEON", steps) }

// legacyWiden widens eight hashes in a round: a vector has four of them in its quadwords.
func legacyWiden(f *kernel.File) {
	fn := f.Function(kernel.AVX2, "legacyWiden", "func(reciprocal uint64, hashes *uint32, wide *uint64, n int)",
		"legacyWiden is fallback.LegacyWiden of n hashes, a multiple of eight, at least one eight.")
	low, high, one := fn.YMM(), fn.YMM(), fn.YMM()
	fn.VPBROADCASTQ(fn.Address(fn.Param("reciprocal")), low)
	fn.VPSRLQ(U8(32), low, high)
	fn.VPCMPEQD(one, one, one)
	fn.VPSRLD(U8(31), one, one)
	hashes, wide, n := fn.Load(fn.Param("hashes"), fn.GP64()), fn.Load(fn.Param("wide"), fn.GP64()), fn.Load(fn.Param("n"), fn.GP64())
	fn.Label("next")
	for half := range 2 {
		hash, fraction, upper := fn.YMM(), fn.YMM(), fn.YMM()
		fn.VPMOVZXDQ(Mem{Base: hashes, Disp: 16 * half}, hash)
		fn.VPMULUDQ(low, hash, fraction)
		fn.VPMULUDQ(high, hash, upper)
		fn.VPSRLQ(U8(32), fraction, fraction)
		fn.VPADDD(one, upper, upper)
		fn.VPADDD(upper, fraction, fraction)
		fn.VPSLLQ(U8(32), hash, hash)
		fn.VPBLENDD(U8(0b10101010), hash, fraction, hash)
		fn.VMOVDQU(hash, Mem{Base: wide, Disp: 32 * half})
	}
	fn.ADDQ(U8(4*octet), hashes)
	fn.ADDQ(U8(hashBytes*octet), wide)
	fn.SUBQ(U8(octet), n)
	fn.JNZ(LabelRef("next"))
	fn.VZEROUPPER()
	fn.RET()
}

// legacyLineContains looks up one key in a line. The AVX-512 level runs it, too.
func legacyLineContains(f *kernel.File) {
	fn := f.Function(kernel.AVX2, "legacyLineContains", "func(line *byte, steps *[32]uint32, probes int, hash uint32) bool",
		"legacyLineContains is fallback.LegacyLineContains of a line that is a block. The steps are those",
		"of the number of probes.")
	param := func(name string) reg.Register { return fn.Load(fn.Param(name), fn.GP64()) }
	line, numbers, left := Mem{Base: param("line")}, param("steps"), param("probes")
	high, hash := fn.YMM(), fn.GP64()
	fn.LEAQ(fn.Address(fn.Param("hash")), hash) // vet wants arguments to be loaded by a move
	fn.VPBROADCASTD(Mem{Base: hash}, high)
	p := newProbes256(fn, 0, nil)
	p.progression = steps
	factor, first := p.begin(fn, high)
	var all reg.VecVirtual
	for round := range 4 {
		product := p.add(fn, first, p.product(factor, Mem{Base: numbers, Disp: 32 * round}))
		all = p.both(all, p.signs(product, line, line.Offset(32)))
		if round == 3 {
			break
		}
		fn.CMPQ(left, U8(uint8(8*(round+1))))
		fn.JLE(LabelRef("found"))
	}
	fn.Label("found")
	fn.CMPB(p.bits(all).As8(), U8(0xff))
	fn.SETEQ(fn.Address(fn.ReturnIndex(0)))
	fn.VZEROUPPER()
	fn.RET()
}

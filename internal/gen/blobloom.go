package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
)

// blobloom emits the kernels of blobloom's filters: FastLocal's with other probes.
func blobloom(f *kernel.File) {
	const generic, avx2, eight, more = "blobloomContainsGo", "blobloomContainsAVX2", "blobloomContainsEightAVX512", "blobloomContainsAVX512"
	blobloomSingles(f, avx2, eight, more)
	entries(f, "blobloomEntries", generic, avx2, eight, more)
	entries(f, "sharedBlobloomEntries", "sharedBlobloomContainsGo", avx2, eight, more)
	batch512(f, "blobloomContainsBatchAVX512", cubic, layouts)
	batch256(f, "blobloomContainsBatchAVX2", cubic)
	add256(f, "blobloomAddAVX2", cubic, legacyRowsOf)
}

// blobloomNEON emits the batch kernel for arm64.
func blobloomNEON(f *kernel.File) { batchNEON(f, "blobloomContainsBitsNEON", cubic) }

// cubes returns the address of the multipliers from one on: see cubic.
func (s *single) cubes(from int) Mem {
	var words [16]uint64
	for n := range 32 {
		i := uint32(n + 1)
		multiplier := i<<(32-2*positionBits) + (i*i*i-i)/6<<(32-positionBits)
		words[n/2] |= uint64(multiplier) << (n % 2 * 32)
	}
	return s.fn.Words("cubes", words[:]...).Offset(4 * from)
}

// blobloomSingles emits the kernels for one key. Those of AVX-512 use no register that legacy SSE instructions
// can access: see fastLocalSingle512.
func blobloomSingles(f *kernel.File, avx2, eight, more string) {
	s := newEntry(f, kernel.AVX512, eight)
	s.halves(reg.Y16, reg.Y19)
	s.eightOf512(s.block(), s.field("eight"), reg.Y19)

	s = newEntry(f, kernel.AVX512, more)
	s.fn.MOVQ(s.field("probes"), reg.RCX)
	s.halves(reg.Z16, reg.Z19)
	s.more512(s.block(), s.cubes, reg.Z19)

	s = newEntry(f, kernel.AVX2, avx2)
	s.fn.MOVQ(s.field("probes"), reg.RCX)
	s.probes256(cubic, s.block(), s.cubes)
}

// halves is begin of cubic probes.
func (s *single) halves(factor, first Op) {
	s.hash.lows(factor)
	s.high(first)
	s.fn.VPSLLD(U8(positionBits), factor, factor)
	s.fn.VPSLLD(U8(32-positionBits), first, first)
	s.fn.VPORD_BCST(s.one(), factor, factor)
}

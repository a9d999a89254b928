package blocks

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
	"github.com/simdbloom/simdbloom/internal/gen/shared"
)

// Blobloom emits the kernels of blobloom's filters: FastLocal's with other probes.
func Blobloom(f *kernel.File) {
	const eight256, avx2, eight, more = "blobloomContainsEightAVX2", "blobloomContainsAVX2", "blobloomContainsEightAVX512", "blobloomContainsAVX512"
	blobloomSingles(f, eight256, avx2, eight, more)
	functions := shared.Functions{
		Go: "blobloomContainsGo", Eight256: eight256, AVX2: avx2, Eight: eight, More: more, Batch: "blobloomBatch", InGo: "blobloomBitsInGo",
	}
	functions.Define(f, "blobloomFunctions")
	functions.Go, functions.InGo = "sharedBlobloomContainsGo", "sharedBlobloomBitsInGo"
	functions.Define(f, "sharedBlobloomFunctions")
	batch512(f, "blobloomContainsBatchAVX512", cubic, Layouts)
	batch256(f, "blobloomContainsBatchAVX2", cubic, false)
	add256(f, "blobloomAddAVX2", cubic, legacyRowsOf)
}

// BlobloomNEON emits the batch kernel for arm64.
func BlobloomNEON(f *kernel.File) { batchNEON(f, "blobloomContainsBitsNEON", cubic) }

// cubes returns the address of the multipliers from one on: see cubic.
func (s *Single) cubes(from int) Mem {
	var words [16]uint64
	for n := range 32 {
		i := uint32(n + 1)
		multiplier := i<<(32-2*positionBits) + (i*i*i-i)/6<<(32-positionBits)
		words[n/2] |= uint64(multiplier) << (n % 2 * 32)
	}
	return s.Fn.Words("cubes", words[:]...).Offset(4 * from)
}

// blobloomSingles emits the kernels for one key. Those of AVX-512 use no register that legacy SSE instructions
// can access: see fastLocalSingle512.
func blobloomSingles(f *kernel.File, eight256, avx2, eight, more string) {
	s := NewEntry(f, kernel.AVX512, eight)
	s.Hash = inBoth(s.Fn)
	s.halves(reg.Y16, reg.Y19)
	s.cubicOf512(s.block(), s.Field("eight"))

	s = NewEntry(f, kernel.AVX512, more)
	s.Fn.MOVQ(s.Field("probes"), reg.RCX)
	s.halves(reg.Z16, reg.Z19)
	s.more512(s.block(), s.cubes, reg.Z19)

	NewEntry(f, kernel.AVX2, eight256).eightOf256(cubic)

	s = NewEntry(f, kernel.AVX2, avx2)
	s.Fn.MOVQ(s.Field("probes"), reg.RCX)
	s.probes256(cubic, s.block(), s.cubes)
}

// cubicOf512 is eightOf512 of cubic probes, in doublewords: in quadwords it takes 1.06 of the time (Emerald Rapids).
func (s *Single) cubicOf512(block, multipliers Mem) {
	product, word, found := reg.Y16, reg.Y17, s.Fn.K()
	s.Fn.VPMULLD(multipliers, product, product)
	s.Fn.VPADDD(reg.Y19, product, product)
	s.Fn.VPSRLD(U8(28), product, word)
	s.Fn.VPERMD(block, word.AsZ(), word.AsZ())
	s.Fn.VPTERNLOGD(U8(0x55), product, product, product)
	s.Fn.VPSRLD(U8(23), product, product)
	s.Fn.VPROLVD(product, word, word)
	s.Fn.VPMOVD2M(word, found)
	s.Fn.KORTESTB(found, found)
	s.Fn.SETCS(s.Answer())
	s.Fn.RET()
}

// halves is begin of cubic probes.
func (s *Single) halves(factor, first Op) {
	s.Hash.lows(factor)
	s.High(first)
	s.Fn.VPSLLD(U8(positionBits), factor, factor)
	s.Fn.VPSLLD(U8(32-positionBits), first, first)
	s.Fn.VPORD_BCST(s.One(), factor, factor)
}

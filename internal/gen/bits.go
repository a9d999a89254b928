package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
	"github.com/simdbloom/simdbloom/internal/gen/neon"
)

const placeBytes = 8

// prefetchBits emits the kernel for filters whose probes are anywhere.
func prefetchBits(f *kernel.File) {
	fn := f.Function(kernel.Base, "prefetchBits", "func(words *byte, at *uint64, n int)",
		"prefetchBits prefetches the lines that have the bits at n places, at least one.")
	param := func(name string) reg.Register { return fn.Load(fn.Param(name), fn.GP64()) }
	words, at, n := param("words"), param("at"), param("n")
	place := fn.GP64()
	fn.Label("next")
	fn.MOVQ(Mem{Base: at}, place)
	fn.SHRQ(U8(3), place)
	fromMemory(fn, Mem{Base: words, Index: place, Scale: 1})
	fn.ADDQ(U8(placeBytes), at)
	fn.DECQ(n)
	fn.JNZ(LabelRef("next"))
	fn.RET()
}

// prefetchBitsNEON emits the same for arm64.
func prefetchBitsNEON(f *kernel.File) {
	fn := neon.NewFunction(f, "prefetchBits", "func(words *byte, at *uint64, n int)",
		"prefetchBits prefetches the lines that have the bits at n places, at least one, to the first-level cache.")
	const place = neonScratch
	fn.Argument(neonBody, "words")
	fn.Argument(neonHashes, "at")
	fn.Argument(neonLeft, "n")
	fn.Label("next")
	fn.LdrNext(place, neonHashes)
	fn.LsrI(place, place, 3)
	fn.AddShifted(place, neonBody, place, 0)
	fn.PrefetchL1(place, 0)
	fn.SubsI(neonLeft, neonLeft, 1)
	fn.Bne("next")
	fn.Return()
}

package blocks

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
	"github.com/simdbloom/simdbloom/internal/gen/neon"
	"github.com/simdbloom/simdbloom/internal/gen/shared"
)

const placeBytes = 8

// PrefetchBits emits the kernel for filters whose probes are anywhere.
func PrefetchBits(f *kernel.File) {
	fn := f.Function(kernel.Base, "prefetchBits", "func(words *byte, at *uint64, n int)",
		"prefetchBits prefetches the lines that have the bits at n places, at least one.")
	param := func(name string) reg.Register { return fn.Load(fn.Param(name), fn.GP64()) }
	words, at, n := param("words"), param("at"), param("n")
	place := fn.GP64()
	fn.Label("next")
	fn.MOVQ(Mem{Base: at}, place)
	fn.SHRQ(U8(3), place)
	shared.FromMemory(fn, Mem{Base: words, Index: place, Scale: 1})
	fn.ADDQ(U8(placeBytes), at)
	fn.DECQ(n)
	fn.JNZ(LabelRef("next"))
	fn.RET()
}

// PrefetchBitsNEON emits the same for arm64.
func PrefetchBitsNEON(f *kernel.File) {
	fn := neon.NewFunction(f, "prefetchBits", "func(words *byte, at *uint64, n int)",
		"prefetchBits prefetches the lines that have the bits at n places, at least one, to the first-level cache.")
	const place = shared.NEONScratch
	fn.Argument(shared.NEONBody, "words")
	fn.Argument(shared.NEONHashes, "at")
	fn.Argument(shared.NEONLeft, "n")
	fn.Label("next")
	fn.LdrNext(place, shared.NEONHashes)
	fn.LsrI(place, place, 3)
	fn.AddShifted(place, shared.NEONBody, place, 0)
	fn.PrefetchL1(place, 0)
	fn.SubsI(shared.NEONLeft, shared.NEONLeft, 1)
	fn.Bne("next")
	fn.Return()
}

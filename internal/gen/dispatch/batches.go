package dispatch

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
	"github.com/simdbloom/simdbloom/internal/gen/shared"
)

// Batches emits the functions that look up batches in a filter of any format. The fewest keys are looked up one by one,
// a few by a kernel for these, and more by the filter's function for batches.
//
// In Go, the same would cost FastLocal's commonest form another call: 11 % for 8 keys and 7 % for 32. Other forms and
// formats would gain 5 to 10 % and 1 to 5 %, because they would not pass through assembly (Zen 4, 16 KiB).
func Batches(f *kernel.File) {
	batches(f, "containsBits", "[]uint64", true)
	batches(f, "containsBools", "[]bool", false)

	jump(f, "batch", "func(k *Kernel, hashes []uint64, to answers, filters int)", "batch",
		"batch looks up at least one hash by the filter's function for batches, in one of some filters that are looked up in turn.")
	jump(f, "bitsInGo", "func(k *Kernel, hashes, hits []uint64)", "bitsInGo", "bitsInGo is ContainsBits without kernels.")
}

// batches emits one of both. It passes the filter's function a slice of hits as what the package calls answers: a
// pointer to words, and one to bools, of which one is nil.
func batches(f *kernel.File, name, hits string, bits bool) {
	fn := f.Function(kernel.Base, name, "func(k *Kernel, hashes []uint64, hits "+hits+")", name+" is "+"C"+name[1:]+".")
	n, words, beyond, row, most := fn.GP64(), fn.GP64(), fn.GP64(), fn.GP64(), fn.GP64()
	to := fn.Param("hits")
	fn.Load(fn.Param("k"), shared.Prepared)
	fn.Load(fn.Param("hashes").Len(), n)
	if bits {
		fn.LEAQ(Mem{Base: n, Disp: shared.WordKeys - 1}, words)
		fn.SHRQ(U8(6), words)
		fn.CMPQ(words, fn.Address(to.Len()))
	} else {
		fn.CMPQ(n, fn.Address(to.Len()))
	}
	fn.JHI(LabelRef("unusual")) // there is no room
	fn.LEAQ(Mem{Base: n, Disp: -1}, beyond)
	fn.MOVBLZX(fn.Field(shared.Prepared, "Kernel", "oneByOneMax"), most.As32())
	fn.CMPQ(beyond, most)
	fn.JCS(LabelRef("each"))
	fn.MOVQ(fn.Field(shared.Prepared, "Kernel", "row"), row)
	fn.MOVBLZX(fn.Field(shared.Prepared, "Kernel", "fewMax"), most.As32())
	fn.CMPQ(beyond, most)
	fn.JCS(LabelRef("few"))
	fn.TESTQ(row, row)
	fn.JEQ(LabelRef("unusual")) // not opened
	fn.TESTQ(n, n)
	fn.JEQ(LabelRef("unusual"))
	if bits {
		last := fn.GP64()
		fn.Load(to.Base(), last)
		fn.MOVQ(U32(0), Mem{Base: last, Index: words, Scale: 8, Disp: -8}) // kernels write a part of it
		fn.MOVQ(U32(0), fn.Address(to.Len()))
	} else {
		bools := fn.GP64()
		fn.Load(to.Base(), bools)
		fn.MOVQ(bools, fn.Address(to.Len()))
		fn.MOVQ(U32(0), fn.Address(to.Base()))
	}
	fn.MOVQ(U32(1), fn.Address(to.Cap())) // filters
	fn.TailCallAt(fn.Field(row, "row", "batch"))

	few, each := "fewBools", "containsBoolsOneByOne"
	if bits {
		few, each = "fewBits", "containsBitsOneByOne"
	}
	fn.Label("few")
	fn.TailCallAt(fn.Field(row, "row", few))

	fn.Label("each")
	if bits {
		first := fn.GP64()
		fn.Load(to.Base(), first)
		fn.MOVQ(U32(0), Mem{Base: first})
	}
	fn.TailCall(each)
	fn.Label("unusual")
	fn.TailCall("unusual" + name[len("contains"):])
}

// jump emits a function that jumps to the filter's, whose address its row has.
func jump(f *kernel.File, name, signature, field, doc string) {
	fn := f.Function(kernel.Base, name, signature, doc)
	fn.Load(fn.Param("k"), shared.Prepared)
	fn.MOVQ(fn.Field(shared.Prepared, "Kernel", "row"), reg.RCX)
	leave(fn, "row", field)
}

// leave jumps to the address in a field of a struct, which CX points to.
func leave(fn *kernel.Function, structure, field string) {
	fn.TESTQ(reg.RCX, reg.RCX)
	fn.JEQ(LabelRef("none"))
	fn.TailCallAt(fn.Field(reg.RCX, structure, field))
	fn.Label("none")
	fn.TailCall("notOpened")
}

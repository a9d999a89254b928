package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
)

// lookups emits the function that looks one hash up in a prepared filter of any format. It jumps to
// the kernel whose address the filter has, with the filter and the hash in registers. That the kernel loads
// nothing again and tests no level pays for the jump: a switch in Go takes 10 to 20 % longer.
func lookups(f *kernel.File) {
	fn := f.Function(kernel.Base, "contains", contains, "contains is Contains.")
	fn.Load(fn.Param("k"), prepared)
	fn.Load(fn.Param("hash"), hashedKey)
	fn.MOVQ(fn.Field(prepared, "Kernel", "entry"), reg.RCX)
	fn.TESTQ(reg.RCX, reg.RCX)
	fn.JEQ(LabelRef("none"))
	fn.TailCallAt(reg.RCX)
	fn.Label("none")
	fn.TailCall("notOpened")

	keyLookups(f)
	oneByOne(f)
	keysOneByOne(f)

	inGo := func(name, function string) { entries(f, name, function, function, function, function) }
	inGo("reservedEntries", "containsEverything")
	inGo("emptyEntries", "containsNothing")
}

// entries defines the table of the functions that look one key up in a format, one for each of
// asm's forms: in Go, in AVX2, and in AVX-512 for up to 8 probes and for more.
func entries(f *kernel.File, name, generic, avx2, eight, more string) {
	f.Addresses(name, generic, avx2, eight, more, more)
}

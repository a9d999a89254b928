// Package dispatch emits the functions that Go calls for a filter of any format: they jump to the kernels that the
// filter has chosen.
package dispatch

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
	"github.com/simdbloom/simdbloom/internal/gen/shared"
)

// Lookups emits the function that looks one hash up in a prepared filter of any format. It jumps to
// the kernel whose address the filter has, with the filter and the hash in registers. That the kernel loads
// nothing again and tests no level pays for the jump: a switch in Go takes 10 to 20 % longer (Zen 4).
func Lookups(f *kernel.File) {
	fn := f.Function(kernel.Base, "contains", shared.Contains, "contains is Contains.")
	fn.Load(fn.Param("k"), shared.Prepared)
	fn.Load(fn.Param("hash"), shared.HashedKey)
	fn.MOVQ(fn.Field(shared.Prepared, "Kernel", "entry"), reg.RCX)
	fn.TESTQ(reg.RCX, reg.RCX)
	fn.JEQ(LabelRef("none"))
	fn.TailCallAt(reg.RCX)
	fn.Label("none")
	fn.TailCall("notOpened")

	keyLookups(f)
	fewKeyLookups(f)
	addKey(f)
	oneByOne(f)

	inGo := func(name, one, batch string) {
		shared.Functions{Go: one, AVX2: one, Eight: one, More: one, Batch: "batchInGo", InGo: batch}.Define(f, name)
	}
	inGo("inGoFunctions", "containsByFormat", "bitsByFormat")
	inGo("pairedEitherFunctions", "pairedEitherContainsGo", "pairedEitherBitsInGo")
}

package dispatch

import (
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
	"github.com/simdbloom/simdbloom/internal/gen/shared"
)

// Adder emits the functions that add keys to a filter of any format: they jump to those that the filter
// has chosen.
func Adder(f *kernel.File) {
	for _, of := range []struct{ name, signature, doc string }{
		{"add", "func(k *Kernel, hash uint64) (room [8]uint64)", "add is Add."},
		{"addIfAbsent", "func(k *Kernel, hash uint64) (found bool, room [8]uint64)", "addIfAbsent is AddIfAbsent."},
		{"missingBits", "func(k *Kernel, hash uint64, missing *[8]uint64) uint64", "missingBits is half of adding to a shared body of blocks: it stores the bits of a key that its block lacks, and returns a bit for each word of these that is not 0."},
	} {
		fn := f.Function(kernel.Base, of.name, of.signature, of.doc)
		fn.Load(fn.Param("k"), shared.Prepared)
		fn.Load(fn.Param("hash"), shared.HashedKey)
		fn.MOVQ(fn.Field(shared.Prepared, "Kernel", "adder"), reg.RCX)
		leave(fn, "adder", of.name)
	}
}

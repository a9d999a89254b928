package dispatch

import (
	. "github.com/mmcloughlin/avo/operand"

	"github.com/simdbloom/simdbloom/internal/gen/hash"
	"github.com/simdbloom/simdbloom/internal/gen/kernel"
	"github.com/simdbloom/simdbloom/internal/gen/shared"
)

// The values of a filter's keyHash.
const (
	hashesByXX64  = 1
	hashesByXXPH3 = 2
)

// keyLookups emits the functions that hash a short key and look it up in a prepared filter of any format. Other keys
// continue in Go. A call less, and the hash in a register, save a fifth of a lookup in the caches (Zen 4).
func keyLookups(f *kernel.File) {
	fn := f.Function(kernel.Base, "containsKey", keyed, "containsKey is ContainsKey.")
	k := hash.NewShortKey(fn)
	k.Load()
	fn.CMPB(fn.Field(shared.Prepared, "Kernel", "keyHash"), U8(hashesByXX64))
	fn.JNE(LabelRef("other"))
	k.XX64()
	fn.Label("other")
	fn.TailCall("containsKeyXXPH3")

	fn = f.Function(kernel.Base, "containsKeyXXPH3", keyed, "where containsKey continues with another hash than XX64.")
	k = hash.NewShortKey(fn)
	k.Load()
	fn.CMPB(fn.Field(shared.Prepared, "Kernel", "keyHash"), U8(hashesByXXPH3))
	fn.JNE(LabelRef("inGo"))
	k.XXPH3()
	fn.Label("inGo")
	fn.TailCall("containsKeyInGo")
}

// keyed is the signature of the functions that hash a key and look it up.
const keyed = "func(k *Kernel, key *byte, n int) (found bool)"

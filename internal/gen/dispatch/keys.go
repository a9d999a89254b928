package dispatch

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/hash"
	"github.com/simdbloom/simdbloom/internal/gen/kernel"
	"github.com/simdbloom/simdbloom/internal/gen/shared"
)

// keyLookups emits the functions that hash short keys and look them up in a prepared filter of any format. Other keys
// continue in Go. A call less, and the hash in a register, save a fifth of a lookup in the caches (Zen 4).
func keyLookups(f *kernel.File) {
	fn := f.Function(kernel.Base, "containsKey", shared.Keyed, "containsKey is ContainsKey.")
	fn.Load(fn.Param("k"), shared.Prepared)
	fn.MOVQ(fn.Field(shared.Prepared, "Kernel", "keyEntry"), reg.RCX)
	fn.TESTQ(reg.RCX, reg.RCX)
	fn.JEQ(LabelRef("none"))
	fn.TailCallAt(reg.RCX)
	fn.Label("none")
	fn.TailCall("containsKeyInGo")

	hash.KeyEntries(f, "keyEntries", "containsKey", kernel.Base, func(fn *kernel.Function, _ reg.GPVirtual) {
		fn.MOVQ(shared.HashedKey, fn.Address(fn.Param("key"))) // where functions in Go take it
		fn.MOVQ(fn.Field(shared.Prepared, "Kernel", "entry"), reg.RCX)
		fn.TailCallAt(reg.RCX)
	})
}

// fewKeyLookups emits the function that looks up keys, and what it jumps to with a few, in any format. Others continue
// in Go.
func fewKeyLookups(f *kernel.File) {
	fn := f.Function(kernel.Base, "containsKeys", shared.ContainsKeys, "containsKeys is ContainsKeys.")
	beyond, most := fn.GP64(), fn.GP64()
	fn.Load(fn.Param("k"), shared.Prepared)
	fn.Load(fn.Param("keys").Len(), beyond)
	fn.CMPQ(beyond, fn.Address(fn.Param("hits").Len()))
	fn.JHI(LabelRef("other")) // there is no room
	fn.DECQ(beyond)
	fn.MOVBLZX(fn.Field(shared.Prepared, "Kernel", "fewKeysMax"), most.As32())
	fn.CMPQ(beyond, most)
	fn.JAE(LabelRef("other"))
	fn.CMPQ(beyond, U8(shared.Octet-1))
	fn.JAE(LabelRef("octets"))
	fn.MOVQ(fn.Field(shared.Prepared, "Kernel", "keysEntry"), reg.RCX)
	fn.TailCallAt(reg.RCX)
	fn.Label("octets")
	fn.CMPB(fn.Field(shared.Prepared, "Kernel", "keyHash"), U8(hashesByXX64))
	fn.JNE(LabelRef("notXX64"))
	fn.TailCall("containsFewKeysXX64")
	fn.Label("notXX64")
	fn.TailCall("containsFewKeysXXPH3")
	fn.Label("other")
	fn.CMPQ(beyond, U8(shared.Octet-1))
	fn.JEQ(LabelRef("eight"))
	fn.TailCall("containsKeysInGo")
	fn.Label("eight")
	fn.TailCall("containsEightInGo")

	keysOneByOne(f)
	hash.KeysEntries(f, "keysEntries", "containsKeys", kernel.Base, func(fn *kernel.Function, r hash.Room) (done Op) {
		number, end := fn.AllocLocal(8), fn.AllocLocal(8)
		fn.MOVQ(r.N, end)
		fn.XORL(reg.ECX, reg.ECX)
		fn.Label("hash")
		fn.Load(fn.Param("k"), shared.Prepared)
		fn.MOVQ(reg.RCX, number)
		fn.MOVQ(r.Hashes.Idx(reg.RCX, shared.HashBytes), shared.HashedKey)
		fn.MOVQ(shared.Prepared, r.Arguments[0])
		fn.MOVQ(shared.HashedKey, r.Arguments[1])
		fn.MOVQ(fn.Field(shared.Prepared, "Kernel", "entry"), reg.RCX)
		fn.CallAt(reg.RCX)
		fn.MOVQ(number, reg.RCX)
		fn.MOVBLZX(r.Arguments[3], reg.EAX)
		fn.Load(fn.Param("hits").Base(), reg.RDX)
		fn.MOVB(reg.AL, Mem{Base: reg.RDX, Index: reg.RCX, Scale: 1})
		fn.INCQ(reg.RCX)
		fn.CMPQ(reg.RCX, end)
		fn.JB(LabelRef("hash"))
		return end
	})
}

// addKey emits the function that hashes a short key and adds it.
func addKey(f *kernel.File) {
	fn := f.Function(kernel.Base, "addKey", "func(k *Kernel, key *byte, n int) (room [7]uint64)", "addKey is AddKey. It has room for what add returns.")
	k := hash.NewShortKey(fn, func() {
		fn.MOVQ(shared.HashedKey, fn.Address(fn.Param("key"))) // where the other function has the hash
		fn.TailCall("add")
	})
	fn.Load(fn.Param("k"), shared.Prepared)
	k.Load()
	k.ByAny()
	fn.TailCall("addKeyInGo")
}

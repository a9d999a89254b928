package dispatch

import (
	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/hash"
	"github.com/simdbloom/simdbloom/internal/gen/kernel"
	"github.com/simdbloom/simdbloom/internal/gen/shared"
)

// oneByOne emits the functions that look up a few keys by the filter's function for one key, whatever
// its format: batches jump to them where kernels for batches do not pay. Loops in Go took 1.05 to 1.5
// times as long as calls for one key, because each key passed through contains, and back into Go
// (processor not recorded).
func oneByOne(f *kernel.File) {
	eachKey(f, "containsBools", "[]bool", func(fn *kernel.Function, hits Mem) {
		hits.Index, hits.Scale = reg.RCX, 1
		fn.MOVB(reg.AL, hits)
	})
	eachKey(f, "containsBits", "[]uint64", func(fn *kernel.Function, hits Mem) {
		fn.SHLQ(reg.CL, reg.RAX) // by the key's number
		fn.ORQ(reg.RAX, hits)
	})
}

// eachKey emits one of them. store has a key's answer in AX, and its number in CX. The functions for one
// key change all registers, and those in Go may move the stack.
func eachKey(f *kernel.File, name, hits string, store func(fn *kernel.Function, hits Mem)) {
	fn := f.Function(kernel.Base, name+"OneByOne", "func(k *Kernel, hashes []uint64, hits "+hits+")",
		name+"OneByOne is "+name+" of 1 to 64 keys, with room for their answers. Bits are zero before.")
	fn.Attributes(attr.NOSPLIT)
	fn.Calls()
	filter, hash := fn.AllocLocal(8), fn.AllocLocal(8)
	fn.AllocLocal(8) // where keyed functions have the length
	answer, number := fn.AllocLocal(8), fn.AllocLocal(8)
	fn.XORL(reg.ECX, reg.ECX)
	fn.Label("key")
	fn.Load(fn.Param("hashes").Base(), reg.RDX)
	fn.Load(fn.Param("k"), shared.Prepared)
	fn.MOVQ(reg.RCX, number)
	fn.MOVQ(Mem{Base: reg.RDX, Index: reg.RCX, Scale: shared.HashBytes}, reg.RDX)
	fn.MOVQ(shared.Prepared, filter)
	fn.MOVQ(reg.RDX, hash)
	fn.MOVQ(fn.Field(shared.Prepared, "Kernel", "entry"), reg.RCX)
	fn.CallAt(reg.RCX)
	fn.MOVQ(number, reg.RCX)
	fn.MOVBLZX(answer, reg.EAX)
	fn.Load(fn.Param("hits").Base(), reg.RDX)
	store(fn, Mem{Base: reg.RDX})
	fn.INCQ(reg.RCX)
	fn.CMPQ(reg.RCX, fn.Address(fn.Param("hashes").Len()))
	fn.JB(LabelRef("key"))
	fn.RET()
}

// keysOneByOne emits the same for keys. It hashes short ones by itself: with a call of containsKey for each, two keys
// took 1.2 times as long as two calls from Go (processor not recorded).
func keysOneByOne(f *kernel.File) {
	const name = hash.OneByOne
	fn := f.Function(kernel.Base, name, shared.ContainsKeys, name+" is containsKeys of any keys, with room for their answers.")
	fn.Attributes(attr.NOSPLIT)
	arguments := hash.NewArguments(fn)
	filter, sum, length, answer := arguments[0], arguments[1], arguments[2], arguments[3]
	number, key := fn.AllocLocal(8), sum // arguments of functions that hash the key themselves
	k := hash.NewShortKey(fn, func() {
		fn.Load(fn.Param("k"), shared.Prepared)
		fn.MOVQ(shared.HashedKey, sum)
		fn.MOVQ(shared.Prepared, filter)
		fn.MOVQ(fn.Field(shared.Prepared, "Kernel", "entry"), reg.RCX)
		fn.CallAt(reg.RCX)
		fn.Label("answered")
		fn.MOVQ(number, reg.RCX)
		fn.MOVBLZX(answer, reg.EAX)
		fn.Load(fn.Param("hits").Base(), reg.RDX)
		fn.MOVB(reg.AL, Mem{Base: reg.RDX, Index: reg.RCX, Scale: 1})
		fn.INCQ(reg.RCX)
		fn.CMPQ(reg.RCX, fn.Address(fn.Param("keys").Len()))
		fn.JB(LabelRef("key"))
		fn.RET()
	})
	fn.XORL(reg.ECX, reg.ECX)
	fn.Label("key")
	fn.Load(fn.Param("keys").Base(), reg.RDX)
	fn.Load(fn.Param("k"), shared.Prepared)
	fn.MOVQ(reg.RCX, number)
	fn.LEAQ(Mem{Base: reg.RCX, Index: reg.RCX, Scale: hash.SliceBytes/shared.HashBytes - 1}, reg.RCX)
	fn.MOVQ(Mem{Base: reg.RDX, Index: reg.RCX, Scale: shared.HashBytes}, k.Key)
	fn.MOVQ(Mem{Base: reg.RDX, Index: reg.RCX, Scale: shared.HashBytes, Disp: shared.HashBytes}, k.N)
	k.ByAny()
	fn.MOVQ(shared.Prepared, filter)
	fn.MOVQ(k.Key, key)
	fn.MOVQ(k.N, length)
	fn.Call("containsKeyInGo")
	fn.JMP(LabelRef("answered"))
}

package blocks

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/hash"
	"github.com/simdbloom/simdbloom/internal/gen/kernel"
	"github.com/simdbloom/simdbloom/internal/gen/shared"
)

const mostOctetKeys = 64 // that one kernel hashes and looks up

// mostBeyond is the most keys beyond eight that are looked up one by one, unless they wait for memory. In 16 KiB, 9 and
// 11 keys take .6 and .85 of the time; beyond more eights, and with more keys, it pays less, or not (XX64, 16 bytes,
// Emerald Rapids).
const mostBeyond = 3

// FewKeys512 emits the kernels that hash a few keys and look them up, in the blocks that Few512 has kernels for. With 8
// and 32 keys a call, the way from the kernel that hashes to the one that looks up took a fifth of the time
// (processor not recorded).
func FewKeys512(f *kernel.File) {
	fewKeysBy(f, "containsFewKeysXX64", func(fn *kernel.Function) hash.SliceHasher { return hash.NewOctetHasher(fn, true) })
	fewKeysBy(f, "containsFewKeysXXPH3", func(fn *kernel.Function) hash.SliceHasher { return hash.NewXXPH3Hasher(fn, true) })
}

// fewKeysBy emits one of them.
func fewKeysBy(f *kernel.File, name string, hasher func(fn *kernel.Function) hash.SliceHasher) {
	const left = "containsKeysLeft"
	fn := f.Function(kernel.AVX512, name, shared.ContainsKeys,
		name+" is containsKeys of 8 to 64 keys, in FastLocal's commonest form or in SplitBlock. From eight keys on that are",
		"not hashed together, it continues in "+left+".")
	arguments := hash.NewArguments(fn)
	room := fn.AllocLocal(mostOctetKeys * shared.HashBytes)
	by := hasher(fn)
	h := by.Octet()
	keys, hashes, n, hashed := fn.GP64(), fn.GP64(), fn.GP64(), fn.GP64()
	fn.Load(fn.Param("keys").Base(), keys)
	fn.Load(fn.Param("keys").Len(), n)
	oneOctet(fn, n)
	fn.LEAQ(room, hashes)
	fn.XORL(hashed.As32(), hashed.As32())
	fn.Label("octets")
	hash.Eight(by, keys, hashes)

	fn.Label("next")
	filter, size := fn.GP64(), fn.GP64()
	fn.Load(fn.Param("k"), filter)
	field := shared.FieldOf(fn, filter)
	fn.MOVQ(field("body").Offset(8), size)
	fn.CMPQ(size, fn.Variable("farFrom"))
	fn.JGE(LabelRef("far"))
	fn.Label("prefetched")
	fn.ADDQ(U8(shared.Octet), hashed)
	fn.ADDQ(U32(shared.Octet*hash.SliceBytes), keys)
	fn.ADDQ(U8(shared.Octet*shared.HashBytes), hashes)
	beyond := fn.GP64()
	fn.MOVQ(n, beyond)
	fn.SUBQ(hashed, beyond)
	fn.JLE(LabelRef("lookUp"))
	fn.SUBQ(U8(shared.Octet), beyond)
	fn.JGE(LabelRef("octets"))
	fn.LEAQ(Mem{Base: hashes, Index: beyond, Scale: shared.HashBytes}, hashes) // the last octet takes in keys before it
	fn.IMUL3Q(U8(hash.SliceBytes), beyond, beyond)
	fn.ADDQ(beyond, keys)
	fn.JMP(LabelRef("octets"))

	fn.Label("leave")
	fn.MOVQ(hashed, n)
	fn.TESTQ(n, n)
	fn.JNZ(LabelRef("lookUp"))
	fn.VZEROUPPER()
	fn.JMP(LabelRef("left"))

	fn.Label("lookUp")
	fw := &few{field: field, b: &Batch{Fn: fn, n: n, Body: fn.GP64(), Size: fn.GP64(), hashes: fn.GP64()}, end: func() {
		fn.CMPQ(n, fn.Address(fn.Param("keys").Len()))
		fn.JNE(LabelRef("left"))
	}}
	fn.Load(fn.Param("k"), filter)
	fw.hits = fn.Load(fn.Param("hits").Base(), fn.GP64())
	fn.LEAQ(room, fw.b.hashes)
	fn.MOVQ(field("body"), fw.b.Body)
	fn.MOVQ(field("body").Offset(8), fw.b.Size)
	fn.CMPB(field("format"), U8(splitBlockFormat))
	fn.JEQ(LabelRef("split"))
	fw.fastLocal()
	fn.Label("split")
	fw.splitBlock()

	fn.Label("far")
	body, half := fn.GP64(), fn.GP64()
	fn.MOVQ(field("body"), body)
	fn.MOVBQZX(field("blockHalf"), half)
	ahead := &Batch{Fn: fn, Body: body, Size: size}
	for key := range shared.Octet {
		shared.FromCache(fn, ahead.line(Mem{Base: hashes, Index: half, Scale: 1, Disp: shared.HashBytes * key}))
	}
	fn.JMP(LabelRef("prefetched"))

	fn.Label("left")
	rest := fn.GP64()
	fn.Load(fn.Param("keys").Len(), rest)
	fn.SUBQ(n, rest)
	fn.CMPQ(rest, U8(shared.Octet))
	fn.JAE(LabelRef("octetsLeft"))
	arguments.CallForRest(fn, "", n)
	fn.Label("octetsLeft")
	arguments.CallForRest(fn, left, n)
	for _, emit := range h.Cold {
		emit()
	}
}

// oneOctet leaves up to mostBeyond keys beyond eight to the function that hashes and looks up 1 to 7 keys.
func oneOctet(fn *kernel.Function, n reg.GPVirtual) {
	filter, size, beyond := fn.GP64(), fn.GP64(), fn.GP64()
	fn.LEAQ(Mem{Base: n, Disp: -shared.Octet - 1}, beyond)
	fn.CMPQ(beyond, U8(mostBeyond))
	fn.JAE(LabelRef("whole"))
	fn.Load(fn.Param("k"), filter)
	fn.MOVQ(fn.Field(filter, "Kernel", "body").Offset(8), size)
	fn.CMPQ(size, fn.Variable("farFrom"))
	fn.JGE(LabelRef("whole"))
	fn.MOVL(U32(shared.Octet), n.As32())
	fn.Label("whole")
}

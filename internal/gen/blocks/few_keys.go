package blocks

import (
	. "github.com/mmcloughlin/avo/operand"

	"github.com/simdbloom/simdbloom/internal/gen/hash"
	"github.com/simdbloom/simdbloom/internal/gen/kernel"
	"github.com/simdbloom/simdbloom/internal/gen/shared"
)

const mostFewKeys = 64

// FewKeys512 emits the kernel that hashes a few keys by XX64 and looks them up, in the blocks that few512 has kernels
// for. With 8 and 32 keys a call, the way from the kernel that hashes to the one that looks up took a fifth of the time.
func FewKeys512(f *kernel.File) {
	fn := f.Function(kernel.AVX512, "containsFewKeys", "func(k *Kernel, keys [][]byte, hits []bool) (done int)",
		"containsFewKeys looks up 8 to 64 keys by XX64, in FastLocal's commonest form or in SplitBlock. It stops before eight",
		"keys that are not hashed together, and returns how many it looked up: none, or eight at least. With too few hits it",
		"looks up none.")
	room := fn.AllocLocal(mostFewKeys * shared.HashBytes)
	h := hash.NewOctetHasher(fn, true)
	h.Spread()
	keys, hashes, n, hashed := fn.GP64(), fn.GP64(), fn.GP64(), fn.GP64()
	fn.Load(fn.Param("keys").Base(), keys)
	fn.Load(fn.Param("keys").Len(), n)
	fn.LEAQ(room, hashes)
	fn.XORL(hashed.As32(), hashed.As32())
	fn.CMPQ(n, fn.Address(fn.Param("hits").Len()))
	fn.JGT(LabelRef("leave"))
	fn.Label("octets")
	hash.Eight(h, keys, hashes)

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
	fn.JLE(LabelRef("hashed"))
	fn.SUBQ(U8(shared.Octet), beyond)
	fn.JGE(LabelRef("octets"))
	fn.LEAQ(Mem{Base: hashes, Index: beyond, Scale: shared.HashBytes}, hashes) // the last octet takes in keys before it
	fn.IMUL3Q(U8(hash.SliceBytes), beyond, beyond)
	fn.ADDQ(beyond, keys)
	fn.JMP(LabelRef("octets"))

	fn.Label("leave")
	fn.MOVQ(hashed, n)
	fn.TESTQ(n, n)
	fn.JNZ(LabelRef("hashed"))
	fn.VZEROUPPER()
	fn.Store(n, fn.ReturnIndex(0))
	fn.RET()

	fn.Label("hashed")
	fn.Store(n, fn.ReturnIndex(0))
	fw := &few{b: &Batch{Fn: fn, n: n, Body: fn.GP64(), Size: fn.GP64(), hashes: fn.GP64()}}
	fn.Load(fn.Param("k"), filter)
	fw.hits = fn.Load(fn.Param("hits").Base(), fn.GP64())
	fn.LEAQ(room, fw.b.hashes)
	fn.MOVQ(field("body"), fw.b.Body)
	fn.MOVQ(field("body").Offset(8), fw.b.Size)
	fn.CMPB(field("format"), U8(splitBlockFormat))
	fn.JEQ(LabelRef("split"))
	fw.fastLocal(field)
	fn.Label("split")
	fw.splitBlock()

	fn.Label("far")
	body, half := fn.GP64(), fn.GP64()
	fn.MOVQ(field("body"), body)
	fn.MOVBQZX(field("chooses"), half)
	ahead := &Batch{Fn: fn, Body: body, Size: size}
	for key := range shared.Octet {
		shared.FromCache(fn, ahead.line(Mem{Base: hashes, Index: half, Scale: 1, Disp: shared.HashBytes * key}))
	}
	fn.JMP(LabelRef("prefetched"))
	for _, emit := range h.Cold {
		emit()
	}
}

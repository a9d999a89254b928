package paired

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
	"github.com/simdbloom/simdbloom/internal/gen/shared"
)

// countKeys are checked before any of them is counted.
const countKeys = 64

// count emits a function that counts the keys of blocks. With AVX-512 it would take as long (processor not recorded).
func count(f *kernel.File) {
	const name = "pairedCountAVX2"
	fn := f.Function(kernel.AVX2, name, "func(counts *uint16, length, from, blocks uint64, hashes *uint64, n int) (left int)",
		name+" counts n hashes, a multiple of 64. counts has the given length and begins with block from.",
		"It stops before 64 hashes of which one has no count, and returns how many are left.")
	param := func(name string) reg.Register { return fn.Load(fn.Param(name), fn.GP64()) }
	counts, hashes, n := param("counts"), param("hashes"), param("n")
	scratch := fn.AllocLocal(8 * countKeys)
	constant := func(name string) reg.VecVirtual {
		y := fn.YMM()
		fn.VPBROADCASTQ(fn.Address(fn.Param(name)), y)
		return y
	}
	blocks, from, last, all := constant("blocks"), constant("from"), constant("length"), fn.YMM()
	fn.VPCMPEQD(all, all, all)
	fn.VPADDQ(all, last, last)

	fn.Label("keys")
	fn.VPXOR(all, all, all) // its signs say that an index is outside
	key := fn.GP64()
	fn.XORL(key.As32(), key.As32())
	fn.Label("octet")
	at := Mem{Base: hashes, Index: key, Scale: shared.HashBytes}
	fn.PREFETCHT0(at.Offset(shared.AheadOfHashes))
	for half := range 2 {
		y, beyond := fn.YMM(), fn.YMM()
		fn.VMOVDQU(at.Offset(32*half), y)
		fn.VPMULUDQ(blocks, y, y)
		fn.VPSRLQ(U8(32), y, y)
		fn.VPSUBQ(from, y, y)
		fn.VPSUBQ(y, last, beyond)
		fn.VPOR(y, beyond, beyond)
		fn.VPOR(beyond, all, all)
		fn.VMOVDQU(y, scratch.Idx(key, 8).Offset(32*half))
	}
	fn.ADDQ(U8(shared.Octet), key)
	fn.CMPQ(key, U8(countKeys))
	fn.JB(LabelRef("octet"))
	outside := fn.GP32()
	fn.VMOVMSKPD(all, outside)
	fn.TESTL(outside, outside)
	fn.JNZ(LabelRef("done"))
	fn.Label("count")
	for i := range shared.Octet {
		index := fn.GP64()
		fn.MOVQ(scratch.Idx(key, 8).Offset(8*(i-shared.Octet)), index)
		fn.INCW(Mem{Base: counts, Index: index, Scale: 2})
	}
	fn.SUBQ(U8(shared.Octet), key)
	fn.JNZ(LabelRef("count"))
	fn.ADDQ(U32(shared.HashBytes*countKeys), hashes)
	fn.SUBQ(U8(countKeys), n)
	fn.JNZ(LabelRef("keys"))
	fn.Label("done")
	fn.Store(n, fn.ReturnIndex(0))
	fn.VZEROUPPER()
	fn.RET()
}

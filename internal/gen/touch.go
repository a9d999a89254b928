package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
)

// touch emits functions that load lines and do nothing else: one for each way to prefetch,
// and one that computes addresses as fast as possible, for lines that are cached.
func touch(f *kernel.File) {
	for _, hint := range []struct {
		name string
		emit func(*batch, Mem)
	}{
		{"None", nil},
		{"T0", func(b *batch, line Mem) { b.fn.PREFETCHT0(line) }},
		{"T1", func(b *batch, line Mem) { b.fn.PREFETCHT1(line) }},
		{"T2", func(b *batch, line Mem) { b.fn.PREFETCHT2(line) }},
		{"NTA", func(b *batch, line Mem) { b.fn.PREFETCHNTA(line) }},
	} {
		touchLines(f, "lines"+hint.name, hint.emit)
	}
	touchVector(f)
}

func touchLines(f *kernel.File, name string, prefetch func(*batch, Mem)) {
	ahead := "and prefetches the line of hashes[i+ahead]."
	if prefetch == nil {
		ahead = "and prefetches none."
	}
	fn := f.Function(kernel.Base, name, "func(body *byte, size uint64, hashes *uint64, octets, ahead int) uint64",
		name+" returns the OR of the first words of the lines of the given octets of hashes,", ahead)
	param := func(name string) reg.Register { return fn.Load(fn.Param(name), fn.GP64()) }
	b := &batch{fn: fn, body: param("body"), size: param("size"), hashes: param("hashes"), n: param("octets"), ahead: param("ahead")}
	all := [2]reg.GPVirtual{b.fn.GP64(), b.fn.GP64()}
	b.fn.XORQ(all[0], all[0])
	b.fn.XORQ(all[1], all[1])
	b.fn.Label("octets")
	for key := range octet {
		hash := Mem{Base: b.hashes, Disp: hashBytes * key}
		if prefetch != nil {
			prefetch(b, b.line(hash.Idx(b.ahead, hashBytes)))
		}
		b.fn.ORQ(b.block(hash), all[key%2])
	}
	b.fn.ADDQ(U8(hashBytes*octet), b.hashes)
	b.fn.DECQ(b.n)
	b.fn.JNZ(LabelRef("octets"))
	b.fn.ORQ(all[0], all[1])
	b.fn.Store(all[1], b.fn.ReturnIndex(0))
	b.fn.RET()
}

func touchVector(f *kernel.File) {
	const lead = 4 // octets between storing addresses and loading them
	fn := f.Function(kernel.AVX512, "linesVector", "func(body *byte, size uint64, hashes *uint64, octets int) uint64",
		"linesVector returns the OR of the first words of the lines of the given octets of hashes,",
		"at least four.")
	param := func(name string) reg.Register { return fn.Load(fn.Param(name), fn.GP64()) }
	body, size, hashes, octets := param("body"), param("size"), param("hashes"), param("octets")
	all := [2]reg.GPVirtual{fn.GP64(), fn.GP64()}
	fn.XORQ(all[0], all[0])
	fn.XORQ(all[1], all[1])
	scratch := fn.AllocLocal(2 * lead * 64)
	ring, at, ahead := fn.GP64(), fn.GP64(), fn.GP64()
	fn.LEAQ(scratch, ring)
	fn.XORL(at.As32(), at.As32())
	sizes, whole := fn.ZMM(), fn.ZMM()
	fn.VPBROADCASTQ(size, sizes)
	fn.VPBROADCASTQ(fn.Words("whole", 0xffffffc0<<32), whole)
	index := func(hashes, to Mem) {
		z := fn.ZMM()
		fn.VPMULUDQ(hashes, sizes, z)
		fn.VPANDQ(whole, z, z)
		fn.VMOVDQU64(z, to)
	}
	load := func() {
		for key := range octet {
			offset := fn.GP64()
			fn.MOVL(Mem{Base: ring, Index: at, Scale: 1, Disp: 8*key + 4}, offset.As32())
			fn.ORQ(Mem{Base: body, Index: offset, Scale: 1}, all[key%2])
		}
		fn.ADDQ(U8(64), at)
		fn.ANDQ(U32(2*lead*64-1), at)
	}
	for i := range lead {
		index(Mem{Base: hashes, Disp: 64 * i}, Mem{Base: ring, Disp: 64 * i})
	}
	fn.SUBQ(U8(lead), octets)
	fn.JZ(LabelRef("last"))
	fn.Label("octets")
	fn.LEAQ(Mem{Base: at, Disp: lead * 64}, ahead)
	fn.ANDQ(U32(2*lead*64-1), ahead)
	index(Mem{Base: hashes, Disp: lead * 64}, Mem{Base: ring, Index: ahead, Scale: 1})
	load()
	fn.ADDQ(U8(64), hashes)
	fn.DECQ(octets)
	fn.JNZ(LabelRef("octets"))
	fn.Label("last")
	for range lead {
		load()
	}
	fn.ORQ(all[0], all[1])
	fn.Store(all[1], fn.ReturnIndex(0))
	fn.VZEROUPPER()
	fn.RET()
}

package hash

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
	"github.com/simdbloom/simdbloom/internal/gen/shared"
)

// strings512 emits the kernel of strings in one piece of memory, and those that widen the strings' places for it.
func strings512(f *kernel.File) {
	const name = "hashStringsAVX512"
	fn := f.Function(kernel.AVX512, name, "func(hashes, from, to *uint64, data *byte, size int, n int) (left uint64)",
		name+" hashes n strings, from 8 to 512. It leaves eight of them out where strings are long, or some",
		"are beyond the size of the data or have a negative length, and sets bit i of the result if these begin at string 8*i, or are the last",
		"eight. The strings' places must not change meanwhile.")
	h := NewOctetHasher(fn, true)
	data, size := fn.GP64(), fn.ZMM()
	fn.Load(fn.Param("data"), data)
	fn.VPBROADCASTQ(fn.Load(fn.Param("size"), fn.GP64()), size)
	apart := fn.GP64() // bytes between where a string's begin and its end are
	fn.Load(fn.Param("to"), apart)
	fn.SUBQ(fn.Address(fn.Param("from")), apart)
	var loop octetLoop
	loop.begin(fn, "from")
	// load loads where the strings of octets begin, and their lengths, and jumps to a label if they are not in the
	// data.
	load := func(h *octetKeys, otherwise string, octets ...reg.GPVirtual) {
		begin := func(i int) Mem { return Mem{Base: octets[i/shared.Octet], Disp: i % shared.Octet * shared.HashBytes} }
		end := func(i int) Mem {
			m := begin(i)
			m.Index, m.Scale = apart, 1
			return m
		}
		h.base = func(i int) reg.GPVirtual {
			x := fn.GP64()
			fn.MOVQ(begin(i), x)
			fn.ADDQ(data, x)
			return x
		}
		h.size = func(i int) reg.GPVirtual {
			x := fn.GP64()
			fn.MOVQ(end(i), x)
			fn.SUBQ(begin(i), x)
			return x
		}
		for i := range octets {
			from, to, inside, ordered := fn.ZMM(), fn.ZMM(), fn.K(), fn.K()
			fn.VMOVDQU64(begin(i*shared.Octet), from)
			fn.VMOVDQU64(end(i*shared.Octet), to)
			fn.VPSUBQ(from, to, h.length[i])
			fn.VPCMPUQ(U8(atMost), size, to, inside)
			fn.VPCMPUQ(U8(atMost), to, from, inside, ordered)
			fn.KORTESTB(ordered, ordered)
			fn.JCC(LabelRef(otherwise)) // the carry is clear unless all are
		}
	}
	load(h.octetKeys, "leave", loop.keys)
	first, length, alike := h.length[0].(reg.VecVirtual).AsX(), fn.ZMM(), fn.K()
	fn.VPBROADCASTQ(first, length)
	fn.VPCMPEQQ(h.length[0], length, alike)
	fn.KORTESTB(alike, alike)
	fn.JCC(LabelRef("unlike"))
	all := fn.GP64()
	fn.VMOVQ(first, all)
	h.alike(all, Mem{Base: loop.hashes})
	fn.Label("unlike")
	loop.pair(h, shared.HashBytes, func(pair *octetKeys, second reg.GPVirtual) {
		load(pair, "leavePair", loop.keys, second)
	})
	loop.end(shared.HashBytes)

	widenOffsets(f)
	widenSpans(f)
}

// widenOffsets emits the kernel that widens offsets of 32 bits.
func widenOffsets(f *kernel.File) {
	fn := f.Function(kernel.AVX512, "widenOffsets", "func(wide *uint64, offsets *uint32, octets int)",
		"widenOffsets widens eight offsets a time, for hashStringsAVX512.")
	wide, narrow, octets, eight := fn.GP64(), fn.GP64(), fn.GP64(), fn.ZMM()
	fn.Load(fn.Param("wide"), wide)
	fn.Load(fn.Param("offsets"), narrow)
	fn.Load(fn.Param("octets"), octets)
	fn.Label("octet")
	fn.VPMOVZXDQ(Mem{Base: narrow}, eight)
	fn.VMOVDQU64(eight, Mem{Base: wide})
	fn.ADDQ(U8(shared.Octet*shared.HashBytes/2), narrow)
	fn.ADDQ(U8(shared.Octet*shared.HashBytes), wide)
	fn.DECQ(octets)
	fn.JNZ(LabelRef("octet"))
	fn.VZEROUPPER()
	fn.RET()
}

// widenSpans emits the kernel that takes spans apart.
func widenSpans(f *kernel.File) {
	fn := f.Function(kernel.AVX512, "widenSpans", "func(from, to *uint64, spans *[2]uint32, octets int)",
		"widenSpans widens where eight spans a time begin and end, for hashStringsAVX512.")
	from, to, spans, octets := fn.GP64(), fn.GP64(), fn.GP64(), fn.GP64()
	fn.Load(fn.Param("from"), from)
	fn.Load(fn.Param("to"), to)
	fn.Load(fn.Param("spans"), spans)
	fn.Load(fn.Param("octets"), octets)
	fn.Label("octet")
	eight, ends := fn.ZMM(), fn.ZMM()
	fn.VMOVDQU64(Mem{Base: spans}, eight)
	fn.VPSRLQ(U8(32), eight, ends)
	fn.VPANDQ_BCST(fn.Words("low", 1<<32-1), eight, eight)
	fn.VMOVDQU64(eight, Mem{Base: from})
	fn.VMOVDQU64(ends, Mem{Base: to})
	for _, x := range []reg.GPVirtual{from, to, spans} {
		fn.ADDQ(U8(shared.Octet*shared.HashBytes), x)
	}
	fn.DECQ(octets)
	fn.JNZ(LabelRef("octet"))
	fn.VZEROUPPER()
	fn.RET()
}

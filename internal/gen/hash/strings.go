package hash

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
	"github.com/simdbloom/simdbloom/internal/gen/shared"
)

// strings512 emits the kernel of strings that are one behind the other, and the one that widens offsets for it.
func strings512(f *kernel.File) {
	const name = "hashStringsAVX512"
	fn := f.Function(kernel.AVX512, name, "func(hashes, offsets *uint64, data *byte, size int, n int) (left uint64)",
		name+" is HashStrings of n strings, from 8 to 512. It leaves eight of them out where strings are long, or some",
		"are beyond the size of the data or have a negative length, and sets bit i of the result if these begin at string 8*i, or are the last",
		"eight. The offsets must not change meanwhile.")
	h := NewOctetHasher(fn, true)
	data, size := fn.GP64(), fn.ZMM()
	fn.Load(fn.Param("data"), data)
	fn.VPBROADCASTQ(fn.Load(fn.Param("size"), fn.GP64()), size)
	var loop octetLoop
	loop.begin(fn, "offsets")
	offset := func(i int) reg.GPVirtual {
		x := fn.GP64()
		fn.MOVQ(Mem{Base: loop.keys, Disp: i * shared.HashBytes}, x)
		return x
	}
	h.base = func(i int) reg.GPVirtual {
		x := offset(i)
		fn.ADDQ(data, x)
		return x
	}
	h.size = func(i int) reg.GPVirtual {
		from, to := offset(i), offset(i+1)
		fn.SUBQ(from, to)
		return to
	}
	from, to := fn.ZMM(), fn.ZMM()
	fn.VMOVDQU64(Mem{Base: loop.keys}, from)
	fn.VMOVDQU64(Mem{Base: loop.keys, Disp: shared.HashBytes}, to)
	fn.VPSUBQ(from, to, h.length[0])
	inside, ordered := fn.K(), fn.K()
	fn.VPCMPUQ(U8(atMost), size, to, inside)
	fn.VPCMPUQ(U8(atMost), to, from, inside, ordered)
	fn.KORTESTB(ordered, ordered)
	fn.JCC(LabelRef("leave")) // the carry is clear unless all are
	h.store(h.hash("leave"), Mem{Base: loop.hashes})
	loop.end(shared.HashBytes)

	fn = f.Function(kernel.AVX512, "widenOffsets", "func(wide *uint64, offsets *uint32, octets int)",
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

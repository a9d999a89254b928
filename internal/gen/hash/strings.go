package hash

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
	"github.com/simdbloom/simdbloom/internal/gen/shared"
)

// strings512 emits the kernel of strings that are one behind the other.
func strings512(f *kernel.File, bits string) {
	name := "hashStrings" + bits + "AVX512"
	fn := f.Function(kernel.AVX512, name, "func(hashes *uint64, offsets *uint"+bits+", data *byte, size int, n int) (left uint64)",
		name+" is HashStrings of n strings, from 8 to 512. It leaves eight of them out where strings are long, or some",
		"are beyond the size of the data or have a negative length, and sets bit i of the result if these begin at string 8*i, or are the last",
		"eight. The offsets must not change meanwhile.")
	h := NewOctetHasher(fn, true)
	data, size := fn.GP64(), fn.ZMM()
	fn.Load(fn.Param("data"), data)
	fn.VPBROADCASTQ(fn.Load(fn.Param("size"), fn.GP64()), size)
	offsetBytes, load := shared.HashBytes, fn.VMOVDQU64
	if bits == "32" {
		offsetBytes, load = shared.HashBytes/2, fn.VPMOVZXDQ
	}
	var loop octetLoop
	loop.begin(fn, "offsets")
	offset := func(i int) reg.GPVirtual {
		from, x := Mem{Base: loop.keys, Disp: i * offsetBytes}, fn.GP64()
		if bits == "32" {
			fn.MOVL(from, x.As32())
		} else {
			fn.MOVQ(from, x)
		}
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
	load(Mem{Base: loop.keys}, from)
	load(Mem{Base: loop.keys, Disp: offsetBytes}, to)
	fn.VPSUBQ(from, to, h.length[0])
	inside, ordered := fn.K(), fn.K()
	fn.VPCMPUQ(U8(atMost), size, to, inside)
	fn.VPCMPUQ(U8(atMost), to, from, inside, ordered)
	fn.KORTESTB(ordered, ordered)
	fn.JCC(LabelRef("leave")) // the carry is clear unless all are
	h.store(h.hash("leave"), Mem{Base: loop.hashes})
	loop.end(offsetBytes)
}

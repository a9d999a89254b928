package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
)

const sliceBytes = 24 // of a slice's address, length and capacity

// hashKeys emits the kernels that hash keys, eight at a time: those that are scattered over memory, and strings that
// are one behind the other.
//
// NEON has none: it multiplies 64 bits by five instructions. By llvm-mca, a word of each of two keys takes 8.5 cycles on
// Neoverse N2 and 4.3 on V1 and V2, where Go's instructions take 5 and 2. Only on N1, whose multiplier is slow, it takes
// 9 instead of 18.
func hashKeys(f *kernel.File) {
	hashSlices(f, kernel.AVX512, "hashKeysAVX512")
	hashSlices(f, kernel.AVX2, "hashKeysAVX2")
	hashStrings512(f, "32")
	hashStrings512(f, "64")
}

// An octetLoop hashes octets of keys. The last octet takes in keys before it if there are not enough.
type octetLoop struct {
	fn           *kernel.Function
	hashes, keys reg.GPVirtual
	n            reg.GPVirtual
	left, bit    reg.GPVirtual // octets that are left to Go, and the octet's bit
}

// begin loads the arguments: hashes, n, and keys of the given name.
func (l *octetLoop) begin(fn *kernel.Function, keys string) {
	l.fn = fn
	l.hashes, l.keys, l.n = fn.GP64(), fn.GP64(), fn.GP64()
	fn.Load(fn.Param("hashes"), l.hashes)
	fn.Load(fn.Param(keys), l.keys)
	fn.Load(fn.Param("n"), l.n)
	l.left, l.bit = fn.GP64(), fn.GP64()
	fn.XORL(l.left.As32(), l.left.As32())
	fn.MOVL(U32(1), l.bit.As32())
	fn.Label("octets")
}

// end ends the loop. The octets that jump to the label "leave" are left to Go.
func (l *octetLoop) end(keyBytes int) {
	fn := l.fn
	fn.Label("next")
	fn.ADDQ(U32(octet*keyBytes), l.keys)
	fn.ADDQ(U32(octet*hashBytes), l.hashes)
	fn.ADDQ(l.bit, l.bit)
	fn.SUBQ(U8(octet), l.n)
	fn.CMPQ(l.n, U8(octet))
	fn.JGE(LabelRef("octets"))
	fn.TESTQ(l.n, l.n)
	fn.JZ(LabelRef("done"))
	missing := fn.GP64()
	fn.LEAQ(Mem{Base: l.n, Disp: -octet}, missing) // negative
	fn.LEAQ(Mem{Base: l.hashes, Index: missing, Scale: hashBytes}, l.hashes)
	fn.IMUL3Q(U8(uint8(keyBytes)), missing, missing)
	fn.ADDQ(missing, l.keys)
	fn.MOVL(U32(octet), l.n.As32())
	fn.JMP(LabelRef("octets"))
	fn.Label("done")
	fn.VZEROUPPER()
	fn.Store(l.left, fn.ReturnIndex(0))
	fn.RET()
	fn.Label("leave")
	fn.ORQ(l.bit, l.left)
	fn.JMP(LabelRef("next"))
}

// hashSlices emits the kernel of keys that are slices. Eight keys of one length of 8, 16 or 24 bytes are loaded
// without masks.
func hashSlices(f *kernel.File, level kernel.Level, name string) {
	fn := f.Function(level, name, "func(hashes *uint64, keys *[]byte, n int) (left uint64)",
		name+" is HashKeys of n keys, from 8 to 512. It leaves eight of them out where keys are long, and sets bit i of",
		"the result if these begin at key 8*i, or are the last eight.")
	h := newOctetHasher(fn, level == kernel.AVX512)
	var loop octetLoop
	h.spread()
	loop.begin(fn, "keys")
	h.base = func(i int) reg.GPVirtual {
		x := fn.GP64()
		fn.MOVQ(Mem{Base: loop.keys, Disp: i * sliceBytes}, x)
		return x
	}
	h.size = func(i int) reg.GPVirtual {
		x := fn.GP64()
		fn.MOVQ(Mem{Base: loop.keys, Disp: i*sliceBytes + hashBytes}, x)
		return x
	}
	length := h.size(0)
	for i := 1; i < octet; i++ {
		fn.CMPQ(Mem{Base: loop.keys, Disp: i*sliceBytes + hashBytes}, length)
		fn.JNE(LabelRef("unlike"))
	}
	h.hashWords(length, Mem{Base: loop.hashes})
	fn.Label("unlike")
	h.loadLengths(loop.keys)
	h.hash("leave")
	h.store(h.sum, Mem{Base: loop.hashes})
	loop.end(sliceBytes)
	for _, emit := range h.cold {
		emit()
	}
}

// loadLengths sets the lengths from the words of eight slices.
func (h *octetHasher) loadLengths(keys reg.GPVirtual) {
	fn := h.fn
	if h.wide {
		second := fn.ZMM()
		first := fn.ZMM()
		fn.VMOVDQU64(fn.Words("lengths", 1, 4, 7, 10, 13, 0, 0, 0), first)
		fn.VMOVDQU64(Mem{Base: keys}, second)
		fn.VPERMI2Q(Mem{Base: keys, Disp: 64}, second, first)
		fn.VMOVDQU64(fn.Words("lengthsBehind", 0, 1, 2, 3, 4, 8, 11, 14), second)
		fn.VPERMI2Q(Mem{Base: keys, Disp: 128}, first, second)
		h.set(keyLanes{second}, h.length)
		return
	}
	const words = sliceBytes / hashBytes
	for vector := range h.vectors() {
		y := fn.YMM()
		for i := range octet / 2 { // key i's length is loaded into lane i
			from := Mem{Base: keys, Disp: vector*octet/2*sliceBytes + hashBytes*(words*i+1-i)}
			if i == 0 {
				fn.VMOVDQU(from, y)
			} else {
				fn.VPBLENDD(U8(3<<(2*i)), from, y, y)
			}
		}
		fn.VMOVDQU(y, h.length[vector])
	}
}

// spread loads the masks by which AVX-512 loads 16 bytes of a key into two lanes.
func (h *octetHasher) spread() {
	if !h.wide {
		return
	}
	for i := 1; i < len(h.only); i++ {
		h.only[i] = h.fn.K()
		m := h.fn.GP32()
		h.fn.MOVL(U32(3<<(2*i)), m)
		h.fn.KMOVB(m, h.only[i])
	}
}

// hashWords hashes eight keys of 8, 16 or 24 bytes. It jumps to "next", or to "unlike" if they have another length.
func (h *octetHasher) hashWords(length reg.GPVirtual, hashes Mem) {
	fn := h.fn
	h.fillLength(length)
	fn.CMPQ(length, U8(16))
	fn.JNE(LabelRef("odd"))
	fn.Label("pair")
	low, high := h.firstWords()
	h.mixWord(low)
	h.mixWord(high)
	h.addWord(low)
	h.addWord(high)
	fn.CMPQ(length, U8(24))
	fn.JEQ(LabelRef("single"))
	fn.Label("added")
	h.avalanche()
	h.store(h.sum, hashes)
	fn.JMP(LabelRef("next"))

	fn.Label("odd")
	fn.CMPQ(length, U8(24))
	fn.JEQ(LabelRef("pair"))
	fn.CMPQ(length, U8(8))
	fn.JNE(LabelRef("unlike"))
	fn.Label("single")
	last := h.lastWords(length)
	h.mixWord(last)
	h.addWord(last)
	fn.JMP(LabelRef("added"))
}

// fillLength sets the sum to that of keys of one length before their words.
func (h *octetHasher) fillLength(length reg.GPVirtual) {
	for i, x := range h.sum {
		if h.wide {
			h.fn.VPBROADCASTQ(length, x)
		} else if i == 0 {
			h.fn.VMOVQ(length, x.(reg.VecVirtual).AsX())
			h.fn.VPBROADCASTQ(x.(reg.VecVirtual).AsX(), x)
		} else {
			h.move(h.sum[0], x)
			continue
		}
		h.fn.VPADDQ(h.prime(xxPrime5), x, x)
	}
}

// addWord is XXH64's step for a word that mixWord has mixed.
func (h *octetHasher) addWord(word keyLanes) {
	h.foldWord(word)
	for i, x := range word {
		h.fn.VPADDQ(h.prime(xxPrime4), x, h.sum[i])
	}
}

// firstWords loads the first two words of the keys.
func (h *octetHasher) firstWords() (low, high keyLanes) {
	for vector := range h.vectors() {
		first := vector * h.keys()
		even, odd := h.rows(first), h.rows(first+1)
		x, y := h.unpacked(even, odd)
		low, high = append(low, x), append(high, y)
	}
	return low, high
}

// rows loads 16 bytes of every second key of a vector.
func (h *octetHasher) rows(first int) reg.VecVirtual {
	if !h.wide {
		return h.halves256(Mem{Base: h.base(first)}, Mem{Base: h.base(first + 2)})
	}
	z := h.fn.ZMM()
	h.fn.VMOVDQU64(Mem{Base: h.base(first)}, z.AsX())
	for i := 1; i < len(h.only); i++ {
		h.fn.VBROADCASTI64X2(Mem{Base: h.base(first + 2*i)}, h.only[i], z)
	}
	return z
}

// lastWords loads the last word of each key.
func (h *octetHasher) lastWords(length reg.GPVirtual) (words keyLanes) {
	fn := h.fn
	last := func(key int) Mem { return Mem{Base: h.base(key), Index: length, Scale: 1, Disp: -hashBytes} }
	for vector := range h.vectors() {
		all := h.vector()
		for pair := range h.keys() / 2 {
			key := vector*h.keys() + 2*pair
			x := h.vector()
			if pair == 0 {
				x = all
			}
			fn.VPBROADCASTQ(last(key), x) // all of it, for the allocation of registers
			fn.VPINSRQ(U8(1), last(key+1), x.AsX(), x.AsX())
			if pair > 0 && h.wide {
				fn.VINSERTI64X2(U8(uint8(pair)), x.AsX(), all, all)
			} else if pair > 0 {
				fn.VINSERTI128(U8(1), x.AsX(), all, all)
			}
		}
		words = append(words, all)
	}
	return words
}

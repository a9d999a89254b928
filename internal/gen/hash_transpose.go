package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// transposed loads 32 bytes of every key of a vector, and passes on the vector of their first words, that of their
// second ones, and so on.
func (h *octetHasher) transposed(vector int, at func(key int) Mem, each func(i int, word Op)) {
	if h.wide {
		for i, word := range h.transposed512(func(key int) reg.VecVirtual {
			y := h.fn.YMM()
			h.fn.VMOVDQU64(at(key), y)
			return y
		}) {
			each(i, word)
		}
		return
	}
	var from [octet / 2]Mem
	for i := range from {
		from[i] = at(vector*len(from) + i)
	}
	h.transposed256(from, each)
}

func (h *octetHasher) transposed512(load func(key int) reg.VecVirtual) (words [stripeWords]Op) {
	fn := h.fn
	rows := func(low, high int) reg.VecVirtual {
		x := load(low)
		z := fn.ZMM()
		fn.VINSERTI64X4(U8(1), load(high), x.AsZ(), z)
		return z
	}
	// Lanes of 128 bits of the first two: keys 0 and 1, the same, 2 and 3, the same.
	even, odd := h.unpacked(rows(0, 2), rows(1, 3)) // words 0 and 2, words 1 and 3
	evenLast, oddLast := h.unpacked(rows(4, 6), rows(5, 7))
	for i := range words {
		x, last := even, evenLast
		if i%2 == 1 {
			x, last = odd, oddLast
		}
		halves := [2]uint8{0b10_00_10_00, 0b11_01_11_01}[i/2]
		z := fn.ZMM()
		fn.VSHUFI64X2(U8(halves), last, x, z)
		words[i] = z
	}
	return words
}

// unpacked returns the lower words of both in every 128 bits, and the higher ones.
func (h *octetHasher) unpacked(x, y reg.VecVirtual) (low, high reg.VecVirtual) {
	low, high = h.vector(), h.vector()
	h.fn.VPUNPCKLQDQ(y, x, low)
	h.fn.VPUNPCKHQDQ(y, x, high)
	return low, high
}

func (h *octetHasher) transposed256(from [octet / 2]Mem, each func(i int, word Op)) {
	for i := range stripeWords / 2 {
		x := h.halves256(from[0].Offset(16*i), from[2].Offset(16*i))
		y := h.halves256(from[1].Offset(16*i), from[3].Offset(16*i))
		low, high := h.unpacked(x, y)
		each(2*i, low)
		each(2*i+1, high)
	}
}

// halves256 loads 16 bytes from each of two places.
func (h *octetHasher) halves256(low, high Mem) reg.VecVirtual {
	y := h.fn.YMM()
	h.fn.VBROADCASTI128(low, y) // all of it, for the allocation of registers
	h.fn.VINSERTI128(U8(1), high, y, y)
	return y
}

// loadTails loads the words behind the stripes.
func (h *octetHasher) loadTails() {
	if h.wide {
		for i, word := range h.transposed512(h.tail512) {
			h.tails[i] = keyLanes{word}
		}
		return
	}
	for i := range h.tails {
		h.tails[i] = h.slotted()
	}
	zeros := h.fn.GP64()
	h.fn.LEAQ(h.zeros(), zeros)
	copies := h.slot(octet / 2 * 2 * stripeBytes)
	for vector := range h.vectors() {
		var from [octet / 2]Mem
		for i := range from {
			from[i] = h.tail256(vector*len(from)+i, zeros, copies.Offset(2*stripeBytes*i))
		}
		h.transposed256(from, func(i int, word Op) { h.move(word, h.tails[i][vector]) })
	}
}

// tail512 loads a key's bytes behind its last stripe, and zeros behind them.
func (h *octetHasher) tail512(key int) reg.VecVirtual {
	fn := h.fn
	end, rest := h.base(key), h.size(key)
	ones, mask, y := fn.GP32(), fn.K(), fn.YMM()
	fn.ADDQ(rest, end)
	fn.ANDL(U8(stripeBytes-1), rest.As32())
	fn.SUBQ(rest, end)
	fn.MOVL(I32(-1), ones)
	fn.BZHIL(rest.As32(), ones, rest.As32())
	fn.KMOVD(rest.As32(), mask)
	fn.VMOVDQU8_Z(Mem{Base: end}, mask, y)
	return y
}

// tail256 returns where 32 bytes begin with those behind the key's last stripe. What follows them does not matter, but may
// be on an unreadable page. Then the bytes are copied, by aligned loads, which cross no page.
func (h *octetHasher) tail256(key int, zeros reg.GPVirtual, room Mem) Mem {
	const page = 4096
	fn := h.fn
	at, rest, inPage := h.base(key), h.size(key), fn.GP64()
	fn.ADDQ(rest, at)
	fn.ANDL(U8(stripeBytes-1), rest.As32())
	fn.SUBQ(rest, at) // sets the flag unless the key begins at address 0
	fn.TESTQ(rest, rest)
	fn.CMOVQEQ(zeros, at)
	fn.MOVL(at.As32(), inPage.As32())
	fn.ANDL(U32(page-1), inPage.As32())
	fn.CMPL(inPage.As32(), U32(page-stripeBytes))
	copying, loading := fmt.Sprint("copying", key), fmt.Sprint("loading", key)
	fn.JHI(LabelRef(copying))
	fn.Label(loading)
	h.cold = append(h.cold, func() {
		fn.Label(copying)
		y := fn.YMM()
		from, end := fn.GP64(), fn.GP64()
		fn.MOVQ(at, from)
		fn.ANDQ(I8(-stripeBytes), from)
		fn.VMOVDQU(Mem{Base: from}, y)
		fn.VMOVDQU(y, room)
		fn.LEAQ(Mem{Base: at, Index: rest, Scale: 1}, end)
		fn.SUBQ(from, at)
		fn.ADDQ(U8(stripeBytes), from)
		fn.CMPQ(end, from)
		lower := fmt.Sprint("lower", key)
		fn.JLS(LabelRef(lower))
		fn.VMOVDQU(Mem{Base: from}, y)
		fn.VMOVDQU(y, room.Offset(stripeBytes))
		fn.Label(lower)
		copied := fn.GP64()
		fn.LEAQ(room, copied)
		fn.ADDQ(copied, at)
		fn.JMP(LabelRef(loading))
	})
	return Mem{Base: at}
}

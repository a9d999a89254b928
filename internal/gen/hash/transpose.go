package hash

import (
	"fmt"

	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
	"github.com/simdbloom/simdbloom/internal/gen/shared"
)

// octetKeys are eight keys, whose words are loaded into the lanes of vectors.
type octetKeys struct {
	*laneCode
	length keyLanes
	tails  [stripeWords]keyLanes

	Cold []func() // emit code that is rarely executed

	base func(i int) reg.GPVirtual // loads where a key is
	size func(i int) reg.GPVirtual // loads its length
}

func newOctetKeys(fn *kernel.Function, wide bool, primes ...uint64) *octetKeys {
	c := newLaneCode(fn, wide, primes)
	return &octetKeys{laneCode: c, length: c.slotted()}
}

// transposed loads 32 bytes of every key of a vector, and passes on the vector of their first words, that of their
// second ones, and so on.
func (h *octetKeys) transposed(vector int, at func(key int) Mem, each func(i int, word Op)) {
	if h.wide {
		for i, word := range h.transposed512(func(key int) reg.VecVirtual {
			y := h.fn.YMM()
			h.fn.VMOVDQU64(at(vector*shared.Octet+key), y)
			return y
		}) {
			each(i, word)
		}
		return
	}
	var from [shared.Octet / 2]Mem
	for i := range from {
		from[i] = at(vector*len(from) + i)
	}
	h.transposed256(from, each)
}

// paired returns the same for a pair of octets.
func (h *octetKeys) paired() *octetKeys {
	c, pair := *h.laneCode, *h
	c.octets = 2
	pair.laneCode = &c
	pair.length = c.slotted()
	return &pair
}

func (h *octetKeys) transposed512(load func(key int) reg.VecVirtual) (words [stripeWords]Op) {
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
func (h *octetKeys) unpacked(x, y reg.VecVirtual) (low, high reg.VecVirtual) {
	low, high = h.vector(), h.vector()
	h.fn.VPUNPCKLQDQ(y, x, low)
	h.fn.VPUNPCKHQDQ(y, x, high)
	return low, high
}

func (h *octetKeys) transposed256(from [shared.Octet / 2]Mem, each func(i int, word Op)) {
	for i := range stripeWords / 2 {
		x := h.halves256(from[0].Offset(16*i), from[2].Offset(16*i))
		y := h.halves256(from[1].Offset(16*i), from[3].Offset(16*i))
		low, high := h.unpacked(x, y)
		each(2*i, low)
		each(2*i+1, high)
	}
}

// halves256 loads 16 bytes from each of two places.
func (h *octetKeys) halves256(low, high Mem) reg.VecVirtual {
	y := h.fn.YMM()
	h.fn.VBROADCASTI128(low, y) // all of it, for the allocation of registers
	h.fn.VINSERTI128(U8(1), high, y, y)
	return y
}

// loadTails loads the words behind the stripes.
func (h *octetKeys) loadTails() {
	if h.wide {
		h.tails = [stripeWords]keyLanes{}
		for vector := range h.vectors() {
			for i, word := range h.transposed512(func(key int) reg.VecVirtual { return h.tail512(vector*shared.Octet + key) }) {
				h.tails[i] = append(h.tails[i], word)
			}
		}
		return
	}
	for i := range h.tails {
		h.tails[i] = h.slotted()
	}
	zeros := h.fn.GP64()
	h.fn.LEAQ(h.zeros(), zeros)
	copies := h.slot(shared.Octet / 2 * 2 * stripeBytes)
	for vector := range h.vectors() {
		var from [shared.Octet / 2]Mem
		for i := range from {
			from[i] = h.tail256(vector*len(from)+i, zeros, copies.Offset(2*stripeBytes*i))
		}
		h.transposed256(from, func(i int, word Op) { h.move(word, h.tails[i][vector]) })
	}
}

// tail512 loads a key's bytes behind its last stripe, and zeros behind them.
func (h *octetKeys) tail512(key int) reg.VecVirtual {
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

// tail256 returns where 32 bytes begin with those behind the key's last stripe.
func (h *octetKeys) tail256(key int, zeros reg.GPVirtual, room Mem) Mem {
	fn := h.fn
	at, rest := h.base(key), h.size(key)
	fn.ADDQ(rest, at)
	fn.ANDL(U8(stripeBytes-1), rest.As32())
	fn.SUBQ(rest, at) // sets the flag unless the key begins at address 0
	fn.TESTQ(rest, rest)
	fn.CMOVQEQ(zeros, at)
	return h.readable(fmt.Sprint("tail", key), at, rest, stripeBytes, room)
}

// readable returns where 16 or 32 bytes begin with the given number of a key's at an address. What follows them does
// not matter, but may be on an unreadable page. Then the bytes are copied, by aligned loads, which cross no page, into
// the room for twice as many.
func (h *octetKeys) readable(label string, at, some reg.GPVirtual, bytes int, room Mem) Mem {
	const page = 4096
	fn := h.fn
	inPage := fn.GP32()
	fn.MOVL(at.As32(), inPage)
	fn.ANDL(U32(page-1), inPage)
	fn.CMPL(inPage, U32(page-bytes))
	copying, loading := label+"Copying", label+"Loading"
	fn.JHI(LabelRef(copying))
	fn.Label(loading)
	h.Cold = append(h.Cold, func() {
		fn.Label(copying)
		var x reg.VecVirtual = fn.YMM()
		if bytes < stripeBytes {
			x = fn.XMM()
		}
		from, end := fn.GP64(), fn.GP64()
		fn.MOVQ(at, from)
		fn.ANDQ(I8(int8(-bytes)), from)
		fn.VMOVDQU(Mem{Base: from}, x)
		fn.VMOVDQU(x, room)
		fn.LEAQ(Mem{Base: at, Index: some, Scale: 1}, end)
		fn.SUBQ(from, at)
		fn.ADDQ(U8(uint8(bytes)), from)
		fn.CMPQ(end, from)
		fn.JLS(LabelRef(label + "Lower"))
		fn.VMOVDQU(Mem{Base: from}, x)
		fn.VMOVDQU(x, room.Offset(bytes))
		fn.Label(label + "Lower")
		copied := fn.GP64()
		fn.LEAQ(room, copied)
		fn.ADDQ(copied, at)
		fn.JMP(LabelRef(loading))
	})
	return Mem{Base: at}
}

// loadLengths sets the lengths from the words of eight slices, or of eight at each of two places.
func (h *octetKeys) loadLengths(octets ...reg.GPVirtual) {
	fn, keys := h.fn, octets[0]
	if h.wide {
		for i, keys := range octets {
			second := fn.ZMM()
			first := fn.ZMM()
			fn.VMOVDQU64(fn.Words("lengths", 1, 4, 7, 10, 13, 0, 0, 0), first)
			fn.VMOVDQU64(Mem{Base: keys}, second)
			fn.VPERMI2Q(Mem{Base: keys, Disp: 64}, second, first)
			fn.VMOVDQU64(fn.Words("lengthsBehind", 0, 1, 2, 3, 4, 8, 11, 14), second)
			fn.VPERMI2Q(Mem{Base: keys, Disp: 128}, first, second)
			h.set(keyLanes{second}, h.length[i:])
		}
		return
	}
	const words = SliceBytes / shared.HashBytes
	for vector := range h.vectors() {
		y := fn.YMM()
		for i := range shared.Octet / 2 { // key i's length is loaded into lane i
			from := Mem{Base: keys, Disp: vector*shared.Octet/2*SliceBytes + shared.HashBytes*(words*i+1-i)}
			if i == 0 {
				fn.VMOVDQU(from, y)
			} else {
				fn.VPBLENDD(U8(3<<(2*i)), from, y, y)
			}
		}
		fn.VMOVDQU(y, h.length[vector])
	}
}

// wordPairs loads two words of each key.
func (h *octetKeys) wordPairs(at func(key int) Mem) (low, high keyLanes) {
	for vector := range h.vectors() {
		first := vector * h.keys()
		even, odd := h.rows(first, at), h.rows(first+1, at)
		x, y := h.unpacked(even, odd)
		low, high = append(low, x), append(high, y)
	}
	return low, high
}

// rows loads 16 bytes of every second key of a vector. (Loads under a mask take as long, and masks are few.)
func (h *octetKeys) rows(first int, at func(key int) Mem) reg.VecVirtual {
	if !h.wide {
		return h.halves256(at(first), at(first+2))
	}
	half := func(key int) reg.VecVirtual {
		z := h.fn.ZMM()
		h.fn.VBROADCASTI64X2(at(key), z) // all of it, for the allocation of registers
		h.fn.VINSERTI64X2(U8(1), at(key+2), z.AsY(), z.AsY())
		return z
	}
	low, high := half(first), half(first+4)
	h.fn.VINSERTI64X4(U8(1), high.AsY(), low, low)
	return low
}

// zeros returns the address of a stripe of zeros.
func (h *octetKeys) zeros() Mem { return h.fn.Words("noStripe", 0, 0, 0, 0) }

// keys returns the number of keys in a vector.
func (h *octetKeys) keys() int { return h.octets * shared.Octet / h.vectors() }

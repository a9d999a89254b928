package hash

import (
	"fmt"

	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
	"github.com/simdbloom/simdbloom/internal/gen/shared"
)

const (
	pairBytes = 16  // of two words, which XXPH3 multiplies
	mostXXPH3 = 128 // bytes of keys that are hashed by pairs from both ends

	xxph3Prime32 = 0x9E3779B1
	xxph3Empty   = 0x5342c3010fe1dd04 // the hash of no bytes
)

// xxph3Secrets are the words of XXPH3's secret that these pairs are mixed with, in turn one from the beginning and one
// from the end.
var xxph3Secrets = [mostXXPH3 / shared.HashBytes]uint64{
	0xbe4ba423396cfeb8, 0x1cad21f72c81017c, 0xdb979083e96dd4de, 0x1f67b3b7a4a44072,
	0x78e5c0cc4ee679cb, 0x2172ffcc7dd05a82, 0x8e2443f7744608b8, 0x4c263a81e69035e0,
	0xcb00c391bb52283c, 0xa32e531b8b65d088, 0x4ef90da297486471, 0xd8acdea946ef1938,
	0x3f349ce33f76faa8, 0x1d4f0bc7c7bbdcf9, 0x3159b4cd4be0518a, 0x647378d9c97e9fc8,
}

// An XXPH3Hasher emits XXPH3 of eight keys of up to 128 bytes, in the lanes of vectors. Package xxph3 has it in Go.
type XXPH3Hasher struct {
	*octetKeys
	sum      keyLanes
	first    keyLanes // the first words of short keys
	room     Mem
	zeroPair reg.GPVirtual // the address of zeros
}

// NewXXPH3Hasher begins to hash eight keys at a time by XXPH3.
func NewXXPH3Hasher(fn *kernel.Function, wide bool) *XXPH3Hasher {
	h := &XXPH3Hasher{octetKeys: newOctetKeys(fn, wide), room: fn.AllocLocal(shared.Octet * 2 * pairBytes)}
	h.sum = h.registers(h.vectors())
	h.zeroPair = fn.GP64()
	fn.LEAQ(h.zeros(), h.zeroPair)
	return h
}

// alike hashes eight keys of 8 or 16 bytes. It jumps to "next", or to "unlike" if they have another length.
func (h *XXPH3Hasher) alike(length reg.GPVirtual, hashes Mem) {
	fn := h.fn
	fn.CMPQ(length, U8(pairBytes))
	fn.JNE(LabelRef("notPairs"))
	low, high := h.wordPairs(func(key int) Mem { return Mem{Base: h.base(key)} })
	for i, sum := range h.sum {
		h.xorWord(xxph3Secrets[0], low[i])
		h.xorWord(xxph3Secrets[1], high[i])
		fn.VPADDQ(low[i], high[i], sum)
		h.addWord(pairBytes, sum)
		h.foldProduct(low[i], high[i])
		fn.VPADDQ(low[i], sum, sum)
	}
	fn.Label("like")
	h.avalanche()
	h.store(h.sum, hashes)
	fn.JMP(LabelRef("next"))

	fn.Label("notPairs")
	fn.CMPQ(length, U8(shared.HashBytes))
	fn.JNE(LabelRef("unlike"))
	for i, x := range h.lastWords(length) {
		h.mixWord(x)
		h.addWord(shared.HashBytes, x)
		h.mixedWord(x)
		h.move(x, h.sum[i])
	}
	fn.JMP(LabelRef("like"))
}

// hash returns the hashes of eight keys, whose lengths are set. It jumps to a label if they are not hashed together.
func (h *XXPH3Hasher) hash(otherwise string) keyLanes {
	fn := h.fn
	h.jumpIfAny(h.moreThan(mostXXPH3, h.length), otherwise)
	h.jumpUnlessAll(h.moreThan(pairBytes, h.length), "short")
	low, high := h.wordPairs(func(key int) Mem { return Mem{Base: h.base(key)} })
	h.begin(h.sum)
	h.addPair(low, high, 0, nil)
	fn.JMP(LabelRef("ends"))

	fn.Label("short")
	h.hashShort()

	fn.Label("ends")
	long := h.moreThan(pairBytes, h.length)
	h.addPairAt(0, 1, long)
	for i := 1; i < mostXXPH3/2/pairBytes; i++ {
		has := h.moreThan(uint64(2*pairBytes*i), h.length)
		h.jumpIfNone(has, "paired")
		h.addPairAt(i, 0, has)
		h.addPairAt(i, 1, has)
	}
	fn.Label("paired")
	h.jumpUnlessAll(h.moreThan(shared.HashBytes, h.length), "shortest")
	fn.Label("avalanche")
	h.avalanche()
	fn.Label("hashed")
	return h.sum
}

// begin sets a sum to that of keys of more than 16 bytes before their words.
func (h *XXPH3Hasher) begin(sum keyLanes) {
	for i, x := range sum {
		h.move(h.length[i], x)
		h.multiply(xxPrime1, x)
	}
}

// addPairAt adds the pair number i from the beginning, or from the end, where keys have it.
func (h *XXPH3Hasher) addPairAt(i, end int, has marks) {
	fn := h.fn
	low, high := h.wordPairs(func(key int) Mem {
		from, n := h.base(key), h.size(key)
		if end == 0 {
			fn.ADDQ(U8(uint8(pairBytes*i)), from)
		} else {
			fn.LEAQ(Mem{Base: from, Index: n, Scale: 1, Disp: -pairBytes * (i + 1)}, from)
		}
		fn.CMPQ(n, U8(uint8(max(pairBytes, 2*pairBytes*i))))
		fn.CMOVQLS(h.zeroPair, from)
		return Mem{Base: from}
	})
	h.addPair(low, high, 2*i+end, &has)
}

// addPair adds the folded products of pairs of words, which are overwritten, to the marked sums: to all without marks.
func (h *XXPH3Hasher) addPair(low, high keyLanes, number int, where *marks) {
	for i, sum := range h.sum {
		h.xorWord(xxph3Secrets[2*number], low[i])
		h.xorWord(xxph3Secrets[2*number+1], high[i])
		h.foldProduct(low[i], high[i])
		if where != nil && h.wide {
			h.fn.VPADDQ(low[i], sum, where.masks[i], sum)
			continue
		} else if where != nil {
			h.fn.VPAND(where.all[i], low[i], low[i])
		}
		h.fn.VPADDQ(low[i], sum, sum)
	}
}

// foldProduct sets a to the two halves of its product with b in one, and overwrites b.
func (h *XXPH3Hasher) foldProduct(a, b Op) {
	fn := h.fn
	upperA, upperB, lower, cross := h.vector(), h.vector(), h.vector(), h.vector()
	fn.VPSRLQ(U8(32), a, upperA)
	fn.VPSRLQ(U8(32), b, upperB)
	fn.VPMULUDQ(a, b, lower)
	fn.VPMULUDQ(upperA, b, cross)
	fn.VPMULUDQ(a, upperB, b)
	fn.VPMULUDQ(upperA, upperB, a)
	fn.VPSRLQ(U8(32), lower, upperB)
	fn.VPADDQ(upperB, cross, cross) // no such sum overflows
	h.and(1<<32-1, keyLanes{lower})
	fn.VPSRLQ(U8(32), cross, upperB)
	fn.VPADDQ(upperB, a, a)
	h.and(1<<32-1, keyLanes{cross})
	fn.VPADDQ(cross, b, b)
	fn.VPSRLQ(U8(32), b, upperB)
	fn.VPADDQ(upperB, a, a)
	fn.VPSLLQ(U8(32), b, b)
	h.xor(lower, a)
	h.xor(b, a)
}

// hashShort begins the sums of keys of which some have up to 16 bytes. It jumps if none has more.
func (h *XXPH3Hasher) hashShort() {
	fn := h.fn
	h.first = h.slotted()
	low, high := h.wordPairs(func(key int) Mem {
		from, n := h.base(key), h.size(key)
		fn.TESTQ(n, n)
		fn.CMOVQEQ(h.zeroPair, from)
		return h.readable(fmt.Sprint("pair", key), from, n, pairBytes, h.room.Offset(2*pairBytes*key))
	})
	h.set(low, h.first)
	h.jumpIfNone(h.moreThan(shared.HashBytes, h.length), "shortest")

	// Up to 16 bytes, the second word is the key's last.
	last := h.registers(h.vectors())
	for i, x := range last {
		bits, y := h.bits(i, -64), h.vector()
		h.move(low[i], x)
		fn.VPSRLVQ(bits, x, x)
		h.broadcast(64, y)
		fn.VPSUBQ(bits, y, y)
		fn.VPSLLVQ(y, high[i], y)
		h.or(y, x)
	}
	long := h.moreThan(pairBytes, h.length)
	h.choose(long, high, last)
	for i, sum := range h.sum {
		h.xorWord(xxph3Secrets[0], low[i])
		h.xorWord(xxph3Secrets[1], last[i])
		h.fn.VPADDQ(low[i], last[i], sum)
		h.fn.VPADDQ(h.length[i], sum, sum)
	}
	long = h.moreThan(pairBytes, h.length)
	begun := h.registers(h.vectors())
	h.begin(begun)
	h.choose(long, begun, h.sum)
	for i, sum := range h.sum {
		h.foldProduct(low[i], last[i])
		h.fn.VPADDQ(low[i], sum, sum)
	}
	h.jumpIfNone(long, "paired")
	h.Cold = append(h.Cold, h.hashShortest)
}

// bits returns eight times the length, and a constant.
func (h *XXPH3Hasher) bits(vector int, more int64) reg.VecVirtual {
	x := h.vector()
	h.move(h.length[vector], x)
	h.fn.VPSLLQ(U8(3), x, x)
	h.addWord(uint64(more), x)
	return x
}

// hashShortest sets the sums of keys of up to 8 bytes.
func (h *XXPH3Hasher) hashShortest() {
	fn := h.fn
	fn.Label("shortest")
	// Four bytes from the beginning and four from the end.
	word := h.registers(h.vectors())
	for i, x := range word {
		y, bits := h.vector(), h.bits(i, -32)
		h.move(h.first[i], x)
		fn.VPSRLVQ(bits, x, y)
		fn.VPSLLQ(U8(32), y, y)
		h.and(1<<32-1, keyLanes{x})
		h.or(y, x)
		h.mixWord(x)
		fn.VPADDQ(h.length[i], x, x)
		h.mixedWord(x)
	}
	h.choose(h.moreThan(shared.HashBytes, h.length), h.sum, word)
	h.set(word, h.sum)
	some := h.moreThan(3, h.length)
	h.jumpUnlessAll(some, "bytes")
	fn.JMP(LabelRef("avalanche"))

	// The first byte, that in the middle, and the last one.
	fn.Label("bytes")
	for i, x := range word {
		y, bits := h.vector(), h.bits(i, -8)
		h.move(h.first[i], x)
		fn.VPSRLVQ(bits, x, y)
		h.and(1<<8-1, keyLanes{y})
		fn.VPSLLQ(U8(16), y, y)
		middle := h.shifted(1, h.length[i:i+1])
		fn.VPSLLQ(U8(3), middle[0], middle[0])
		fn.VPSRLVQ(middle[0], x, middle[0])
		h.and(1<<8-1, middle)
		fn.VPSLLQ(U8(8), middle[0], middle[0])
		h.and(1<<8-1, keyLanes{x})
		h.or(y, x)
		h.or(middle[0], x)
		h.move(h.length[i], y)
		fn.VPSLLQ(U8(24), y, y)
		h.or(y, x)
		h.xorWord(xxph3Secrets[0]&(1<<32-1), x)
		h.multiply(xxPrime1, x)
	}
	h.choose(some, h.sum, word)
	h.set(word, h.sum)
	h.avalanche()
	empty := h.registers(h.vectors())
	for _, x := range empty {
		h.broadcast(xxph3Empty, x)
	}
	h.choose(h.moreThan(0, h.length), h.sum, empty)
	h.set(empty, h.sum)
	fn.JMP(LabelRef("hashed"))
}

// mixWord is XXPH3's first step for the first and the last 4 bytes of a key in a word. Then the length is added.
func (h *XXPH3Hasher) mixWord(x Op) {
	h.xorWord(xxph3Secrets[0], x)
	h.fold(51, x)
	h.multiply(xxph3Prime32, x)
}

// mixedWord is the second one.
func (h *XXPH3Hasher) mixedWord(x Op) {
	h.fold(47, x)
	h.multiply(xxPrime2, x)
}

// fold changes the lower bits by the upper ones.
func (h *XXPH3Hasher) fold(right uint8, x Op) { h.xor(h.shifted(right, keyLanes{x})[0], x) }

// avalanche is XXPH3's last step.
func (h *XXPH3Hasher) avalanche() {
	for _, x := range h.sum {
		h.fold(37, x)
		h.multiply(xxPrime3, x)
		h.fold(32, x)
	}
}

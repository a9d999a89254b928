package hash

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
)

// mostLong32 is the most bytes of keys that are hashed together. Go takes 2.3 to 3.3 times as long for keys of 1,000
// bytes, also from memory (Zen 4).
const mostLong32 = 1023

// A hasher32 emits the hashes of 32 bits of eight keys, in the lower halves of lanes. The upper halves are never used.
// Package hash32 has them in Go.
type hasher32 struct {
	*stripedKeys
	sum keyLanes
}

func newHasher32(fn *kernel.Function, wide bool) *hasher32 {
	h := &hasher32{stripedKeys: newStripedKeys(fn, wide)}
	h.sum = h.registers(h.vectors())
	return h
}

func (h *hasher32) alike(reg.GPVirtual, Mem) {}

// hash returns the hashes of eight keys, whose lengths are set. It jumps to a label if they are not hashed together.
func (h *hasher32) hash(otherwise string) keyLanes {
	fn := h.fn
	h.jumpIfAny(h.moreThan(mostLong32, h.length), otherwise)
	h.set(h.shifted(5, h.length), h.left) // divided by stripeBytes
	for i, x := range h.sum {
		h.move(h.length[i], x)
		h.multiplyHalves(x)
		h.xorWord(Seed32, x)
	}
	h.jumpUnlessAlike("mixed")
	left := h.count()
	fn.TESTQ(left, left)
	fn.JZ(LabelRef("rest"))
	h.stripes(left, func(vector int) (add func(i int, word Op), end func()) {
		return func(_ int, word Op) { h.addHalves(keyLanes{word}, h.sum[vector:vector+1], nil) }, func() {}
	})
	h.jumpIfAny(h.moreThan(0, h.masked(stripeBytes-1, h.length)), "rest")
	fn.JMP(LabelRef("hashed"))

	fn.Label("mixed")
	h.mixedStripes(func(vector int, active marks) (add func(i int, word Op), end func()) {
		return func(_ int, word Op) { h.addHalves(keyLanes{word}, h.sum[vector:vector+1], &active) }, func() {}
	}, nil)
	fn.Label("rest")
	h.loadTails()
	h.set(h.masked(stripeBytes-1, h.length), h.length)
	h.hashTails()
	fn.Label("hashed")
	h.and(1<<32-1, h.sum)
	return h.sum
}

// multiplyHalves multiplies the lower halves.
func (h *hasher32) multiplyHalves(x Op) {
	if h.wide {
		h.fn.VPMULUDQ_BCST(h.constant(Multiplier32), x, x)
	} else {
		h.fn.VPMULUDQ(h.constant(Multiplier32), x, x)
	}
}

// addHalves adds both halves of words, which are overwritten, to the marked lanes of sums: to all without marks.
func (h *hasher32) addHalves(word, sum keyLanes, where *marks) {
	h.addHalf(word, sum, 16, where)
	for _, x := range word {
		h.fn.VPSRLQ(U8(32), x, x)
	}
	h.addHalf(word, sum, 16, where)
}

// addHalf adds the lower halves.
func (h *hasher32) addHalf(half, sum keyLanes, shift uint8, where *marks) {
	fn := h.fn
	for i := range sum {
		x, y := h.vector(), h.vector()
		fn.VPADDD(half[i], sum[i], x)
		h.multiplyHalves(x)
		fn.VPSRLD(U8(shift), x, y)
		switch {
		case h.wide && where != nil:
			fn.VPXORQ(y, x, where.masks[i], sum[i])
		case h.wide:
			fn.VPXORQ(y, x, sum[i])
		case where != nil:
			fn.VPXOR(y, x, x)
			fn.VPBLENDVB(where.all[i], x, sum[i], sum[i])
		default:
			fn.VPXOR(y, x, sum[i])
		}
	}
}

// hashTails adds the bytes behind the last whole stripe of each key. Its length is their number now.
func (h *hasher32) hashTails() {
	fn := h.fn
	// rest is the half word behind the whole ones.
	rest := h.copied(h.tails[0])
	for i := range 2*stripeWords - 1 {
		has := h.moreThan(uint64(4*i+3), h.length)
		h.jumpIfNone(has, "bytes")
		h.addHalf(h.half(i), h.sum, 16, &has)
		h.choose(has, h.half(i+1), rest)
	}
	fn.Label("bytes")
	bytes := h.masked(3, h.length)
	has := h.moreThan(0, bytes)
	h.jumpIfNone(has, "hashed")
	for i, x := range bytes { // becomes the number of bits of a half word that are behind the key
		fn.VPSLLQ(U8(3), x, x)
		behind := h.vector()
		h.broadcast(32, behind)
		fn.VPSUBQ(x, behind, x)
		fn.VPSLLVD(x, rest[i], rest[i])
		fn.VPSRLVD(x, rest[i], rest[i])
		// A byte that is extended by its sign is less by twice its highest bit, if this is set.
		signs := h.vector()
		fn.VPBROADCASTQ(fn.Address(fn.Param("signs")), signs)
		if h.wide {
			fn.VPANDQ(rest[i], signs, signs)
		} else {
			fn.VPAND(rest[i], signs, signs)
		}
		fn.VPSUBD(signs, rest[i], rest[i])
		fn.VPSUBD(signs, rest[i], rest[i])
	}
	h.addHalf(rest, h.sum, 24, &has)
}

// half returns the lower halves of lanes with half word i behind the stripes.
func (h *hasher32) half(i int) keyLanes {
	if i%2 == 0 {
		return h.copied(h.tails[i/2])
	}
	return h.shifted(32, h.tails[i/2])
}

// The 32-bit hash: see internal/hash32.
const (
	Seed32       = 0xbc9f1d34
	Multiplier32 = 0xc6a4a793
)

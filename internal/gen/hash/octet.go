package hash

import (
	. "github.com/mmcloughlin/avo/operand"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
)

const (
	stripeBytes = 32 // of XXH64's stripes
	stripeWords = 4  // of a stripe, or of what is behind the last

	// The most bytes of keys that are hashed together by XXH64. Go hashes longer ones as fast where they come from
	// memory: it reads one after the other, so that the processor prefetches them. (From memory, in order, 200 bytes
	// take 0.94 of Go's time in AVX-512 and 1.26 in AVX2, and 500 bytes 1.37 and 2.4, on Zen 4. In caches 200 bytes
	// take 0.31 and 0.75.)
	mostLong512 = 255
	mostLong256 = 127
)

// VPCMPUQ's comparisons.
const (
	atMost   = 2
	moreThan = 6
)

// An OctetHasher emits XXH64 of eight keys, in the lanes of vectors. The words of their stripes are transposed, and so
// are the words behind the last stripes. A lane takes part in the steps that its length has.
type OctetHasher struct {
	*stripedKeys
	sum keyLanes
}

// NewOctetHasher begins to hash eight keys at a time by XX64.
func NewOctetHasher(fn *kernel.Function, wide bool) *OctetHasher {
	h := &OctetHasher{stripedKeys: newStripedKeys(fn, wide, xxPrime1, xxPrime2, xxPrime3, xxPrime4, xxPrime5)}
	h.sum = h.registers(h.vectors())
	return h
}

// paired returns a hasher of pairs of octets.
func (h *OctetHasher) paired() *OctetHasher {
	striped := &stripedKeys{octetKeys: h.octetKeys.paired()}
	striped.left = striped.slotted()
	return &OctetHasher{stripedKeys: striped, sum: striped.registers(striped.vectors())}
}

// hash returns the hashes of eight keys, whose lengths are set. It jumps to a label if they are not hashed together.
func (h *OctetHasher) hash(otherwise string) keyLanes {
	fn := h.fn
	mostLong := uint64(mostLong256)
	if h.wide {
		mostLong = mostLong512
	}
	h.jumpIfAny(h.moreThan(mostLong, h.length), otherwise)
	h.set(h.shifted(5, h.length), h.left) // divided by stripeBytes
	h.jumpUnlessAlike("mixed")
	left := h.count()
	fn.TESTQ(left, left)
	fn.JZ(LabelRef("short"))
	h.stripes(left, func(vector int) (add func(i int, word Op), end func()) {
		sums := h.newSums()
		return func(i int, word Op) {
				h.addStripe(word, sums[i])
				h.multiply(xxPrime1, word)
				h.move(word, sums[i])
			}, func() {
				h.merge(sums, h.sum[vector])
			}
	})
	h.jumpIfAny(h.moreThan(0, h.masked(stripeBytes-1, h.length)), "words")
	h.addLength()
	fn.JMP(LabelRef("avalanche"))

	fn.Label("mixed")
	for _, x := range h.sum {
		h.fill(xxPrime5, x)
	}
	h.mixedStripes(func(vector int, active marks) (add func(i int, word Op), end func()) {
		sums := h.newSums()
		return func(i int, word Op) {
				h.addStripe(word, sums[i])
				h.multiplyWhere(active, xxPrime1, keyLanes{word}, keyLanes{sums[i]})
			}, func() {
				merged := h.vector()
				h.merge(sums, merged)
				h.choose(h.moreThan(stripeBytes-1, h.length[vector:vector+1]), keyLanes{merged}, h.sum[vector:vector+1])
			}
	}, func() {})
	fn.JMP(LabelRef("words"))

	fn.Label("short")
	for _, x := range h.sum {
		h.fill(xxPrime5, x)
	}
	fn.Label("words")
	h.addLength()
	h.loadTails()
	fn.Label("tailed")
	h.set(h.masked(stripeBytes-1, h.length), h.length)
	h.hashTails()
	fn.Label("avalanche")
	h.avalanche()
	return h.sum
}

func (h *OctetHasher) addLength() {
	for i, x := range h.sum {
		h.fn.VPADDQ(h.length[i], x, x)
	}
}

// newSums returns the four sums of stripes as they begin.
func (h *OctetHasher) newSums() (sums [stripeWords]Op) {
	for i := range sums {
		sums[i] = h.vector()
	}
	if h.wide {
		h.fn.VPADDQ(h.primes[xxPrime1], h.primes[xxPrime2], sums[0])
		h.fn.VMOVDQA64(h.primes[xxPrime2], sums[1])
		h.fn.VPXORQ(sums[2], sums[2], sums[2])
		h.fn.VPSUBQ(h.primes[xxPrime1], sums[2], sums[3])
		return sums
	}
	var start uint64 = xxPrime1
	h.move(h.constant(start+xxPrime2), sums[0])
	h.move(h.constant(xxPrime2), sums[1])
	h.fn.VPXOR(sums[2], sums[2], sums[2])
	h.move(h.constant(-start), sums[3])
	return sums
}

// addStripe is XXH64's step for a word of a stripe up to its last product. It overwrites the word.
func (h *OctetHasher) addStripe(word, sum Op) {
	h.multiply(xxPrime2, word)
	h.fn.VPADDQ(sum, word, word)
	h.rotate(31, word)
}

// merge makes the four sums of stripes one, and overwrites them.
func (h *OctetHasher) merge(sums [stripeWords]Op, into Op) {
	for i, rotation := range []uint8{1, 7, 12, 18} {
		x := h.vector()
		h.move(sums[i], x)
		h.rotate(rotation, x)
		if i == 0 {
			h.move(x, into)
		} else {
			h.fn.VPADDQ(x, into, into)
		}
	}
	for _, sum := range sums {
		h.multiply(xxPrime2, sum)
		h.rotate(31, sum)
		h.multiply(xxPrime1, sum)
		h.xor(sum, into)
		h.multiply(xxPrime1, into)
		h.fn.VPADDQ(h.prime(xxPrime4), into, into)
	}
}

// hashTails adds the bytes behind the last whole stripe of each key to its sum. Its length is their number now.
func (h *OctetHasher) hashTails() {
	// tail is the word behind the whole ones.
	tail := h.copied(h.tails[0])
	for i := range stripeWords - 1 {
		has := h.moreThan(uint64(8*i+7), h.length)
		h.jumpIfNone(has, "half")
		x := h.copied(h.tails[i])
		h.mixWord(x)
		h.foldWord(x)
		h.addWhere(has, xxPrime4, x, h.sum)
		h.choose(has, h.tails[i+1], tail)
	}
	h.fn.Label("half")
	half := h.moreThan(0, h.masked(4, h.length))
	h.jumpIfNone(half, "bytes")
	x := h.masked(1<<32-1, tail)
	for i := range x {
		h.multiply(xxPrime1, x[i])
		h.xor(h.sum[i], x[i])
		h.rotate(23, x[i])
		h.multiply(xxPrime2, x[i])
	}
	h.addWhere(half, xxPrime3, x, h.sum)
	h.choose(half, h.shifted(32, tail), tail)

	h.fn.Label("bytes")
	bytes := h.masked(3, h.length)
	for i := range 3 {
		has := h.moreThan(uint64(i), bytes)
		h.jumpIfNone(has, "avalanche")
		x := h.shifted(uint8(8*i), tail)
		h.and(1<<8-1, x)
		for i := range x {
			h.multiply(xxPrime5, x[i])
			h.xor(h.sum[i], x[i])
			h.rotate(11, x[i])
		}
		h.multiplyWhere(has, xxPrime1, x, h.sum)
	}
}

// mixWord is the part of XXH64's step for a word that needs no sum.
func (h *OctetHasher) mixWord(word keyLanes) {
	for _, x := range word {
		h.multiply(xxPrime2, x)
	}
	for _, x := range word {
		h.rotate(31, x)
	}
	for _, x := range word {
		h.multiply(xxPrime1, x)
	}
}

// foldWord is the rest of the step but for its last constant, in the word.
func (h *OctetHasher) foldWord(word keyLanes) {
	for i, x := range word {
		h.xor(h.sum[i], x)
	}
	for _, x := range word {
		h.rotate(27, x)
	}
	for _, x := range word {
		h.multiply(xxPrime1, x)
	}
}

// avalanche is XXH64's.
func (h *OctetHasher) avalanche() {
	for _, step := range []struct {
		right uint8
		prime uint64
	}{{33, xxPrime2}, {29, xxPrime3}, {32, 0}} {
		y := h.shifted(step.right, h.sum)
		for i, x := range h.sum {
			h.xor(y[i], x)
			if step.prime != 0 {
				h.multiply(step.prime, x)
			}
		}
	}
}

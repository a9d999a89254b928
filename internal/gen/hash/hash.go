// Package hash emits the kernels that hash keys, and the one that partitions hashes. A ShortKey is a part of other
// kernels, which hash a key and look it up.
package hash

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
	"github.com/simdbloom/simdbloom/internal/gen/shared"
)

// XXH64's constants, as package xx64 has them.
const (
	xxPrime1 = 0x9E3779B185EBCA87
	xxPrime2 = 0xC2B2AE3D27D4EB4F
	xxPrime3 = 0x165667B19E3779F9
	xxPrime4 = 0x85EBCA77C2B2AE63
	xxPrime5 = 0x27D4EB2F165667C5

	// The sum before a word, and before a half one.
	xxStart     = xxPrime5 + shared.HashBytes
	xxStartHalf = xxPrime5 + shared.HashBytes/2
)

// hashedVectors are hashed step by step, so that the processor's schedulers always hold work
// that does not wait for a product. Four vectors take 1.06 ns a word in AVX2, and 0.315 in
// AVX-512, where a single one takes 1.43 and 0.355 (Zen 4).
const hashedVectors = 4

// Words emits the kernels that hash keys of 64 and of 32 bits.
func Words(f *kernel.File) {
	for _, half := range []bool{false, true} {
		words512(f, half)
		words256(f, half)
	}
}

// A wordHasher emits XXH64 of the words of vectors, or of half words, which are loaded as words.
type wordHasher struct {
	*laneCode
	half bool

	hashes, words, n reg.GPVirtual
}

// newWordHasher begins a kernel and loads its arguments and constants.
func newWordHasher(f *kernel.File, level kernel.Level, set, number string, half bool) *wordHasher {
	name, words := "HashUint64s", "words *uint64"
	if half {
		name, words = "HashUint32s", "words *uint32"
	}
	kernelName := "h" + name[1:] + set
	fn := f.Function(level, kernelName, "func(hashes *uint64, "+words+", n int)", kernelName+" is "+name+" of n words"+number+".")
	param := func(name string) reg.GPVirtual { return fn.Load(fn.Param(name), fn.GP64()).(reg.GPVirtual) }
	w := &wordHasher{half: half, hashes: param("hashes"), words: param("words"), n: param("n")}
	w.laneCode = newLaneCode(fn, level == kernel.AVX512, []uint64{xxPrime1, xxPrime2, xxPrime3, xxPrime4, xxStart, xxStartHalf})
	return w
}

// wordBytes is the size of a key.
func (w *wordHasher) wordBytes() int {
	if w.half {
		return shared.HashBytes / 2
	}
	return shared.HashBytes
}

// loop emits a loop that hashes the given number of vectors a round, while there are enough
// words for them. n words are left.
func (w *wordHasher) loop(label string, vectors int) {
	all := w.registers(vectors)
	keys := shared.Octet / w.vectors()
	words := U32(vectors * keys)
	w.fn.SUBQ(words, w.n)
	w.fn.JL(LabelRef(label + "End"))
	w.fn.Label(label)
	for i, x := range all {
		from := Mem{Base: w.words, Disp: i * keys * w.wordBytes()}
		if w.half {
			w.fn.VPMOVZXDQ(from, x)
		} else {
			w.move(from, x)
		}
	}
	w.hash(all)
	for i, x := range all {
		w.move(x, Mem{Base: w.hashes, Disp: i * keys * shared.HashBytes})
	}
	w.fn.ADDQ(U32(vectors*keys*w.wordBytes()), w.words)
	w.fn.ADDQ(U32(vectors*keys*shared.HashBytes), w.hashes)
	w.fn.SUBQ(words, w.n)
	w.fn.JGE(LabelRef(label))
	w.fn.Label(label + "End")
	w.fn.ADDQ(words, w.n)
}

// hash replaces the words by their hashes.
func (w *wordHasher) hash(vectors keyLanes) {
	each := func(step func(x Op)) {
		for _, x := range vectors {
			step(x)
		}
	}
	multiply := func(prime uint64) { each(func(x Op) { w.multiply(prime, x) }) }
	rotate := func(left uint8) { each(func(x Op) { w.rotate(left, x) }) }
	xorAll := func(constant uint64) { each(func(x Op) { w.xor(w.prime(constant), x) }) }
	addAll := func(constant uint64) { each(func(x Op) { w.fn.VPADDQ(w.prime(constant), x, x) }) }
	xorShifted := func(right uint8) { each(func(x Op) { w.xor(w.shifted(right, keyLanes{x})[0], x) }) }
	if w.half {
		multiply(xxPrime1)
		xorAll(xxStartHalf)
		rotate(23)
		multiply(xxPrime2)
		addAll(xxPrime3)
	} else {
		multiply(xxPrime2)
		rotate(31)
		multiply(xxPrime1)
		xorAll(xxStart)
		rotate(27)
		multiply(xxPrime1)
		addAll(xxPrime4)
	}
	xorShifted(33)
	multiply(xxPrime2)
	xorShifted(29)
	multiply(xxPrime3)
	xorShifted(32)
}

// words512 hashes the last words under a mask.
func words512(f *kernel.File, half bool) {
	w := newWordHasher(f, kernel.AVX512, "AVX512", "", half)
	fn := w.fn
	w.loop("rounds", hashedVectors)
	w.loop("octets", 1)
	fn.TESTQ(w.n, w.n)
	fn.JZ(LabelRef("done"))
	mask, some, x := fn.GP32(), fn.K(), fn.ZMM()
	fn.MOVL(U32(1<<shared.Octet-1), mask)
	fn.BZHIL(w.n.As32(), mask, mask)
	fn.KMOVB(mask, some)
	if half {
		fn.VPMOVZXDQ_Z(Mem{Base: w.words}, some, x)
	} else {
		fn.VMOVDQU64_Z(Mem{Base: w.words}, some, x)
	}
	w.hash(keyLanes{x})
	fn.VMOVDQU64(x, some, Mem{Base: w.hashes})
	fn.Label("done")
	fn.VZEROUPPER()
	fn.RET()
}

func words256(f *kernel.File, half bool) {
	w := newWordHasher(f, kernel.AVX2, "AVX2", ", a multiple of four", half)
	w.loop("rounds", hashedVectors)
	w.loop("quads", 1)
	w.fn.VZEROUPPER()
	w.fn.RET()
}

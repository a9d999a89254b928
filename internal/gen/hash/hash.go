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
	fn        *kernel.Function
	half      bool
	constants map[uint64]reg.VecVirtual // each in all words of a vector
	vector    func() reg.VecVirtual
	load      func(from Mem, to reg.VecVirtual)
	store     func(from Op, to Mem)
	xor       func(y, x reg.VecVirtual) // into x, as the others
	rotate    func(x reg.VecVirtual, left uint8)
	multiply  func(x reg.VecVirtual, prime uint64)

	hashes, words, n reg.GPVirtual
}

// begin loads the arguments and the constants.
func (w *wordHasher) begin() {
	param := func(name string) reg.GPVirtual {
		return w.fn.Load(w.fn.Param(name), w.fn.GP64()).(reg.GPVirtual)
	}
	w.hashes, w.words, w.n = param("hashes"), param("words"), param("n")
	w.constants = make(map[uint64]reg.VecVirtual)
	type constant struct {
		name string
		word uint64
	}
	constants := []constant{{"xxPrime1", xxPrime1}, {"xxPrime2", xxPrime2}, {"xxPrime3", xxPrime3}}
	if w.half {
		constants = append(constants, constant{"xxStartHalf", xxStartHalf})
	} else {
		constants = append(constants, constant{"xxPrime4", xxPrime4}, constant{"xxStart", xxStart})
	}
	for _, c := range constants {
		x := w.vector()
		w.fn.VPBROADCASTQ(w.fn.Words(c.name, c.word), x)
		w.constants[c.word] = x
	}
}

// wordBytes is the size of what is hashed.
func (w *wordHasher) wordBytes() int {
	if w.half {
		return shared.HashBytes / 2
	}
	return shared.HashBytes
}

// loop emits a loop that hashes the given number of vectors a round, while there are enough
// words for them. n words are left.
func (w *wordHasher) loop(label string, vectors int) {
	var all []reg.VecVirtual
	for range vectors {
		all = append(all, w.vector())
	}
	size := int(all[0].Size())
	words := U32(vectors * size / shared.HashBytes)
	w.fn.SUBQ(words, w.n)
	w.fn.JL(LabelRef(label + "End"))
	w.fn.Label(label)
	for i, x := range all {
		w.load(Mem{Base: w.words, Disp: i * size / shared.HashBytes * w.wordBytes()}, x)
	}
	w.hash(all...)
	for i, x := range all {
		w.store(x, Mem{Base: w.hashes, Disp: i * size})
	}
	w.fn.ADDQ(U32(vectors*size/shared.HashBytes*w.wordBytes()), w.words)
	w.fn.ADDQ(U32(vectors*size), w.hashes)
	w.fn.SUBQ(words, w.n)
	w.fn.JGE(LabelRef(label))
	w.fn.Label(label + "End")
	w.fn.ADDQ(words, w.n)
}

// hash replaces the words by their hashes.
func (w *wordHasher) hash(vectors ...reg.VecVirtual) {
	each := func(step func(x reg.VecVirtual)) {
		for _, x := range vectors {
			step(x)
		}
	}
	multiply := func(prime uint64) { each(func(x reg.VecVirtual) { w.multiply(x, prime) }) }
	rotate := func(left uint8) { each(func(x reg.VecVirtual) { w.rotate(x, left) }) }
	xorShifted := func(right uint8) {
		each(func(x reg.VecVirtual) {
			y := w.vector()
			w.fn.VPSRLQ(U8(right), x, y)
			w.xor(y, x)
		})
	}
	xorAll := func(constant uint64) { each(func(x reg.VecVirtual) { w.xor(w.constants[constant], x) }) }
	addAll := func(constant uint64) {
		each(func(x reg.VecVirtual) { w.fn.VPADDQ(w.constants[constant], x, x) })
	}
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

// function begins a kernel of an instruction set.
func (w *wordHasher) function(f *kernel.File, level kernel.Level, set, number string) {
	name, words := "HashUint64s", "words *uint64"
	if w.half {
		name, words = "HashUint32s", "words *uint32"
	}
	kernelName := "h" + name[1:] + set
	w.fn = f.Function(level, kernelName, "func(hashes *uint64, "+words+", n int)", kernelName+" is "+name+" of n words"+number+".")
}

// words512 hashes the last words under a mask.
func words512(f *kernel.File, half bool) {
	w := &wordHasher{half: half}
	w.function(f, kernel.AVX512, "AVX512", "")
	fn := w.fn
	w.vector = fn.ZMM
	w.load = func(from Mem, to reg.VecVirtual) { fn.VMOVDQU64(from, to) }
	if half {
		w.load = func(from Mem, to reg.VecVirtual) { fn.VPMOVZXDQ(from, to) }
	}
	w.store = func(from Op, to Mem) { fn.VMOVDQU64(from, to) }
	w.xor = func(y, x reg.VecVirtual) { fn.VPXORQ(y, x, x) }
	w.rotate = func(x reg.VecVirtual, left uint8) { fn.VPROLQ(U8(left), x, x) }
	w.multiply = func(x reg.VecVirtual, prime uint64) { fn.VPMULLQ(w.constants[prime], x, x) }
	w.begin()
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
	w.hash(x)
	fn.VMOVDQU64(x, some, Mem{Base: w.hashes})
	fn.Label("done")
	fn.VZEROUPPER()
	fn.RET()
}

// words256 multiplies words by their halves, as AVX2 has no other products: modulo 2^64,
// the product is that of the lower halves, with those of a lower and an upper half added to
// its upper half.
func words256(f *kernel.File, half bool) {
	w := &wordHasher{half: half}
	w.function(f, kernel.AVX2, "AVX2", ", a multiple of four")
	fn := w.fn
	w.vector = fn.YMM
	w.load = func(from Mem, to reg.VecVirtual) { fn.VMOVDQU(from, to) }
	if half {
		w.load = func(from Mem, to reg.VecVirtual) { fn.VPMOVZXDQ(from, to) }
	}
	w.store = func(from Op, to Mem) { fn.VMOVDQU(from, to) }
	w.xor = func(y, x reg.VecVirtual) { fn.VPXOR(y, x, x) }
	w.rotate = func(x reg.VecVirtual, left uint8) {
		y := fn.YMM()
		fn.VPSRLQ(U8(64-left), x, y)
		fn.VPSLLQ(U8(left), x, x)
		fn.VPOR(y, x, x)
	}
	w.begin()
	swapped := make(map[uint64]reg.VecVirtual) // halves
	for _, prime := range []uint64{xxPrime1, xxPrime2, xxPrime3} {
		swapped[prime] = fn.YMM()
		fn.VPSHUFD(U8(0b10_11_00_01), w.constants[prime], swapped[prime])
	}
	w.multiply = func(x reg.VecVirtual, prime uint64) {
		crossed, y := fn.YMM(), fn.YMM()
		fn.VPMULLD(swapped[prime], x, crossed)
		fn.VPSRLQ(U8(32), crossed, y)
		fn.VPADDD(y, crossed, crossed)
		fn.VPSLLQ(U8(32), crossed, crossed)
		fn.VPMULUDQ(w.constants[prime], x, x)
		fn.VPADDQ(crossed, x, x)
	}
	w.loop("rounds", hashedVectors)
	w.loop("quads", 1)
	fn.VZEROUPPER()
	fn.RET()
}

package hash

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
	"github.com/simdbloom/simdbloom/internal/gen/shared"
)

// SliceBytes is the size of a slice's address, length and capacity.
const SliceBytes = 24

// Keys emits the kernels that hash keys, eight at a time: those that are scattered over memory, and strings that
// are one behind the other.
//
// NEON has none: it multiplies 64 bits by five instructions. By llvm-mca, a word of each of two keys takes 8.5 cycles
// on Neoverse N2 and 4.3 on V1 and V2, where Go's instructions take 5 and 2. Only on N1, whose multiplier is slow, it
// takes 9 instead of 18.
func Keys(f *kernel.File) {
	for _, level := range []kernel.Level{kernel.AVX512, kernel.AVX2} {
		ahead := map[bool]string{true: ahead}[level == kernel.AVX512]
		slices(f, level, "HashKeys", ahead, func(fn *kernel.Function, wide bool) SliceHasher { return NewOctetHasher(fn, wide) })
		slices(f, level, "HashKeysXXPH3", ahead, func(fn *kernel.Function, wide bool) SliceHasher { return NewXXPH3Hasher(fn, wide) })
		slices(f, level, "HashKeys32", ", signs uint64", func(fn *kernel.Function, wide bool) SliceHasher { return newHasher32(fn, wide) })
	}
	strings512(f)
	pairs512(f)
}

// ahead is the parameter by which a kernel prefetches the lines of hashes, unless it is nil.
const ahead = ", l *lines"

// An octetLoop hashes octets of keys. The last octet takes in keys before it if there are not enough.
type octetLoop struct {
	fn           *kernel.Function
	hashes, keys reg.GPVirtual
	n            reg.GPVirtual
	left, bit    reg.GPVirtual // octets that are left to Go, and the octet's bit
	ahead        bool          // lines are prefetched
	cold         []func()      // emit code that prefetches
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
	l.prefetch("next", shared.Octet)
	fn.ADDQ(U32(shared.Octet*keyBytes), l.keys)
	fn.ADDQ(U32(shared.Octet*shared.HashBytes), l.hashes)
	fn.ADDQ(l.bit, l.bit)
	fn.SUBQ(U8(shared.Octet), l.n)
	fn.Label("further")
	fn.CMPQ(l.n, U8(shared.Octet))
	fn.JGE(LabelRef("octets"))
	fn.TESTQ(l.n, l.n)
	fn.JZ(LabelRef("done"))
	missing := fn.GP64()
	fn.LEAQ(Mem{Base: l.n, Disp: -shared.Octet}, missing) // negative
	fn.LEAQ(Mem{Base: l.hashes, Index: missing, Scale: shared.HashBytes}, l.hashes)
	fn.IMUL3Q(U8(uint8(keyBytes)), missing, missing)
	fn.ADDQ(missing, l.keys)
	fn.MOVL(U32(shared.Octet), l.n.As32())
	fn.JMP(LabelRef("octets"))
	fn.Label("done")
	fn.VZEROUPPER()
	fn.Store(l.left, fn.ReturnIndex(0))
	fn.RET()
	fn.Label("leave")
	fn.ORQ(l.bit, l.left)
	fn.JMP(LabelRef("next"))
	for _, emit := range l.cold {
		emit()
	}
}

// prefetch prefetches one line for each key of this octet, or pair of octets, from eight hashes earlier on, which are
// there by now. (Those of this octet take 1.15 times as long at 32 MiB, keys of 24 bytes, Emerald Rapids.)
func (l *octetLoop) prefetch(label string, most uint32) {
	if !l.ahead {
		return
	}
	fn := l.fn
	fn.CMPQ(fn.Address(fn.Param("l")), U8(0))
	fn.JNE(LabelRef(label + "Lines"))
	fn.Label(label + "Prefetched")
	l.cold = append(l.cold, func() {
		lines, body, hashes, keys, line := fn.GP64(), fn.GP64(), fn.GP64(), fn.GP64(), fn.GP64()
		fn.Label(label + "Lines")
		fn.Load(fn.Param("l"), lines)
		fn.MOVQ(fn.Field(lines, "lines", "body"), body)
		fn.MOVL(U32(most), keys.As32())
		fn.CMPQ(l.n, keys)
		fn.CMOVQLT(l.n, keys)
		fn.MOVQ(fn.Field(lines, "lines", "half"), hashes)
		fn.ADDQ(l.hashes, hashes)
		fn.Label(label + "Line")
		fn.MOVL(Mem{Base: hashes, Disp: -shared.Octet * shared.HashBytes}, line.As32())
		fn.IMULQ(fn.Field(lines, "lines", "size"), line)
		fn.SHRQ(U8(32), line)
		shared.FromMemory(fn, Mem{Base: body, Index: line, Scale: 1})
		fn.ADDQ(U8(shared.HashBytes), hashes)
		fn.DECQ(keys)
		fn.JNZ(LabelRef(label + "Line"))
		fn.JMP(LabelRef(label + "Prefetched"))
	})
}

// pair hashes this octet and the one behind it, whose keys load loads: the last eight if there are not as many, and
// the same ones if there are no others.
func (l *octetLoop) pair(h *OctetHasher, keyBytes int, load func(pair *octetKeys, second reg.GPVirtual)) {
	fn, missing, none, keys, hashes := l.fn, l.fn.GP64(), l.fn.GP64(), l.fn.GP64(), l.fn.GP64()
	fn.XORL(none.As32(), none.As32())
	fn.LEAQ(Mem{Base: l.n, Disp: -2 * shared.Octet}, missing)
	fn.TESTQ(missing, missing)
	fn.CMOVQGT(none, missing)
	fn.LEAQ(Mem{Base: l.hashes, Index: missing, Scale: shared.HashBytes, Disp: shared.Octet * shared.HashBytes}, hashes)
	fn.IMUL3Q(U8(uint8(keyBytes)), missing, missing)
	fn.LEAQ(Mem{Base: l.keys, Index: missing, Scale: 1, Disp: shared.Octet * keyBytes}, keys)
	pair := h.paired()
	load(pair.octetKeys, keys)
	sums := pair.hash("leavePair")
	pair.move(sums[0], Mem{Base: l.hashes})
	pair.move(sums[1], Mem{Base: hashes})

	fn.Label("nextPair")
	l.prefetch("nextPair", 2*shared.Octet)
	fn.ADDQ(U32(uint32(2*shared.Octet*keyBytes)), l.keys)
	fn.ADDQ(U32(2*shared.Octet*shared.HashBytes), l.hashes)
	fn.SHLQ(U8(2), l.bit)
	fn.SUBQ(U8(2*shared.Octet), l.n)
	fn.JG(LabelRef("further"))
	fn.JMP(LabelRef("done"))
	fn.Label("leavePair")
	fn.ORQ(l.bit, l.left)
	fn.CMPQ(l.n, U8(shared.Octet))
	fn.JLE(LabelRef("nextPair"))
	fn.LEAQ(Mem{Base: l.left, Index: l.bit, Scale: 2}, l.left)
	fn.JMP(LabelRef("nextPair"))
}

// A SliceHasher emits a hash of eight keys.
type SliceHasher interface {
	Octet() *octetKeys
	alike(length reg.GPVirtual, hashes Mem) // what is faster for keys of one length, or nothing
	hash(otherwise string) keyLanes         // jumps to a label if they are not hashed together
}

func (h *octetKeys) Octet() *octetKeys { return h }

// slices emits the kernel of keys that are slices.
func slices(f *kernel.File, level kernel.Level, of, more string, hasher func(fn *kernel.Function, wide bool) SliceHasher) {
	wide := level == kernel.AVX512
	name := "h" + of[1:] + map[bool]string{true: "AVX512", false: "AVX2"}[wide]
	fn := f.Function(level, name, "func(hashes *uint64, keys *[]byte, n int"+more+") (left uint64)",
		name+" is "+of+" of n keys, from 8 to 512. It leaves eight of them out where keys are long, and sets bit i of",
		"the result if these begin at key 8*i, or are the last eight.")
	by := hasher(fn, wide)
	h := by.Octet()
	loop := octetLoop{ahead: more == ahead}
	loop.begin(fn, "keys")
	if one, ok := by.(*OctetHasher); ok && wide {
		eightAlike(by, loop.keys, loop.hashes)
		loop.pair(one, SliceBytes, func(pair *octetKeys, second reg.GPVirtual) {
			pair.base, pair.size = slicesAt(fn, loop.keys, second)
			pair.loadLengths(loop.keys, second)
		})
	} else {
		Eight(by, loop.keys, loop.hashes)
	}
	loop.end(SliceBytes)
	for _, emit := range h.Cold {
		emit()
	}
}

// Eight hashes eight slices. It goes on behind itself or at the label "next", or at "leave" if they are not hashed
// together.
func Eight(by SliceHasher, keys, hashes reg.GPVirtual) {
	eightAlike(by, keys, hashes)
	h := by.Octet()
	h.loadLengths(keys)
	h.store(by.hash("leave"), Mem{Base: hashes})
}

// eightAlike hashes eight slices if they have one of some lengths, and goes on at the label "next". If not, it goes on
// behind itself.
func eightAlike(by SliceHasher, keys, hashes reg.GPVirtual) {
	h := by.Octet()
	fn := h.fn
	h.base, h.size = slicesAt(fn, keys)
	length := h.size(0)
	for i := 1; i < shared.Octet; i++ {
		fn.CMPQ(Mem{Base: keys, Disp: i*SliceBytes + shared.HashBytes}, length)
		fn.JNE(LabelRef("unlike"))
	}
	by.alike(length, Mem{Base: hashes})
	fn.Label("unlike")
}

// slicesAt returns functions that load the address and the length of key i from octets of slices.
func slicesAt(fn *kernel.Function, octets ...reg.GPVirtual) (base, size func(i int) reg.GPVirtual) {
	word := func(i, at int) reg.GPVirtual {
		x := fn.GP64()
		fn.MOVQ(Mem{Base: octets[i/shared.Octet], Disp: i%shared.Octet*SliceBytes + at}, x)
		return x
	}
	return func(i int) reg.GPVirtual { return word(i, 0) }, func(i int) reg.GPVirtual { return word(i, shared.HashBytes) }
}

// alike hashes eight keys of 8, 16 or 24 bytes. It jumps to "next", or to "unlike" if they have another length.
func (h *OctetHasher) alike(length reg.GPVirtual, hashes Mem) {
	fn := h.fn
	h.fillLength(length)
	fn.CMPQ(length, U8(16))
	fn.JNE(LabelRef("odd"))
	fn.Label("pair")
	low, high := h.wordPairs(func(key int) Mem { return Mem{Base: h.base(key)} })
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
func (h *OctetHasher) fillLength(length reg.GPVirtual) {
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
func (h *OctetHasher) addWord(word keyLanes) {
	h.foldWord(word)
	for i, x := range word {
		h.fn.VPADDQ(h.prime(xxPrime4), x, h.sum[i])
	}
}

// lastWords loads the last word of each key.
func (h *octetKeys) lastWords(length reg.GPVirtual) (words keyLanes) {
	fn := h.fn
	last := func(key int) Mem { return Mem{Base: h.base(key), Index: length, Scale: 1, Disp: -shared.HashBytes} }
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

package blocks

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/shared"
)

// words are the loops over 64 keys at a time. Masks become answers only after those of the
// next 64 keys have been stored: while they are in the store buffer, reading them in one
// piece would have to wait.
type words struct {
	*Batch
	evaluator
	masks         int // bytes, of 64 keys
	buffer, other reg.GPVirtual
	to            Mem // on the stack: where the next answers go
}

func (b *Batch) newWords(e evaluator) *words {
	w := &words{b, e, shared.WordKeys * e.Width(), b.Fn.GP64(), b.Fn.GP64(), b.Fn.AllocLocal(8)}
	if 2*w.masks+shared.WordKeys > scratchBytes {
		panic("the masks do not fit the room") // a mistake in the generator
	}
	b.Fn.LEAQ(b.scratch.Offset(2*w.masks), w.buffer) // where the answers from no masks go
	b.Fn.MOVQ(w.buffer, w.to)
	b.Fn.LEAQ(b.scratch, w.buffer)
	b.Fn.XORL(w.other.As32(), w.other.As32())
	return w
}

// loop emits one of the loops, some of the evaluator's rounds at a time. It leaves out the last answers.
// prefetch comes between the keys' probes, so that the two overlap.
func (w *words) loop(label string, rounds int, prefetch func(hash Mem)) {
	keys := w.Round()
	left := w.Fn.GP32()
	w.Fn.Label(label)
	w.Fn.MOVL(U32(shared.WordKeys/keys/rounds), left)
	w.Fn.Label(label + "Octets")
	for i := range rounds {
		hashes := Mem{Base: w.hashes, Disp: shared.HashBytes * keys * i}
		block := func(hash Mem) Mem {
			prefetch(hash)
			return w.Block(hash)
		}
		w.Mask(hashes, block, Mem{Base: w.buffer, Index: w.other, Scale: 1, Disp: keys * w.Width() * i})
	}
	w.Fn.ADDQ(U8(keys*w.Width()*rounds), w.buffer)
	w.Fn.SUBQ(I8(-shared.HashBytes*keys*rounds), w.hashes)
	w.Fn.DECL(left)
	w.Fn.JNZ(LabelRef(label + "Octets"))
	w.Fn.SUBQ(U32(uint32(w.masks)), w.buffer)
	w.Fn.Comment("The answers of the 64 hashes before.")
	w.store(label, true)
	w.Fn.SUBQ(U8(shared.WordKeys), w.n)
	w.Fn.CMPQ(w.n, U8(shared.WordKeys))
	w.Fn.JAE(LabelRef(label))
}

// far emits the loops that prefetch.
func (w *words) far(label string) {
	if w.across {
		w.Fn.TESTQ(U32(shared.LineBytes-1), w.Body)
		w.Fn.JNZ(LabelRef(label + "Across"))
	}
	w.Fn.Comment("64 hashes at a time, prefetching a line for each.")
	w.loop(label+"Along", 1, func(hash Mem) {
		shared.FromMemory(w.Fn, w.line(hash.Idx(w.ahead, shared.HashBytes)))
		shared.FromCache(w.Fn, w.line(hash.Offset(shared.HashBytes*shared.Soon)))
	})
	if !w.across {
		return
	}
	w.Fn.JMP(LabelRef(label + "End"))
	w.Fn.Label(label + "Across")
	w.Fn.Comment("64 hashes at a time, prefetching both lines of each block.")
	first := w.Fn.GP64() // the line that the body begins in
	w.Fn.MOVQ(w.Body, first)
	w.Fn.ANDQ(I8(-shared.LineBytes), first)
	both := func(prefetch shared.Hint, hash Mem) {
		line := w.lineFrom(first, hash)
		prefetch(w.Fn, line)
		prefetch(w.Fn, line.Offset(shared.LineBytes))
	}
	w.loop(label+"BothLines", 1, func(hash Mem) {
		both(shared.FromMemory, hash.Idx(w.ahead, shared.HashBytes))
		both(shared.FromCache, hash.Offset(shared.HashBytes*shared.Soon))
	})
}

// last emits the code that stores the answers of the last 64 keys.
func (w *words) last(label string) {
	w.Fn.Comment("The answers of the last 64 hashes.")
	w.store(label+"End", false)
}

// boolLinesAhead is how many lines ahead of the answers the memory for bools is
// prefetched. A store that misses the caches holds up all stores behind it, and
// there is one of a line for 64 keys.
const boolLinesAhead = 4

// store stores the answers of 64 keys, whose masks are in the other half of the room. The
// loop has those of the next 64 go behind all others so far.
func (w *words) store(label string, next bool) {
	w.Fn.XORQ(U32(uint32(w.masks)), w.other)
	to := w.Fn.GP64()
	w.Fn.MOVQ(w.to, to)
	advance := func(bytes uint8) {
		if next {
			w.Fn.MOVQ(w.hits, w.to)
			w.Fn.ADDQ(U8(bytes), w.hits)
		}
	}
	bits, bools := w.Compare(Mem{Base: w.buffer, Index: w.other, Scale: 1})
	w.Fn.CMPQ(w.asBools, U8(0))
	w.Fn.JNE(LabelRef(label + "Bools"))
	bits(Mem{Base: to})
	advance(shared.WordKeys / 8)
	w.Fn.JMP(LabelRef(label + "Stored"))
	w.Fn.Label(label + "Bools")
	w.Fn.PREFETCHT0(Mem{Base: w.hits, Disp: boolLinesAhead * shared.LineBytes})
	bools(Mem{Base: to})
	advance(shared.WordKeys)
	w.Fn.Label(label + "Stored")
}

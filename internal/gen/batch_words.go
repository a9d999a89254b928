package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// words are the loops over 64 keys at a time. Masks become answers only after those of the
// next 64 keys have been stored: while they are in the store buffer, reading them in one
// piece would have to wait.
type words struct {
	*batch
	evaluator
	masks         int // bytes, of 64 keys
	buffer, other reg.GPVirtual
	to            Mem // on the stack: where the next answers go
}

func (b *batch) newWords(e evaluator) *words {
	w := &words{b, e, wordKeys * e.width(), b.fn.GP64(), b.fn.GP64(), b.fn.AllocLocal(8)}
	if 2*w.masks+wordKeys > scratchBytes {
		panic("the masks do not fit the room") // a mistake in the generator
	}
	b.fn.LEAQ(b.scratch.Offset(2*w.masks), w.buffer) // where the answers from no masks go
	b.fn.MOVQ(w.buffer, w.to)
	b.fn.LEAQ(b.scratch, w.buffer)
	b.fn.XORL(w.other.As32(), w.other.As32())
	return w
}

// loop emits one of the loops, some octets at a time. It leaves out the last answers.
// prefetch comes between the keys' probes, so that the two overlap. If it is nil, the loop
// goes to prefetchOctet if lines are to be prefetched.
func (w *words) loop(label string, octets int, prefetch func(hash Mem)) {
	left := w.fn.GP32()
	w.fn.Label(label)
	w.fn.MOVL(U32(wordKeys/octet/octets), left)
	w.fn.Label(label + "Octets")
	if prefetch == nil {
		w.fn.TESTQ(w.ahead, w.ahead)
		w.fn.JNZ(LabelRef(label + "Prefetch"))
		w.fn.Label(label + "Prefetched")
	}
	for i := range octets {
		hashes := Mem{Base: w.hashes, Disp: hashBytes * octet * i}
		block := func(hash Mem) Mem {
			if prefetch != nil {
				prefetch(hash)
			}
			return w.block(hash)
		}
		w.mask(hashes, block, Mem{Base: w.buffer, Index: w.other, Scale: 1, Disp: octet * w.width() * i})
	}
	w.fn.ADDQ(U8(octet*w.width()*octets), w.buffer)
	w.fn.SUBQ(I8(-hashBytes*octet*octets), w.hashes)
	w.fn.DECL(left)
	w.fn.JNZ(LabelRef(label + "Octets"))
	w.fn.SUBQ(U32(uint32(w.masks)), w.buffer)
	w.fn.Comment("The answers of the 64 hashes before.")
	w.store(label, true)
	w.fn.SUBQ(U8(wordKeys), w.n)
	w.fn.CMPQ(w.n, U8(wordKeys))
	w.fn.JAE(LabelRef(label))
}

// far emits the loops that prefetch.
func (w *words) far(label string) {
	if w.across {
		w.fn.TESTQ(U32(lineBytes-1), w.body)
		w.fn.JNZ(LabelRef(label + "Across"))
	}
	w.fn.Comment("64 hashes at a time, prefetching a line for each.")
	w.loop(label+"Along", 1, func(hash Mem) {
		fromMemory(w.fn, w.line(hash.Idx(w.ahead, hashBytes)))
		fromCache(w.fn, w.line(hash.Offset(hashBytes*soon)))
	})
	if !w.across {
		return
	}
	w.fn.JMP(LabelRef(label + "End"))
	w.fn.Label(label + "Across")
	w.fn.Comment("64 hashes at a time, prefetching both lines of each block.")
	first := w.fn.GP64() // the line that the body begins in
	w.fn.MOVQ(w.body, first)
	w.fn.ANDQ(I8(-lineBytes), first)
	both := func(prefetch hint, hash Mem) {
		line := w.lineFrom(first, hash)
		prefetch(w.fn, line)
		prefetch(w.fn, line.Offset(lineBytes))
	}
	w.loop(label+"BothLines", 1, func(hash Mem) {
		both(fromMemory, hash.Idx(w.ahead, hashBytes))
		both(fromCache, hash.Offset(hashBytes*soon))
	})
}

// last emits what stores the answers of the last 64 keys.
func (w *words) last(label string) {
	w.fn.Comment("The answers of the last 64 hashes.")
	w.store(label+"End", false)
}

// boolLinesAhead is how many lines ahead of the answers the memory for bools is
// prefetched. A store that misses the caches holds up all stores behind it, and
// there is one of a line for 64 keys.
const boolLinesAhead = 4

// store stores the answers of 64 keys, whose masks are in the other half of the room. The
// loop has those of the next 64 go behind all others so far.
func (w *words) store(label string, next bool) {
	w.fn.XORQ(U32(uint32(w.masks)), w.other)
	to := w.fn.GP64()
	w.fn.MOVQ(w.to, to)
	advance := func(bytes uint8) {
		if next {
			w.fn.MOVQ(w.hits, w.to)
			w.fn.ADDQ(U8(bytes), w.hits)
		}
	}
	bits, bools := w.compare(Mem{Base: w.buffer, Index: w.other, Scale: 1})
	w.fn.CMPQ(w.asBools, U8(0))
	w.fn.JNE(LabelRef(label + "Bools"))
	bits(Mem{Base: to})
	advance(wordKeys / 8)
	w.fn.JMP(LabelRef(label + "Stored"))
	w.fn.Label(label + "Bools")
	w.fn.PREFETCHT0(Mem{Base: w.hits, Disp: boolLinesAhead * lineBytes})
	bools(Mem{Base: to})
	advance(wordKeys)
	w.fn.Label(label + "Stored")
}

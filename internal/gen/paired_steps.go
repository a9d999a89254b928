package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// prefetching says which lines a loop prefetches.
type prefetching int

const (
	nearLines prefetching = iota // to the first cache, if that is worth it
	farLines                     // from memory
	anyLines                     // either, as the distance says
)

// steps emits the steps before the queue.
func (b *pairedBatch) steps(e pairedEvaluator, label string, hashes, ahead, ring, distance reg.GPVirtual, quick bool, lines prefetching) {
	at := b.fn.GP64()
	further := func(keys int) reg.GPVirtual {
		b.fn.LEAQ(Mem{Base: ring, Disp: keys}, at)
		b.fn.MOVBLZX(at.As8(), at.As32())
		return at
	}
	e.locate(Mem{Base: ahead}, b.offsets.Idx(further(locateAhead), 4))
	soonBlocks := func() func(key int) Mem { return b.blocks(b.offsets.Idx(further(pairsAhead+soon), 4)) }
	if lines != farLines {
		if lines == anyLines {
			b.fn.TESTQ(distance, distance)
			b.fn.JG(LabelRef(label + "Lines"))
		}
		if e.prefetchesNear() {
			b.fn.CMPQ(b.size, U32(firstCache))
			b.fn.JBE(LabelRef(label + "Prefetched"))
			block := soonBlocks()
			for key := range octet {
				fromCache(b.fn, block(key)) // a second line is not worth it
			}
		}
		if lines == anyLines {
			b.fn.JMP(LabelRef(label + "Prefetched"))
			b.fn.Label(label + "Lines")
		}
	}
	if lines != nearLines {
		b.prefetchFar(label, ahead, distance, lines == anyLines)
		block := soonBlocks()
		for key := range octet {
			b.both(fromCache, block(key))
		}
	}
	b.fn.Label(label + "Prefetched")
	b.next(ahead)
	b.loadPairs(further(pairsAhead))
	if quick {
		e.quick(b.blocks(b.offsets.Idx(ring, 4)), b.masks.Idx(ring, uint8(e.width())))
		b.next(hashes)
		further(octet)
		e.prepare(Mem{Base: hashes}, b.offsets.Idx(at, 4), b.pairs.Idx(at, 1))
	}
	b.fn.ADDQ(U8(octet), ring)
	b.fn.MOVBLZX(ring.As8(), ring.As32())
}

// prefetchFar prefetches the own lines of the octet that is the distance further ahead: all
// in a row or, with half the code, in two halves.
func (b *pairedBatch) prefetchFar(label string, ahead, distance reg.GPVirtual, halves bool) {
	hashes, keys := Mem{Base: ahead, Index: distance, Scale: hashBytes}, octet
	at, half := b.fn.GP64(), b.fn.GP32()
	if halves {
		keys /= 2
		b.fn.LEAQ(hashes, at)
		hashes = Mem{Base: at}
		b.fn.MOVL(U32(2), half)
		b.fn.Label(label + "Half")
	}
	for key := range keys {
		b.both(fromMemory, b.block(hashes.Offset(hashBytes*key)))
	}
	if halves {
		b.fn.ADDQ(U8(hashBytes*octet/2), at)
		b.fn.DECL(half)
		b.fn.JNZ(LabelRef(label + "Half"))
	}
}

// blocks returns a function that emits the addresses of the blocks at an octet of offsets.
// It is called in order, because they are loaded two at a time.
func (b *pairedBatch) blocks(offsets Mem) func(key int) Mem {
	var second reg.GPVirtual
	return func(key int) Mem {
		if key%2 == 1 {
			b.fn.SHRQ(U8(32), second)
			return Mem{Base: b.body, Index: second, Scale: 1}
		}
		first := b.fn.GP64()
		second = b.fn.GP64()
		b.fn.MOVQ(offsets.Offset(4*key), second)
		b.fn.MOVL(second.As32(), first.As32())
		return Mem{Base: b.body, Index: first, Scale: 1}
	}
}

// loadPairs stores the numbers of the blocks that an octet's are paired with.
func (b *pairedBatch) loadPairs(ring reg.GPVirtual) {
	all, block := b.fn.GP64(), b.blocks(b.offsets.Idx(ring, 4))
	b.fn.MOVBLZX(block(0), all.As32())
	for key := 1; key < octet; key++ {
		b.fn.RORQ(U8(8), all)
		b.fn.MOVB(block(key), all.As8())
	}
	b.fn.RORQ(U8(8), all)
	b.fn.ANDQ(b.bytes, all)
	b.fn.MOVQ(all, b.pairs.Idx(ring, 1))
}

// next moves on by an octet. The last one takes in keys before it if there are
// not enough; steps beyond it take it again.
func (b *pairedBatch) next(hashes reg.GPVirtual) { b.nextOctet(hashes, b.lastOctet) }

func (b *pairedBatch) clamp(hashes reg.GPVirtual) { b.notBehind(hashes, b.lastOctet) }

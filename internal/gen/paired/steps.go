package paired

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/shared"
)

// prefetching selects the lines that a loop prefetches.
type prefetching int

const (
	nearLines prefetching = iota // to the first cache, if that is worth it
	farLines                     // from memory
	anyLines                     // either, as the distance says
)

// steps emits the steps before the queue.
func (b *batch) steps(e evaluator, label string, hashes, ahead, ring, distance reg.GPVirtual, quick bool, lines prefetching) {
	at := b.Fn.GP64()
	further := func(keys int) reg.GPVirtual {
		b.Fn.LEAQ(Mem{Base: ring, Disp: keys}, at)
		b.Fn.MOVBLZX(at.As8(), at.As32())
		return at
	}
	e.locate(Mem{Base: ahead}, b.offsets.Idx(further(locateAhead), 4))
	soonBlocks := func() func(key int) Mem { return b.blocks(b.offsets.Idx(further(pairsAhead+shared.Soon), 4)) }
	if lines != farLines {
		if lines == anyLines {
			b.Fn.TESTQ(distance, distance)
			b.Fn.JG(LabelRef(label + "Lines"))
		}
		if e.prefetchesNear() {
			b.Fn.CMPQ(b.Size, U32(firstCache))
			b.Fn.JBE(LabelRef(label + "Prefetched"))
			block := soonBlocks()
			for key := range shared.Octet {
				shared.FromCache(b.Fn, block(key)) // a second line is not worth it
			}
		}
		if lines == anyLines {
			b.Fn.JMP(LabelRef(label + "Prefetched"))
			b.Fn.Label(label + "Lines")
		}
	}
	if lines != nearLines {
		b.prefetchFar(label, ahead, distance, lines == anyLines)
		block := soonBlocks()
		for key := range shared.Octet {
			b.Both(shared.FromCache, block(key))
		}
	}
	b.Fn.Label(label + "Prefetched")
	b.next(ahead)
	b.loadPairs(further(pairsAhead))
	if quick {
		b.quick(e, label+"Round", ring, at)
		b.next(hashes)
		further(shared.Octet)
		e.prepare(Mem{Base: hashes}, b.offsets.Idx(at, 4), b.pairs.Idx(at, 1))
	}
	b.Fn.ADDQ(U8(shared.Octet), ring)
	b.Fn.MOVBLZX(ring.As8(), ring.As32())
}

// quick emits the quick test of an octet of keys.
func (b *batch) quick(e evaluator, label string, ring, at reg.GPVirtual) {
	test := func(ring reg.GPVirtual, shifted Mem) {
		e.quick(b.blocks(b.offsets.Idx(ring, 4)), shifted, b.masks.Idx(ring, uint8(e.Width())))
	}
	if e.round() == shared.Octet {
		test(ring, b.shifted)
		return
	}
	key := b.Fn.GP64()
	b.Fn.XORL(key.As32(), key.As32())
	b.Fn.Label(label)
	b.Fn.LEAQ(Mem{Base: ring, Index: key, Scale: 1}, at)
	test(at, b.shifted.Idx(key, 4))
	b.Fn.ADDQ(U8(uint8(e.round())), key)
	b.Fn.CMPQ(key, U8(shared.Octet))
	b.Fn.JB(LabelRef(label))
}

// prefetchFar prefetches the own lines of the octet that is the distance further ahead: all
// in a row or, with half the code, in two halves.
func (b *batch) prefetchFar(label string, ahead, distance reg.GPVirtual, halves bool) {
	hashes, keys := Mem{Base: ahead, Index: distance, Scale: shared.HashBytes}, shared.Octet
	at, half := b.Fn.GP64(), b.Fn.GP32()
	if halves {
		keys /= 2
		b.Fn.LEAQ(hashes, at)
		hashes = Mem{Base: at}
		b.Fn.MOVL(U32(2), half)
		b.Fn.Label(label + "Half")
	}
	for key := range keys {
		b.Both(shared.FromMemory, b.Block(hashes.Offset(shared.HashBytes*key)))
	}
	if halves {
		b.Fn.ADDQ(U8(shared.HashBytes*shared.Octet/2), at)
		b.Fn.DECL(half)
		b.Fn.JNZ(LabelRef(label + "Half"))
	}
}

// blocks returns a function that emits the addresses of the blocks at an octet of offsets.
// It is called in order, because they are loaded two at a time.
func (b *batch) blocks(offsets Mem) func(key int) Mem {
	var second reg.GPVirtual
	return func(key int) Mem {
		if key%2 == 1 {
			b.Fn.SHRQ(U8(32), second)
			return Mem{Base: b.Body, Index: second, Scale: 1}
		}
		first := b.Fn.GP64()
		second = b.Fn.GP64()
		b.Fn.MOVQ(offsets.Offset(4*key), second)
		b.Fn.MOVL(second.As32(), first.As32())
		return Mem{Base: b.Body, Index: first, Scale: 1}
	}
}

// loadPairs stores the numbers of the blocks that an octet's are paired with.
func (b *batch) loadPairs(ring reg.GPVirtual) {
	all, block := b.Fn.GP64(), b.blocks(b.offsets.Idx(ring, 4))
	b.Fn.MOVBLZX(block(0), all.As32())
	for key := 1; key < shared.Octet; key++ {
		b.Fn.RORQ(U8(8), all)
		b.Fn.MOVB(block(key), all.As8())
	}
	b.Fn.RORQ(U8(8), all)
	b.Fn.ANDQ(b.bytes, all)
	b.Fn.MOVQ(all, b.pairs.Idx(ring, 1))
}

// next moves on by an octet. The last one takes in keys before it if there are
// not enough; steps beyond it take it again.
func (b *batch) next(hashes reg.GPVirtual) { b.NextOctet(hashes, b.lastOctet) }

func (b *batch) clamp(hashes reg.GPVirtual) { b.NotBehind(hashes, b.lastOctet) }

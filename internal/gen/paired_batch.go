package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
)

// A key of a paired filter has its bits in two blocks; the first byte of its own has the
// number of the other. The kernels look keys up in steps. Each step takes an octet of keys
// at a time, some octets ahead of the next step, so that none waits for memory or for a
// recent store:
//
//	locate      the offsets of the keys' own blocks
//	loadPairs   the numbers of their pairs
//	prepare,    whether the own block has its half of the key's bits, but for those
//	quick       of them that lie in the block's first byte
//	queue       the survivors, 64 keys later
//	locateBoth  the blocks of survivors, the lower numbered and the higher
//	exact       all of their bits, in both blocks
//
// If direct, they leave the quick test out: all keys survive.
const (
	pairedChunk = 2048 // keys in a call, at most: nearChunk of package asm
	ringKeys    = 256  // of the steps before the queue; a byte numbers them
	queueKeys   = 512  // half of the queue is moved down when it has been answered
	bothKeys    = 128  // between locateBoth and exact

	firstCache = 32 << 10 // of every processor, at least

	pairsAhead  = 2 * octet // of quick; measured, as is the next
	locateAhead = wordKeys
	// How far exact is behind locateBoth: stores must have reached the cache, and
	// far blocks must have come.
	exactBehind, exactFarBehind = 2 * octet, 12 * octet
)

// A pairedBatch has what the batch kernels of paired filters share.
type pairedBatch struct {
	*batch
	filter reg.Register

	// Arguments.
	hitBits, hitBools, firstHash, count, distance, direct Mem

	// On the stack, at cache lines: a byte for each key's answer; rings of offsets,
	// pairs and masks of primary blocks; the queue, and a ring of the blocks of the
	// keys in it.
	found                                    Mem
	offsets, pairs, masks, shifted           Mem
	queueNumbers, queuePairs, queueHashes    Mem
	lower, higher                            Mem
	tail, located, answered                  Mem // keys in the queue, up to the step
	word, draining, behind, lastOctet, bytes Mem
}

func newPairedBatch(f *kernel.File, level kernel.Level, name string) *pairedBatch {
	fn := f.Function(level, name,
		"func(f *Paired, hashes *uint64, bits *uint64, bools *bool, n, ahead int, direct bool) (found int)",
		name+" answers n hashes, 8 to 2048, in bits, whole words of them, or in bools. The other",
		"pointer is nil. If ahead is above 0, it prefetches own lines ahead+64 hashes ahead, and there are n+ahead",
		"hashes. If ahead is not 0, it prefetches the other lines. If direct, it tests both blocks of every key",
		"without a test of the own block first. It returns how many it found.")
	param := func(name string) Mem { return fn.Address(fn.Param(name)) }
	b := &pairedBatch{
		batch:   &batch{Function: fn, body: fn.GP64(), size: fn.GP64(), probes: fn.GP64(), multipliers: fn.GP64()},
		filter:  fn.Load(fn.Param("f"), fn.GP64()),
		hitBits: param("bits"), hitBools: param("bools"), firstHash: param("hashes"),
		count: param("n"), distance: param("ahead"), direct: param("direct"),
	}
	switch {
	case queueKeys/2%bothKeys != 0, // moving down leaves the others where they are
		queueKeys/2+exactFarBehind+octet+wordKeys > queueKeys,
		exactFarBehind+octet > bothKeys,
		2*wordKeys+pairsAhead > ringKeys,
		pairsAhead < octet, locateAhead < pairsAhead+soon:
		panic("the steps do not fit the room") // a mistake in the generator
	}
	lines, room := fn.GP64(), 0
	for _, array := range []struct {
		at    *Mem
		bytes int
	}{
		{&b.found, pairedChunk + octet},
		{&b.offsets, 4 * ringKeys},
		{&b.pairs, ringKeys},
		{&b.masks, 2 * ringKeys},
		{&b.shifted, 4 * octet},
		{&b.queueNumbers, 2 * (queueKeys + wordKeys)},
		{&b.queuePairs, queueKeys + wordKeys},
		{&b.queueHashes, hashBytes * (queueKeys + octet)},
		{&b.lower, 4 * bothKeys},
		{&b.higher, 4 * bothKeys},
	} {
		*array.at = Mem{Base: lines, Disp: room}
		room += (array.bytes + lineBytes - 1) &^ (lineBytes - 1)
	}
	fn.LEAQ(fn.AllocLocal(room+lineBytes).Offset(lineBytes-1), lines)
	fn.ANDQ(I8(-lineBytes), lines)
	for _, m := range []*Mem{
		&b.tail, &b.located, &b.answered, &b.word, &b.draining, &b.behind, &b.lastOctet, &b.bytes,
	} {
		*m = fn.AllocLocal(8)
	}
	return b
}

func (b *pairedBatch) field(name string) Mem { return b.Field(b.filter, "Paired", name) }

// begin emits the code that all numbers of probes share.
func (b *pairedBatch) begin(v vectors) {
	b.MOVQ(b.field("body"), b.body)
	b.MOVQ(b.field("body").Offset(8), b.size)
	b.MOVQ(b.field("half"), b.probes)
	b.MOVQ(b.field("multipliers"), b.multipliers)
	for _, m := range []Mem{b.tail, b.located, b.answered, b.word, b.draining} {
		b.MOVQ(U32(0), m)
	}
	last, n, at := b.GP64(), b.GP64(), b.GP64()
	b.MOVQ(b.firstHash, last)
	b.MOVQ(b.count, n)
	b.LEAQ(Mem{Base: last, Index: n, Scale: hashBytes, Disp: -hashBytes * octet}, last)
	b.MOVQ(last, b.lastOctet)
	b.MOVL(b.field("numbers"), at.As32())
	b.IMULQ(b.Words("lowest", 0x0101010101010101), at)
	b.MOVQ(at, b.bytes)
	b.MOVQ(U32(exactBehind), b.behind)
	b.CMPQ(b.distance, U8(0))
	b.JE(LabelRef("near"))
	b.MOVQ(U32(exactFarBehind), b.behind)
	b.Label("near")
	b.XORL(at.As32(), at.As32())
	b.Label("nothing")
	v.zero(b.found.Idx(at, 1))
	b.ADDQ(U8(wordKeys), at)
	b.CMPQ(at, n)
	b.JB(LabelRef("nothing"))
}

// vectors emits what differs between levels but not between numbers of probes, 64
// bytes at a time.
type vectors interface {
	zero(to Mem)
	copy(from, to Mem)
	// word returns a bit for each byte, which are 0 or 1.
	word(from Mem) reg.GPVirtual
}

// pairedEvaluator emits the steps of an octet of keys.
type pairedEvaluator interface {
	vectors
	locate(hashes, to Mem)
	prepare(hashes, offsets, pairs Mem)
	// quick stores width bytes for each key, which are all ones if it survives.
	quick(block func(key int) Mem, to Mem)
	width() int
	// prefetchesNear reports whether to prefetch lines that are in a cache other
	// than the first.
	prefetchesNear() bool
	// survivors turns the masks of 64 keys into a word.
	survivors(masks Mem) reg.GPVirtual
	// queue appends the survivors to the queue, given the first key's number, and
	// changes all of its registers.
	queue(word, first, hashes reg.GPVirtual, pairs Mem)
	locateBoth(hashes, pairs, lower, higher Mem)
	// exact calls answer with bytes of 1 or 0 for the keys from the first on, at
	// the given distance in bytes.
	exact(hashes Mem, lower, higher func(key int) Mem, answer func(first int, found reg.GPVirtual, stride int))
}

// loops emits all steps for one number of probes.
func (b *pairedBatch) loops(label string, e pairedEvaluator) {
	to := func(name string) LabelRef { return LabelRef(label + name) }
	hashes, ahead, ring := b.GP64(), b.GP64(), b.GP64() // of quick, of locate, of quick
	b.MOVQ(b.firstHash, hashes)
	b.MOVQ(hashes, ahead)
	b.XORL(ring.As32(), ring.As32())
	b.Comment("Locate the blocks of the first hashes, and load the numbers of their pairs.")
	b.Label(label + "First")
	e.locate(Mem{Base: ahead}, b.offsets.Idx(ring, 4))
	b.next(ahead)
	b.ADDQ(U8(octet), ring)
	b.CMPQ(ring, U8(locateAhead))
	b.JB(to("First"))
	b.XORL(ring.As32(), ring.As32())
	b.Label(label + "FirstPairs")
	b.loadPairs(ring)
	b.ADDQ(U8(octet), ring)
	b.CMPQ(ring, U8(pairsAhead))
	b.JB(to("FirstPairs"))
	b.XORL(ring.As32(), ring.As32())

	// 64 keys, or what is left.
	b.Label(label + "Word")
	octets, most := b.GP64(), b.GP64()
	b.MOVQ(b.count, octets)
	b.SUBQ(b.word, octets)
	b.JBE(to("Survivors"))
	b.ADDQ(U8(octet-1), octets)
	b.SHRQ(U8(3), octets)
	b.MOVQ(U32(wordKeys/octet), most)
	b.CMPQ(octets, most)
	b.CMOVQHI(most, octets)
	distance := b.GP64()
	b.MOVQ(b.distance, distance)
	b.CMPB(b.direct, U8(0))
	b.JNE(to("Directly"))
	e.prepare(Mem{Base: hashes}, b.offsets.Idx(ring, 4), b.pairs.Idx(ring, 1))
	b.TESTQ(distance, distance)
	b.JG(to("QuickFar"))
	loop := func(name string, quick bool, far prefetching) {
		b.Label(label + name)
		b.steps(e, label+name, hashes, ahead, ring, distance, quick, far)
		b.DECQ(octets)
		b.JNZ(to(name))
		b.JMP(to("Survivors"))
	}
	b.Comment("Eight hashes at a time, in a cache: the quick test.")
	loop("Quick", true, nearLines)
	b.Comment("The same, prefetching lines from memory.")
	loop("QuickFar", true, farLines)
	b.Comment("Eight hashes at a time, none of which is tested before the exact test.")
	b.Label(label + "Directly")
	loop("Direct", false, anyLines)

	b.Comment("Queue the survivors of the 64 hashes before, whose masks are in the cache by now.")
	b.Label(label + "Survivors")
	first, start, from, survivors := b.GP64(), b.GP64(), b.GP64(), b.GP64()
	b.MOVQ(b.word, first)
	b.ADDQ(U8(wordKeys), b.word)
	b.SUBQ(U8(wordKeys), first)
	b.JB(to("Word"))
	b.MOVBLZX(first.As8(), start.As32())
	b.MOVQ(I32(-1), survivors)
	b.CMPB(b.direct, U8(0))
	b.JNE(to("AllSurvive"))
	b.MOVQ(e.survivors(b.masks.Idx(start, uint8(e.width()))), survivors)
	b.Label(label + "AllSurvive")
	b.MOVQ(b.count, reg.RCX)
	b.SUBQ(first, reg.RCX)
	b.CMPQ(reg.RCX, U8(wordKeys-octet))
	b.JA(to("WholeWord"))
	b.ADDQ(U8(octet-1), reg.RCX)
	b.ANDQ(I8(-octet), reg.RCX)
	b.MOVQ(I32(-1), from)
	b.SHLQ(reg.CL, from)
	b.NOTQ(from)
	b.ANDQ(from, survivors)
	b.Label(label + "WholeWord")
	b.TESTQ(survivors, survivors)
	b.JZ(to("NoMore"))
	b.MOVQ(b.firstHash, from)
	b.LEAQ(Mem{Base: from, Index: first, Scale: hashBytes}, from)
	b.clamp(from)
	e.queue(survivors, first, from, b.pairs.Idx(start, 1))

	b.Comment("Locate both blocks of eight survivors.")
	b.Label(label + "Both")
	queued, end, at := b.GP64(), b.GP64(), b.GP64()
	b.MOVQ(b.located, queued)
	b.LEAQ(Mem{Base: queued, Disp: octet}, end)
	b.CMPQ(end, b.tail)
	b.JA(to("NoMore"))
	b.MOVQ(end, b.located)
	b.MOVQ(queued, at)
	b.ANDL(U32(bothKeys-1), at.As32())
	e.locateBoth(b.queueHashes.Idx(queued, hashBytes), b.queuePairs.Idx(queued, 1), b.lower.Idx(at, 4), b.higher.Idx(at, 4))
	b.CMPQ(b.distance, U8(0))
	b.JE(to("NoPrefetch"))
	for _, offsets := range []Mem{b.lower, b.higher} {
		block := b.blocks(offsets.Idx(at, 4))
		for key := range octet {
			b.both(b.PREFETCHT0, block(key))
		}
	}
	b.Label(label + "NoPrefetch")
	b.SUBQ(b.answered, end)
	b.CMPQ(end, b.behind)
	b.JBE(to("Both"))

	b.Comment("The exact test of eight survivors.")
	b.Label(label + "Exact")
	b.MOVQ(b.answered, queued)
	b.MOVQ(queued, at)
	b.ANDL(U32(bothKeys-1), at.As32())
	e.exact(b.queueHashes.Idx(queued, hashBytes), b.blocks(b.lower.Idx(at, 4)), b.blocks(b.higher.Idx(at, 4)),
		func(first int, found reg.GPVirtual, stride int) {
			number := b.GP64()
			for key := range octet / stride {
				if key > 0 {
					b.SHRQ(U8(uint8(8*stride)), found)
				}
				b.MOVWLZX(b.queueNumbers.Idx(queued, 2).Offset(2*(first+key)), number.As32())
				b.MOVB(found.As8(), b.found.Idx(number, 1))
			}
		})
	b.ADDQ(U8(octet), b.answered)
	b.JMP(to("Both"))

	b.Comment("No eight survivors are left: move the queue down, or go on, or end.")
	b.Label(label + "NoMore")
	left := b.GP64()
	b.CMPQ(b.draining, U8(0))
	b.JNE(to("Draining"))
	b.MOVQ(b.word, left)
	b.SUBQ(U8(wordKeys), left)
	b.CMPQ(left, b.count)
	b.JAE(to("Drain"))
	b.CMPQ(b.answered, U32(queueKeys/2))
	b.JB(to("Word"))
	for _, queue := range []struct {
		of    Mem
		bytes int // of a key
	}{{b.queueNumbers, 2}, {b.queuePairs, 1}, {b.queueHashes, hashBytes}} {
		down, i := fmt.Sprint("Down", queue.bytes), b.GP64()
		b.XORL(i.As32(), i.As32())
		b.Label(label + down)
		e.copy(queue.of.Idx(i, 1).Offset(queueKeys/2*queue.bytes), queue.of.Idx(i, 1))
		b.ADDQ(U8(64), i)
		b.CMPQ(i, U32(uint32(queueKeys/2*queue.bytes)))
		b.JB(to(down))
	}
	for _, m := range []Mem{b.tail, b.located, b.answered} {
		b.SUBQ(U32(queueKeys/2), m)
	}
	b.JMP(to("Word"))

	b.Comment("Fill the last octet with keys whose answers are not read.")
	b.Label(label + "Drain")
	nobody := b.GP64()
	b.MOVQ(U32(1), b.draining)
	b.MOVQ(b.tail, left)
	b.MOVQ(U64(pairedChunk*0x0001000100010001), nobody)
	b.MOVQ(nobody, b.queueNumbers.Idx(left, 2))
	b.MOVQ(nobody, b.queueNumbers.Idx(left, 2).Offset(8))
	b.ADDQ(U8(octet-1), left)
	b.ANDQ(I8(-octet), left)
	b.MOVQ(left, b.tail)
	b.JMP(to("Both"))
	b.Label(label + "Draining")
	b.MOVQ(b.located, left)
	b.CMPQ(left, b.answered)
	b.JA(to("Exact"))
	b.JMP(LabelRef("answers"))
}

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
		"func(k *Kernel, hashes *uint64, bits *uint64, bools *bool, n, ahead int, direct bool) (found int)",
		name+" answers n hashes, 8 to 2048, in bits, whole words of them, or in bools. The other",
		"pointer is nil. If ahead is above 0, it prefetches own lines ahead+64 hashes ahead, and there are n+ahead",
		"hashes. If ahead is not 0, it prefetches the other lines. If direct, it tests both blocks of every key",
		"without a test of the own block first. It returns how many it found.")
	param := func(name string) Mem { return fn.Address(fn.Param(name)) }
	b := &pairedBatch{
		batch:   &batch{fn: fn, body: fn.GP64(), size: fn.GP64(), probes: fn.GP64(), multipliers: fn.GP64()},
		filter:  fn.Load(fn.Param("k"), fn.GP64()),
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
	lines, scratch := fn.GP64(), 0
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
		*array.at = Mem{Base: lines, Disp: scratch}
		scratch += (array.bytes + lineBytes - 1) &^ (lineBytes - 1)
	}
	fn.LEAQ(fn.AllocLocal(scratch+lineBytes).Offset(lineBytes-1), lines)
	fn.ANDQ(I8(-lineBytes), lines)
	for _, m := range []*Mem{
		&b.tail, &b.located, &b.answered, &b.word, &b.draining, &b.behind, &b.lastOctet, &b.bytes,
	} {
		*m = fn.AllocLocal(8)
	}
	return b
}

func (b *pairedBatch) field(name string) Mem { return b.fn.Field(b.filter, "Kernel", name) }

// begin emits the code that all numbers of probes share.
func (b *pairedBatch) begin(v vectors) {
	b.fn.MOVQ(b.field("body"), b.body)
	b.fn.MOVQ(b.field("body").Offset(8), b.size)
	b.fn.MOVQ(b.field("blockProbes"), b.probes)
	b.fn.MOVQ(b.field("multipliers"), b.multipliers)
	for _, m := range []Mem{b.tail, b.located, b.answered, b.word, b.draining} {
		b.fn.MOVQ(U32(0), m)
	}
	last, n, at := b.fn.GP64(), b.fn.GP64(), b.fn.GP64()
	b.fn.MOVQ(b.firstHash, last)
	b.fn.MOVQ(b.count, n)
	b.fn.LEAQ(Mem{Base: last, Index: n, Scale: hashBytes, Disp: -hashBytes * octet}, last)
	b.fn.MOVQ(last, b.lastOctet)
	b.fn.MOVL(b.field("numbers"), at.As32())
	b.fn.IMULQ(b.fn.Words("lowest", 0x0101010101010101), at)
	b.fn.MOVQ(at, b.bytes)
	b.fn.MOVQ(U32(exactBehind), b.behind)
	b.fn.CMPQ(b.distance, U8(0))
	b.fn.JE(LabelRef("near"))
	b.fn.MOVQ(U32(exactFarBehind), b.behind)
	b.fn.Label("near")
	b.fn.XORL(at.As32(), at.As32())
	b.fn.Label("nothing")
	v.zero(b.found.Idx(at, 1))
	b.fn.ADDQ(U8(wordKeys), at)
	b.fn.CMPQ(at, n)
	b.fn.JB(LabelRef("nothing"))
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
	hashes, ahead, ring := b.fn.GP64(), b.fn.GP64(), b.fn.GP64() // of quick, of locate, of quick
	b.fn.MOVQ(b.firstHash, hashes)
	b.fn.MOVQ(hashes, ahead)
	b.fn.XORL(ring.As32(), ring.As32())
	b.fn.Comment("Locate the blocks of the first hashes, and load the numbers of their pairs.")
	b.fn.Label(label + "First")
	e.locate(Mem{Base: ahead}, b.offsets.Idx(ring, 4))
	b.next(ahead)
	b.fn.ADDQ(U8(octet), ring)
	b.fn.CMPQ(ring, U8(locateAhead))
	b.fn.JB(to("First"))
	b.fn.XORL(ring.As32(), ring.As32())
	b.fn.Label(label + "FirstPairs")
	b.loadPairs(ring)
	b.fn.ADDQ(U8(octet), ring)
	b.fn.CMPQ(ring, U8(pairsAhead))
	b.fn.JB(to("FirstPairs"))
	b.fn.XORL(ring.As32(), ring.As32())

	// 64 keys, or what is left.
	b.fn.Label(label + "Word")
	octets, most := b.fn.GP64(), b.fn.GP64()
	b.fn.MOVQ(b.count, octets)
	b.fn.SUBQ(b.word, octets)
	b.fn.JBE(to("Survivors"))
	b.fn.ADDQ(U8(octet-1), octets)
	b.fn.SHRQ(U8(3), octets)
	b.fn.MOVQ(U32(wordKeys/octet), most)
	b.fn.CMPQ(octets, most)
	b.fn.CMOVQHI(most, octets)
	distance := b.fn.GP64()
	b.fn.MOVQ(b.distance, distance)
	b.fn.CMPB(b.direct, U8(0))
	b.fn.JNE(to("Directly"))
	e.prepare(Mem{Base: hashes}, b.offsets.Idx(ring, 4), b.pairs.Idx(ring, 1))
	b.fn.TESTQ(distance, distance)
	b.fn.JG(to("QuickFar"))
	loop := func(name string, quick bool, far prefetching) {
		b.fn.Label(label + name)
		b.steps(e, label+name, hashes, ahead, ring, distance, quick, far)
		b.fn.DECQ(octets)
		b.fn.JNZ(to(name))
		b.fn.JMP(to("Survivors"))
	}
	b.fn.Comment("Eight hashes at a time, in a cache: the quick test.")
	loop("Quick", true, nearLines)
	b.fn.Comment("The same, prefetching lines from memory.")
	loop("QuickFar", true, farLines)
	b.fn.Comment("Eight hashes at a time, none of which is tested before the exact test.")
	b.fn.Label(label + "Directly")
	loop("Direct", false, anyLines)

	b.fn.Comment("Queue the survivors of the 64 hashes before, whose masks are in the cache by now.")
	b.fn.Label(label + "Survivors")
	first, start, from, survivors := b.fn.GP64(), b.fn.GP64(), b.fn.GP64(), b.fn.GP64()
	b.fn.MOVQ(b.word, first)
	b.fn.ADDQ(U8(wordKeys), b.word)
	b.fn.SUBQ(U8(wordKeys), first)
	b.fn.JB(to("Word"))
	b.fn.MOVBLZX(first.As8(), start.As32())
	b.fn.MOVQ(I32(-1), survivors)
	b.fn.CMPB(b.direct, U8(0))
	b.fn.JNE(to("AllSurvive"))
	b.fn.MOVQ(e.survivors(b.masks.Idx(start, uint8(e.width()))), survivors)
	b.fn.Label(label + "AllSurvive")
	b.fn.MOVQ(b.count, reg.RCX)
	b.fn.SUBQ(first, reg.RCX)
	b.fn.CMPQ(reg.RCX, U8(wordKeys-octet))
	b.fn.JA(to("WholeWord"))
	b.fn.ADDQ(U8(octet-1), reg.RCX)
	b.fn.ANDQ(I8(-octet), reg.RCX)
	b.fn.MOVQ(I32(-1), from)
	b.fn.SHLQ(reg.CL, from)
	b.fn.NOTQ(from)
	b.fn.ANDQ(from, survivors)
	b.fn.Label(label + "WholeWord")
	b.fn.TESTQ(survivors, survivors)
	b.fn.JZ(to("NoMore"))
	b.fn.MOVQ(b.firstHash, from)
	b.fn.LEAQ(Mem{Base: from, Index: first, Scale: hashBytes}, from)
	b.clamp(from)
	e.queue(survivors, first, from, b.pairs.Idx(start, 1))

	b.fn.Comment("Locate both blocks of eight survivors.")
	b.fn.Label(label + "Both")
	queued, end, at := b.fn.GP64(), b.fn.GP64(), b.fn.GP64()
	b.fn.MOVQ(b.located, queued)
	b.fn.LEAQ(Mem{Base: queued, Disp: octet}, end)
	b.fn.CMPQ(end, b.tail)
	b.fn.JA(to("NoMore"))
	b.fn.MOVQ(end, b.located)
	b.fn.MOVQ(queued, at)
	b.fn.ANDL(U32(bothKeys-1), at.As32())
	e.locateBoth(b.queueHashes.Idx(queued, hashBytes), b.queuePairs.Idx(queued, 1), b.lower.Idx(at, 4), b.higher.Idx(at, 4))
	b.fn.CMPQ(b.distance, U8(0))
	b.fn.JE(to("NoPrefetch"))
	for _, offsets := range []Mem{b.lower, b.higher} {
		block := b.blocks(offsets.Idx(at, 4))
		for key := range octet {
			b.both(fromMemory, block(key))
		}
	}
	b.fn.Label(label + "NoPrefetch")
	b.fn.SUBQ(b.answered, end)
	b.fn.CMPQ(end, b.behind)
	b.fn.JBE(to("Both"))

	b.fn.Comment("The exact test of eight survivors.")
	b.fn.Label(label + "Exact")
	b.fn.MOVQ(b.answered, queued)
	b.fn.MOVQ(queued, at)
	b.fn.ANDL(U32(bothKeys-1), at.As32())
	e.exact(b.queueHashes.Idx(queued, hashBytes), b.blocks(b.lower.Idx(at, 4)), b.blocks(b.higher.Idx(at, 4)),
		func(first int, found reg.GPVirtual, stride int) {
			number := b.fn.GP64()
			for key := range octet / stride {
				if key > 0 {
					b.fn.SHRQ(U8(uint8(8*stride)), found)
				}
				b.fn.MOVWLZX(b.queueNumbers.Idx(queued, 2).Offset(2*(first+key)), number.As32())
				b.fn.MOVB(found.As8(), b.found.Idx(number, 1))
			}
		})
	b.fn.ADDQ(U8(octet), b.answered)
	b.fn.JMP(to("Both"))

	b.fn.Comment("No eight survivors are left: move the queue down, or go on, or end.")
	b.fn.Label(label + "NoMore")
	left := b.fn.GP64()
	b.fn.CMPQ(b.draining, U8(0))
	b.fn.JNE(to("Draining"))
	b.fn.MOVQ(b.word, left)
	b.fn.SUBQ(U8(wordKeys), left)
	b.fn.CMPQ(left, b.count)
	b.fn.JAE(to("Drain"))
	b.fn.CMPQ(b.answered, U32(queueKeys/2))
	b.fn.JB(to("Word"))
	for _, queue := range []struct {
		of    Mem
		bytes int // of a key
	}{{b.queueNumbers, 2}, {b.queuePairs, 1}, {b.queueHashes, hashBytes}} {
		down, i := fmt.Sprint("Down", queue.bytes), b.fn.GP64()
		b.fn.XORL(i.As32(), i.As32())
		b.fn.Label(label + down)
		e.copy(queue.of.Idx(i, 1).Offset(queueKeys/2*queue.bytes), queue.of.Idx(i, 1))
		b.fn.ADDQ(U8(64), i)
		b.fn.CMPQ(i, U32(uint32(queueKeys/2*queue.bytes)))
		b.fn.JB(to(down))
	}
	for _, m := range []Mem{b.tail, b.located, b.answered} {
		b.fn.SUBQ(U32(queueKeys/2), m)
	}
	b.fn.JMP(to("Word"))

	b.fn.Comment("Fill the last octet with keys whose answers are not read.")
	b.fn.Label(label + "Drain")
	nobody := b.fn.GP64()
	b.fn.MOVQ(U32(1), b.draining)
	b.fn.MOVQ(b.tail, left)
	b.fn.MOVQ(U64(pairedChunk*0x0001000100010001), nobody)
	b.fn.MOVQ(nobody, b.queueNumbers.Idx(left, 2))
	b.fn.MOVQ(nobody, b.queueNumbers.Idx(left, 2).Offset(8))
	b.fn.ADDQ(U8(octet-1), left)
	b.fn.ANDQ(I8(-octet), left)
	b.fn.MOVQ(left, b.tail)
	b.fn.JMP(to("Both"))
	b.fn.Label(label + "Draining")
	b.fn.MOVQ(b.located, left)
	b.fn.CMPQ(left, b.answered)
	b.fn.JA(to("Exact"))
	b.fn.JMP(LabelRef("answers"))
}

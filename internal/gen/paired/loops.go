package paired

import (
	"fmt"

	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/shared"
)

// A round emits all steps for one number of probes.
type round struct {
	*batch
	evaluator
	label               string
	hashes, ahead, ring reg.GPVirtual // of quick, of locate, of quick
	queued, end, at     reg.GPVirtual // in the queue
	left                reg.GPVirtual
}

// loops emits all steps for one number of probes.
func (b *batch) loops(label string, e evaluator) {
	l := &round{batch: b, evaluator: e, label: label, hashes: b.Fn.GP64(), ahead: b.Fn.GP64(), ring: b.Fn.GP64()}
	l.first()
	l.stepsOfWord()
	l.survivorsOfWord()
	l.locateQueued()
	l.testExactly()
	l.noMore()
	l.drain()
}

// to is a label of these loops.
func (l *round) to(name string) LabelRef { return LabelRef(l.label + name) }

// first emits the steps ahead of the first keys.
func (l *round) first() {
	b, ring, ahead := l.batch, l.ring, l.ahead
	b.Fn.MOVQ(b.firstHash, l.hashes)
	b.Fn.MOVQ(l.hashes, ahead)
	b.Fn.XORL(ring.As32(), ring.As32())
	b.Fn.Comment("Locate the blocks of the first hashes, and load the numbers of their pairs.")
	b.Fn.Label(l.label + "First")
	l.locate(Mem{Base: ahead}, b.offsets.Idx(ring, 4))
	b.next(ahead)
	b.Fn.ADDQ(U8(shared.Octet), ring)
	b.Fn.CMPQ(ring, U8(locateAhead))
	b.Fn.JB(l.to("First"))
	b.Fn.XORL(ring.As32(), ring.As32())
	b.Fn.Label(l.label + "FirstPairs")
	b.loadPairs(ring)
	b.Fn.ADDQ(U8(shared.Octet), ring)
	b.Fn.CMPQ(ring, U8(pairsAhead))
	b.Fn.JB(l.to("FirstPairs"))
	b.Fn.XORL(ring.As32(), ring.As32())
}

// stepsOfWord emits the steps before the queue of 64 keys, or of what is left.
func (l *round) stepsOfWord() {
	b := l.batch
	b.Fn.Label(l.label + "Word")
	octets, most := b.Fn.GP64(), b.Fn.GP64()
	b.Fn.MOVQ(b.count, octets)
	b.Fn.SUBQ(b.word, octets)
	b.Fn.JBE(l.to("Survivors"))
	b.Fn.ADDQ(U8(shared.Octet-1), octets)
	b.Fn.SHRQ(U8(3), octets)
	b.Fn.MOVQ(U32(shared.WordKeys/shared.Octet), most)
	b.Fn.CMPQ(octets, most)
	b.Fn.CMOVQHI(most, octets)
	distance := b.Fn.GP64()
	b.Fn.MOVQ(b.distance, distance)
	b.Fn.CMPB(b.direct, U8(0))
	b.Fn.JNE(l.to("Directly"))
	l.prepare(Mem{Base: l.hashes}, b.offsets.Idx(l.ring, 4), b.pairs.Idx(l.ring, 1))
	b.Fn.TESTQ(distance, distance)
	b.Fn.JG(l.to("QuickFar"))
	loop := func(name string, quick bool, far prefetching) {
		b.Fn.Label(l.label + name)
		b.steps(l.evaluator, l.label+name, l.hashes, l.ahead, l.ring, distance, quick, far)
		b.Fn.DECQ(octets)
		b.Fn.JNZ(l.to(name))
		b.Fn.JMP(l.to("Survivors"))
	}
	b.Fn.Comment("Eight hashes at a time, in a cache: the quick test.")
	loop("Quick", true, nearLines)
	b.Fn.Comment("The same, prefetching lines from memory.")
	loop("QuickFar", true, farLines)
	b.Fn.Comment("Eight hashes at a time, none of which is tested before the exact test.")
	b.Fn.Label(l.label + "Directly")
	loop("Direct", false, anyLines)
}

// survivorsOfWord queues the survivors of the 64 keys before.
func (l *round) survivorsOfWord() {
	b := l.batch
	b.Fn.Comment("Queue the survivors of the 64 hashes before, whose masks are in the cache by now.")
	b.Fn.Label(l.label + "Survivors")
	first, start, from, survivors := b.Fn.GP64(), b.Fn.GP64(), b.Fn.GP64(), b.Fn.GP64()
	b.Fn.MOVQ(b.word, first)
	b.Fn.ADDQ(U8(shared.WordKeys), b.word)
	b.Fn.SUBQ(U8(shared.WordKeys), first)
	b.Fn.JB(l.to("Word"))
	b.Fn.MOVBLZX(first.As8(), start.As32())
	b.Fn.MOVQ(I32(-1), survivors)
	b.Fn.CMPB(b.direct, U8(0))
	b.Fn.JNE(l.to("AllSurvive"))
	b.Fn.MOVQ(l.survivors(b.masks.Idx(start, uint8(l.Width()))), survivors)
	b.Fn.Label(l.label + "AllSurvive")
	b.Fn.MOVQ(b.count, reg.RCX)
	b.Fn.SUBQ(first, reg.RCX)
	b.Fn.CMPQ(reg.RCX, U8(shared.WordKeys-shared.Octet))
	b.Fn.JA(l.to("WholeWord"))
	b.Fn.ADDQ(U8(shared.Octet-1), reg.RCX)
	b.Fn.ANDQ(I8(-shared.Octet), reg.RCX)
	b.Fn.MOVQ(I32(-1), from)
	b.Fn.SHLQ(reg.CL, from)
	b.Fn.NOTQ(from)
	b.Fn.ANDQ(from, survivors)
	b.Fn.Label(l.label + "WholeWord")
	b.Fn.TESTQ(survivors, survivors)
	b.Fn.JZ(l.to("NoMore"))
	b.Fn.MOVQ(b.firstHash, from)
	b.Fn.LEAQ(Mem{Base: from, Index: first, Scale: shared.HashBytes}, from)
	b.clamp(from)
	l.queue(survivors, first, from, b.pairs.Idx(start, 1))
}

// locateQueued locates both blocks of eight keys in the queue.
func (l *round) locateQueued() {
	b := l.batch
	b.Fn.Comment("Locate both blocks of eight survivors.")
	b.Fn.Label(l.label + "Both")
	l.queued, l.end, l.at = b.Fn.GP64(), b.Fn.GP64(), b.Fn.GP64()
	queued, end, at := l.queued, l.end, l.at
	b.Fn.MOVQ(b.located, queued)
	b.Fn.LEAQ(Mem{Base: queued, Disp: shared.Octet}, end)
	b.Fn.CMPQ(end, b.tail)
	b.Fn.JA(l.to("NoMore"))
	b.Fn.MOVQ(end, b.located)
	b.Fn.MOVQ(queued, at)
	b.Fn.ANDL(U32(bothKeys-1), at.As32())
	l.locateBoth(b.queueHashes.Idx(queued, shared.HashBytes), b.queuePairs.Idx(queued, 1), b.lower.Idx(at, 4), b.higher.Idx(at, 4))
	b.Fn.CMPQ(b.distance, U8(0))
	b.Fn.JE(l.to("NoPrefetch"))
	for _, offsets := range []Mem{b.lower, b.higher} {
		block := b.blocks(offsets.Idx(at, 4))
		for key := range shared.Octet {
			b.Both(shared.FromMemory, block(key))
		}
	}
	b.Fn.Label(l.label + "NoPrefetch")
	b.Fn.SUBQ(b.answered, end)
	b.Fn.CMPQ(end, b.behind)
	b.Fn.JBE(l.to("Both"))
}

// testExactly answers eight keys in the queue.
func (l *round) testExactly() {
	b, queued, at := l.batch, l.queued, l.at
	b.Fn.Comment("The exact test of eight survivors.")
	b.Fn.Label(l.label + "Exact")
	b.Fn.MOVQ(b.answered, queued)
	b.Fn.MOVQ(queued, at)
	b.Fn.ANDL(U32(bothKeys-1), at.As32())
	b.Fn.Label(l.label + "ExactRound")
	l.exact(b.queueHashes.Idx(queued, shared.HashBytes), b.blocks(b.lower.Idx(at, 4)), b.blocks(b.higher.Idx(at, 4)),
		func(first int, found reg.GPVirtual, stride int) {
			number := b.Fn.GP64()
			for key := range shared.Octet / stride {
				if key > 0 {
					b.Fn.SHRQ(U8(uint8(8*stride)), found)
				}
				b.Fn.MOVWLZX(b.queueNumbers.Idx(queued, 2).Offset(2*(first+key)), number.As32())
				b.Fn.MOVB(found.As8(), b.found.Idx(number, 1))
			}
		})
	if l.round() < shared.Octet {
		b.Fn.ADDQ(U8(uint8(l.round())), queued)
		b.Fn.ADDQ(U8(uint8(l.round())), at)
		b.Fn.TESTQ(U32(shared.Octet-1), at)
		b.Fn.JNZ(l.to("ExactRound"))
	}
	b.Fn.ADDQ(U8(shared.Octet), b.answered)
	b.Fn.JMP(l.to("Both"))
}

// noMore goes on with the next 64 keys, and moves the queue down if half of it has been answered.
func (l *round) noMore() {
	b := l.batch
	b.Fn.Comment("No eight survivors are left: move the queue down, or go on, or end.")
	b.Fn.Label(l.label + "NoMore")
	l.left = b.Fn.GP64()
	left := l.left
	b.Fn.CMPQ(b.draining, U8(0))
	b.Fn.JNE(l.to("Draining"))
	b.Fn.MOVQ(b.word, left)
	b.Fn.SUBQ(U8(shared.WordKeys), left)
	b.Fn.CMPQ(left, b.count)
	b.Fn.JAE(l.to("Drain"))
	b.Fn.CMPQ(b.answered, U32(queueKeys/2))
	b.Fn.JB(l.to("Word"))
	for _, queue := range []struct {
		of    Mem
		bytes int // of a key
	}{{b.queueNumbers, 2}, {b.queuePairs, 1}, {b.queueHashes, shared.HashBytes}} {
		down, i := fmt.Sprint("Down", queue.bytes), b.Fn.GP64()
		b.Fn.XORL(i.As32(), i.As32())
		b.Fn.Label(l.label + down)
		l.copy(queue.of.Idx(i, 1).Offset(queueKeys/2*queue.bytes), queue.of.Idx(i, 1))
		b.Fn.ADDQ(U8(64), i)
		b.Fn.CMPQ(i, U32(uint32(queueKeys/2*queue.bytes)))
		b.Fn.JB(l.to(down))
	}
	for _, m := range []Mem{b.tail, b.located, b.answered} {
		b.Fn.SUBQ(U32(queueKeys/2), m)
	}
	b.Fn.JMP(l.to("Word"))
}

// drain answers the last keys in the queue.
func (l *round) drain() {
	b, left := l.batch, l.left
	b.Fn.Comment("Fill the last octet with keys whose answers are not read.")
	b.Fn.Label(l.label + "Drain")
	nobody := b.Fn.GP64()
	b.Fn.MOVQ(U32(1), b.draining)
	b.Fn.MOVQ(b.tail, left)
	b.Fn.MOVQ(U64(pairedChunk*0x0001000100010001), nobody)
	b.Fn.MOVQ(nobody, b.queueNumbers.Idx(left, 2))
	b.Fn.MOVQ(nobody, b.queueNumbers.Idx(left, 2).Offset(8))
	b.Fn.ADDQ(U8(shared.Octet-1), left)
	b.Fn.ANDQ(I8(-shared.Octet), left)
	b.Fn.MOVQ(left, b.tail)
	b.Fn.JMP(l.to("Both"))
	b.Fn.Label(l.label + "Draining")
	b.Fn.MOVQ(b.located, left)
	b.Fn.CMPQ(left, b.answered)
	b.Fn.JA(l.to("Exact"))
	b.Fn.JMP(LabelRef("answers"))
}

package paired

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/blocks"
	"github.com/simdbloom/simdbloom/internal/gen/kernel"
	"github.com/simdbloom/simdbloom/internal/gen/shared"
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

	pairsAhead  = 2 * shared.Octet // of quick; measured, as is the next (processor not recorded)
	locateAhead = shared.WordKeys
	// How far exact is behind locateBoth: stores must have reached the cache, and
	// far blocks must have come.
	exactBehind, exactFarBehind = 2 * shared.Octet, 12 * shared.Octet
)

// A batch is shared by the batch kernels of paired filters.
type batch struct {
	*blocks.Batch
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

func newBatch(f *kernel.File, level kernel.Level, name string) *batch {
	fn := f.Function(level, name,
		"func(k *Kernel, hashes *uint64, bits *uint64, bools *bool, n, ahead int, direct bool) (found int)",
		name+" answers n hashes, 8 to 2048, in bits, whole words of them, or in bools. The other",
		"pointer is nil. If ahead is above 0, it prefetches own lines ahead+64 hashes ahead, and there are n+ahead",
		"hashes. If ahead is not 0, it prefetches the other lines. If direct, it tests both blocks of every key",
		"without a test of the own block first. It returns how many it found.")
	param := func(name string) Mem { return fn.Address(fn.Param(name)) }
	b := &batch{
		Batch:   &blocks.Batch{Fn: fn, Body: fn.GP64(), Size: fn.GP64(), Probes: fn.GP64(), Multipliers: fn.GP64()},
		filter:  fn.Load(fn.Param("k"), fn.GP64()),
		hitBits: param("bits"), hitBools: param("bools"), firstHash: param("hashes"),
		count: param("n"), distance: param("ahead"), direct: param("direct"),
	}
	switch {
	case queueKeys/2%bothKeys != 0, // moving down leaves the others where they are
		queueKeys/2+exactFarBehind+shared.Octet+shared.WordKeys > queueKeys,
		exactFarBehind+shared.Octet > bothKeys,
		2*shared.WordKeys+pairsAhead > ringKeys,
		pairsAhead < shared.Octet, locateAhead < pairsAhead+shared.Soon:
		panic("the steps do not fit the room") // a mistake in the generator
	}
	lines, scratch := fn.GP64(), 0
	for _, array := range []struct {
		at    *Mem
		bytes int
	}{
		{&b.found, pairedChunk + shared.Octet},
		{&b.offsets, 4 * ringKeys},
		{&b.pairs, ringKeys},
		{&b.masks, 2 * ringKeys},
		{&b.shifted, 4 * shared.Octet},
		{&b.queueNumbers, 2 * (queueKeys + shared.WordKeys)},
		{&b.queuePairs, queueKeys + shared.WordKeys},
		{&b.queueHashes, shared.HashBytes * (queueKeys + shared.Octet)},
		{&b.lower, 4 * bothKeys},
		{&b.higher, 4 * bothKeys},
	} {
		*array.at = Mem{Base: lines, Disp: scratch}
		scratch += (array.bytes + shared.LineBytes - 1) &^ (shared.LineBytes - 1)
	}
	shared.Room(fn, scratch, lines)
	for _, m := range []*Mem{
		&b.tail, &b.located, &b.answered, &b.word, &b.draining, &b.behind, &b.lastOctet, &b.bytes,
	} {
		*m = fn.AllocLocal(8)
	}
	return b
}

func (b *batch) field(name string) Mem { return b.Fn.Field(b.filter, "Kernel", name) }

// shape is a field of the filter's shape, whose address it loads.
func (b *batch) shape(name string) Mem { return shapeOf(b.Fn, b.field("own"))(name) }

// begin emits the code that all numbers of probes share.
func (b *batch) begin(v vectors) {
	b.Fn.MOVQ(b.field("body"), b.Body)
	b.Fn.MOVQ(b.field("body").Offset(8), b.Size)
	b.Fn.MOVQ(b.field("probes"), b.Probes)
	b.Fn.SHRQ(U8(1), b.Probes)
	b.Fn.MOVQ(b.field("multipliers"), b.Multipliers)
	for _, m := range []Mem{b.tail, b.located, b.answered, b.word, b.draining} {
		b.Fn.MOVQ(U32(0), m)
	}
	last, n, at := b.Fn.GP64(), b.Fn.GP64(), b.Fn.GP64()
	b.Fn.MOVQ(b.firstHash, last)
	b.Fn.MOVQ(b.count, n)
	b.Fn.LEAQ(Mem{Base: last, Index: n, Scale: shared.HashBytes, Disp: -shared.HashBytes * shared.Octet}, last)
	b.Fn.MOVQ(last, b.lastOctet)
	b.Fn.MOVL(b.shape("numbers"), at.As32())
	b.Fn.IMULQ(b.Fn.Words("lowest", 0x0101010101010101), at)
	b.Fn.MOVQ(at, b.bytes)
	b.Fn.MOVQ(U32(exactBehind), b.behind)
	b.Fn.CMPQ(b.distance, U8(0))
	b.Fn.JE(LabelRef("near"))
	b.Fn.MOVQ(U32(exactFarBehind), b.behind)
	b.Fn.Label("near")
	b.Fn.XORL(at.As32(), at.As32())
	b.Fn.Label("nothing")
	v.zero(b.found.Idx(at, 1))
	b.Fn.ADDQ(U8(shared.WordKeys), at)
	b.Fn.CMPQ(at, n)
	b.Fn.JB(LabelRef("nothing"))
}

// vectors emits the instructions that differ between levels but not between numbers of probes, 64
// bytes at a time.
type vectors interface {
	zero(to Mem)
	copy(from, to Mem)
	// word returns a bit for each byte, which are 0 or 1.
	word(from Mem) reg.GPVirtual
}

// evaluator emits the steps of an octet of keys.
type evaluator interface {
	vectors
	locate(hashes, to Mem)
	prepare(hashes, offsets, pairs Mem)
	// quick stores width bytes for each key of a round, which are all ones if it survives. shifted is what prepare
	// stored, if it did.
	quick(block func(key int) Mem, shifted, to Mem)
	Width() int
	// round returns how many keys quick and exact test.
	round() int
	// prefetchesNear reports whether to prefetch lines that are in a cache other
	// than the first.
	prefetchesNear() bool
	// survivors turns the masks of 64 keys into a word.
	survivors(masks Mem) reg.GPVirtual
	// queue appends the survivors to the queue, given the first key's number, and
	// changes all of its registers.
	queue(word, first, hashes reg.GPVirtual, pairs Mem)
	locateBoth(hashes, pairs, lower, higher Mem)
	// exact calls answer with bytes of 1 or 0 for the keys of a round from the first on, at
	// the given distance in bytes.
	exact(hashes Mem, lower, higher func(key int) Mem, answer func(first int, found reg.GPVirtual, stride int))
}

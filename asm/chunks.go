//go:build (amd64 || arm64) && !purego

package asm

import (
	"unsafe"

	"github.com/simdbloom/simdbloom/cpu"
)

// Assembly cannot be preempted. A call handles at most chunk hashes when lines come
// from memory: 20 microseconds with a page walk each, 30 with two lines a hash, and 55 if
// those straddle cache lines. It handles nearChunk when lines are cached, for which
// the kernels for paired filters have room, too. Page faults come on top.
const (
	chunk     = 1024
	nearChunk = 2048
)

// ahead is how far ahead lines are prefetched, in hashes, in bodies of farFrom
// bytes and more: to the second-level cache, and 16 ahead from there to the first.
// (NEON's kernels do it in one step, to the first, which was not measured.)
//
// Measured on Zen 4 (L2 1 MiB, L3 32 MiB) at k=6, huge pages, ns a key: without
// prefetching, to L2 only from 32 and from 96 ahead, and in both steps with 96:
//
//	 4 MiB   1.3   1.25  1.2   1.3
//	16 MiB   3.3   2.4   2.1   1.9
//	32 MiB   6.7   3.6   4.5   3.0
//	64 MiB   8.8   4.3   5.7   3.8
//	 1 GiB  11.5   5.8   8.1   5.9
//
// So the processor's own reordering is enough up to a few times L2. Prefetching in one
// step to L1 takes 8.0 at 1 GiB, because it takes fewer lines at once.
//
// Lookups in the order of the blocks lose: splitting the hashes into 64 to 4096 parts
// and bringing the answers back takes 8.9 at 1 GiB with huge pages, of which 4.4 are
// splitting and bringing back, and 9.8 with ordinary ones, where this takes 8.6.
const ahead = 96 // at least 16

// Sizes of bodies, in bytes, and of batches, from which something else is faster.
var (
	// Lines are prefetched in bodies of farFrom and more.
	farFrom int
	// Lines are prefetched while keys of 16 bytes are hashed in bodies of keysFarFrom and more.
	keysFarFrom int
	// The same of words.
	wordsFarFrom int
	// FastLocal lookups in AVX2 prefetch from here on, in batches that are long enough to do
	// it ahead.
	farFromAVX2 int
	// Lookups in Ribbon filters, where a key has four lines and more, prefetch from here on.
	ribbonFarFrom int
	// Batches in linear filters prefetch headers, too, in bodies of this size and more.
	headersFarFrom int
	// Adding prefetches lines in bodies of this size and more.
	addFarFrom int
	// The same in AVX2.
	addFarFromAVX2 int
	// The same of split blocks.
	splitAddFarFrom int
	// Lookups of one key in paired filters of up to this size test both blocks at once.
	pairedNear int
	// Most lines of bodies of this size and more are in no cache.
	memoryFrom int
	// The most keys that FastLocal's kernels for a few keys take in far bodies.
	fewMaxFar uint8
)

func init() {
	l2, last := cpu.Caches()
	setThresholds(l2, last, cpu.IsIntel())
}

// setThresholds chooses by the sizes of the caches, and by the vendor where AMD and Intel
// differ. The figures below are ns a key at k=6, of Zen 4 (L2 1 MiB, L3 32 MiB) and of
// Emerald Rapids (L2 2 MiB, L3 260 MiB, shared and slow).
func setThresholds(l2, last int, intel bool) {
	farFrom = 4 * l2
	memoryFrom = max(farFrom, last)
	// One key of a paired filter, where half of the keys are present, all are, and none is, takes 5.3 in 16 KiB
	// whatever they are, by both blocks at once. By the own block first it takes 15.9, 8.7 and 3.8: its answer
	// is unpredictable. At 1 MiB it takes 7.8, 7.4 and 6.8 instead of 17.0, 10.7 and 4.3, and at 2 MiB, by another
	// kernel, 11.1, 11.2 and 10.6 instead of 18.2, 13.5 and 5.7 (Emerald Rapids, AVX-512, 16 probes, minima).
	pairedNear = l2 / 2
	// AVX2 without prefetching takes 2.69, 3.05 and 3.25 at 2, 4 and 6 MiB on Intel, with it
	// 2.24, 2.32 and 2.40; on AMD 1.56, 1.83 and 3.0, with it 1.44, 1.46 and 1.6. AVX-512
	// has more lines under way at once.
	farFromAVX2 = l2
	// Ribbon's batches take 9.7 at 900 KB and 7 columns without prefetching, with it 7.7 (AVX2,
	// Zen 3, L2 512 KiB); at 260 KB both take the same.
	ribbonFarFrom = l2
	// Headers are a 65th of a body, so the second-level cache does not hold these. On Intel (AVX-512),
	// prefetching headers takes 4 % less at 256 MiB and 1 GiB, and up to 3 % less at 128 MiB. It takes the same at 64
	// MiB, and 2 to 6 % more at 16 and 32 MiB. Prefetching the first layer's lines together with their headers,
	// instead of the lines that keys are in, takes 1 to 9 % more at all these sizes. In AVX2, prefetching headers
	// takes 1 to 2 % less at 256 MiB.
	headersFarFrom = 64 * l2
	// On Intel, 16 and 32 keys a call take 13.5 at 1 GiB with the kernels for a few, and
	// 15.5 and 14.9 otherwise; 64 take 13.7 and 14.75. On AMD, 16, 24, 32 and 64 take 8.0, 6.9,
	// 6.7 and 6.8 at 32 MiB, and 8.4 to 11.6, 7.4 to 8.4, 6.4 to 6.8 and 4.7 otherwise.
	//
	// On Intel, adding without prefetching takes 2.0, 3.2 and 3.7 at 1, 2 and 4 MiB, with it
	// 2.0, 2.3 and 2.2; at 1 MiB, beside a busy neighbour, 4.1 and 3.3. On AMD, building takes
	// 2.4 at 1 MiB without and 2.5 with it, 2.9 and 2.8 at 2 MiB; paired, 6.9 and 7.2 at 2 MiB.
	fewMaxFar, addFarFrom = 31, farFrom
	splitAddFarFrom = addFarFrom
	// AVX2's kernels prefetch to the first-level cache: .98 of the time otherwise at 64 KiB, .84 at 256 KiB, .8 at 1
	// MiB (Emerald Rapids).
	addFarFromAVX2 = 64 << 10
	// On Intel, prefetching takes .8 of the time at 1 and 2 MiB, and .84 at 4 MiB (Emerald Rapids). On AMD it was
	// not measured: there, as with hashes, it should pay where most lines are in no L2.
	keysFarFrom = l2
	// On Intel, this takes .88 and .8 of the time at 2 and 4 MiB, and 1.0 to 1.1 at 1 MiB.
	wordsFarFrom = l2
	if intel {
		fewMaxFar, addFarFrom, keysFarFrom = 64, l2/2, l2/2
		// Split blocks, on Sapphire Rapids (L2 2 MiB): 1.1 at 1 MiB without prefetching, 1.2 with it.
		splitAddFarFrom = l2
	}
}

// A batch is looked up in parts, for each of which a kernel is called: at least eight hashes unless there are fewer in
// all. Parts begin at multiples of 64.

// begin begins a batch, and reports whether lines are prefetched. Then it prefetches those of the first hashes.
func (k *Kernel) begin(hashes []uint64) (far bool) {
	if far = k.isFarFor(len(hashes)); far {
		k.prefetchFirst(hashes)
	}
	return far
}

// prefetchFirst prefetches the lines of the first hashes, which the kernels expect.
func (k *Kernel) prefetchFirst(hashes []uint64) {
	k.prefetch(len(k.body), hashes[:min(ahead, len(hashes))], len(hashes) < 2*octet)
}

// part returns how many of the hashes that are left the next part has, and how far ahead the kernel prefetches lines.
// It prefetches those that no kernel does. (A structure of all that a part has would be in memory, which takes 30 ns a
// call; processor not recorded.)
func (k *Kernel) part(far bool, hashes []uint64) (n, distance int) {
	switch left := len(hashes); {
	case far && left >= ahead+64:
		return min(chunk, (left-ahead)&^63), ahead
	case far && left > ahead:
		k.prefetch(len(k.body), hashes[ahead:], false)
		return left, 0
	case left > nearChunk && left < nearChunk+octet:
		return nearChunk - 64, 0
	default:
		return min(nearChunk, left), 0
	}
}

// isFar reports whether the body is large enough for prefetching to pay.
func isFar(body []byte) bool { return len(body) >= farFrom }

// isFarForAdd reports whether lines are prefetched before keys are added.
func (k *Kernel) isFarForAdd() bool { return len(k.body) >= addFarFrom }

// isFarForAdd256 is isFarForAdd of kernels in AVX2 that add many.
func (k *Kernel) isFarForAdd256() bool { return len(k.body) >= addFarFromAVX2 }

// prefetch prefetches the lines of hashes, at least one, in the given number of the body's first
// bytes. Without any it prefetches lines that do not matter. Lines go to the second-level cache, or,
// if they are needed soon, to the first, which takes fewer at once: with 8 hashes a call, AVX2
// takes 3 % less at 32 MiB (Zen 4).
//
// The kernel reads the low half of each hash. From its high half on, that is the high half.
func (k *Kernel) prefetch(bytes int, hashes []uint64, soon bool) {
	halves := (*uint32)(unsafe.Add(unsafe.Pointer(&hashes[0]), k.blockHalf))
	prefetchLines(unsafe.SliceData(k.body), uint64(bytes), halves, len(hashes), soon)
}

// addedAtOnce returns how many of the given number of hashes a call of a kernel adds,
// so that at least an octet is left for the next call, or none.
func addedAtOnce(hashes int) int {
	if left := hashes - chunk; left > 0 && left < octet {
		return chunk - octet
	}
	return min(chunk, hashes)
}

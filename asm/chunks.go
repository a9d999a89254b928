//go:build (amd64 || arm64) && !purego

package asm

import "github.com/simdbloom/simdbloom/cpu"

// The most hashes in a call of assembly, which cannot be preempted: of chunk far away,
// which take 20 microseconds when every line comes from memory by way of a page walk,
// 30 if there are two for each, and 55 if those are across cache lines. (Page faults
// are beyond counting, and a body nearby that has never been used is far away once.)
// The kernels for paired filters have room for nearChunk.
const (
	chunk     = 1024
	nearChunk = 2048
)

const octet = 8 // keys, which are answered together: fewer are not for the kernels

// ahead is how far ahead lines are prefetched, in hashes, in bodies of farFrom
// bytes and more: to the second-level cache, and 16 ahead from there to the first.
// (NEON's kernels do it in one step, to the first. Nobody has measured that.)
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
// So up to some times L2 the processor's own reordering is enough. In one step to
// L1 1 GiB takes 8.0, because fewer lines can be under way to it.
//
// Asking in the order of the blocks instead, for which the hashes are split into
// 64 to 4096 parts and the answers brought back, loses: at 1 GiB it takes 8.9 with
// huge pages, of which 4.4 are splitting and bringing back, and 9.8 with ordinary
// ones, where this takes 8.6.
const ahead = 96 // at least 16

// farFrom is the size from which a body's lines are prefetched, memoryFrom that
// from which most of them are in no cache.
var farFrom, memoryFrom = func() (far, memory int) {
	l2, last := cpu.Caches()
	return 4 * l2, max(4*l2, last)
}()

// inChunks calls answer for stretches of the hashes that begin at multiples of 64,
// of eight hashes and more if there are as many, and prefetches what answer is not
// to.
func inChunks(body []byte, hashes []uint64, answer func(from, n, ahead int)) {
	from := 0
	if len(body) >= farFrom {
		prefetch(body, hashes[:min(ahead, len(hashes))])
		for len(hashes)-from >= ahead+64 {
			n := min(chunk, (len(hashes)-from-ahead)&^63)
			answer(from, n, ahead)
			from += n
		}
		if len(hashes)-from > ahead {
			prefetch(body, hashes[from+ahead:])
		}
	}
	for from < len(hashes) {
		n := min(nearChunk, len(hashes)-from)
		if left := len(hashes) - from - n; left > 0 && left < octet {
			n -= 64
		}
		answer(from, n, 0)
		from += n
	}
}

func prefetch(body []byte, hashes []uint64) {
	prefetchLines(&body[0], uint64(len(body)), &hashes[0], len(hashes))
}

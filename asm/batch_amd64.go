//go:build !purego

package asm

import (
	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/fallback"
)

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

// fewSizes returns how many sizes of batches, from eight keys on, are for the
// kernels for a few: up to 64 keys, or 15 if their lines are far, because more are
// better prefetched all at once (64 keys at 64 MiB: 6.2 ns each and not 9.3, 16
// 10.4 and not 10.6, but eight 14.5 and not 11.5).
func fewSizes(f form, bodyBytes int) int {
	switch {
	case f != form512:
		return 0
	case bodyBytes >= farFrom:
		return 15 - 7
	default:
		return 64 - 7
	}
}

// ContainsBatch is FastLocalContainsBatch.
func (f *FastLocal) ContainsBatch(hits, hashes []uint64) { fastLocalContainsFewBits(f, hits, hashes) }

// ContainsBools sets hits[i] to Contains(hashes[i]) for every hash.
func (f *FastLocal) ContainsBools(hits []bool, hashes []uint64) {
	fastLocalContainsFewBools(f, hits, hashes)
}

// containsBits is where fastLocalContainsFewBits goes on.
//
//lint:ignore U1000 fastlocal_amd64.s calls it
func containsBits(f *FastLocal, hits, hashes []uint64) {
	checkHits(hits, hashes)
	if f.form == formGeneric || len(hashes) == 0 {
		fallback.FastLocalContainsBatch(hits, f.body, f.probes, hashes)
		return
	}
	hits[(len(hashes)-1)/64] = 0 // the kernels write a byte for eight hashes
	inChunks(f.body, hashes, func(from, n, ahead int) {
		if f.wide(ahead) {
			fastLocalContainsBitsAVX512(f, &hits[from/64], &hashes[from], n, ahead)
		} else {
			fastLocalContainsBitsAVX2(f, &hits[from/64], &hashes[from], n, ahead)
		}
	})
}

// containsBools is where fastLocalContainsFewBools goes on.
//
//lint:ignore U1000 fastlocal_amd64.s calls it
func containsBools(f *FastLocal, hits []bool, hashes []uint64) {
	checkBools(hits, hashes)
	switch {
	case f.form == formGeneric:
		f.boolsOfBits(hits, hashes)
	case len(hashes) < octet:
		for i, hash := range hashes {
			hits[i] = f.Contains(hash)
		}
	default:
		inChunks(f.body, hashes, func(from, n, ahead int) {
			if f.wide(ahead) {
				fastLocalContainsBoolsAVX512(f, &hits[from], &hashes[from], n, ahead)
			} else {
				fastLocalContainsBoolsAVX2(f, &hits[from], &hashes[from], n, ahead)
			}
		})
	}
}

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

// wide reports whether AVX-512 is to be taken.
//
// While most lines come from memory, up to 16 probes are faster in AVX2: loading
// 32 bytes twice costs 2.8 ns at 32 MiB and 3.6 at 64 MiB where loading 64 at once
// takes 3.3 and 4.2 (Zen 4, k=6; at k=12 3.1 and 3.3, 3.3 and 4.3).
func (f *FastLocal) wide(ahead int) bool {
	return f.form == form512by32 || f.form >= form512 && (ahead == 0 || len(f.body) < memoryFrom)
}

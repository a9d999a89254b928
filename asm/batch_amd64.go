//go:build !purego

package asm

import (
	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/fallback"
)

const (
	// chunk is the most hashes in a call of assembly, which cannot be preempted:
	// 1024 of them take 30 microseconds when every line comes from memory by way
	// of a page walk.
	chunk = 1024

	// Bodies of more than farFrom bytes, which do not fit the second-level
	// cache, are prefetched, so many hashes ahead.
	farFrom = 1 << 20
	ahead   = 32
)

func fastLocalContainsBatch(hits []uint64, body []byte, probes int, hashes []uint64) {
	if cpu.Current() == cpu.Generic || len(hashes) == 0 {
		fallback.FastLocalContainsBatch(hits, body, probes, hashes)
		return
	}
	hits[(len(hashes)-1)/64] = 0 // a kernel writes a byte for eight hashes
	if len(body) > farFrom {
		prefetch(body, hashes[:min(ahead, len(hashes))])
		for len(hashes) >= ahead+64 {
			n := min(chunk, (len(hashes)-ahead)&^63)
			fastLocalContainsSome(hits, body, probes, hashes[:n], ahead)
			hits, hashes = hits[n/64:], hashes[n:]
		}
		if len(hashes) > ahead {
			prefetch(body, hashes[ahead:])
		}
	}
	for len(hashes) > 0 {
		n := min(chunk, len(hashes))
		fastLocalContainsSome(hits, body, probes, hashes[:n], 0)
		hits, hashes = hits[Words(n):], hashes[n:]
	}
}

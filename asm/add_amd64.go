//go:build !purego

package asm

import (
	"fmt"

	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/fallback"
)

const (
	countKeys   = 64      // hashes, of which the kernels count all or none
	mostCounted = 1 << 14 // in a call: 10 microseconds
)

// FastLocalAdd is fallback.FastLocalAdd.
func FastLocalAdd(body []byte, probes int, hashes []uint64) {
	f := NewFastLocal(body, probes)
	if f.form == formGeneric || len(hashes) < octet {
		fallback.FastLocalAdd(body, probes, hashes)
		return
	}
	far := len(body) >= farFrom
	for len(hashes) > 0 {
		n := addedAtOnce(len(hashes))
		if f.form >= form512 {
			fastLocalAddAVX512(&f, &hashes[0], n, far)
		} else {
			fastLocalAddAVX2(&f, &hashes[0], n, far)
		}
		hashes = hashes[n:]
	}
}

// PairedAdd is fallback.PairedAdd.
func PairedAdd(body []byte, batchBlocks, probes int, hashes []uint64) {
	f := NewPaired(body, batchBlocks, probes)
	if f.form == formGeneric || len(hashes) < octet {
		fallback.PairedAdd(body, batchBlocks, probes, hashes)
		return
	}
	far := len(body) >= farFrom
	for len(hashes) > 0 {
		n := addedAtOnce(len(hashes))
		if f.form >= form512 {
			pairedAddAVX512(&f, &hashes[0], n, far)
		} else {
			pairedAddAVX2(&f, &hashes[0], n, far)
		}
		hashes = hashes[n:]
	}
}

// addedAtOnce returns how many of so many hashes a kernel is called for, so that it is
// at least an octet the next time, too.
func addedAtOnce(hashes int) int {
	if left := hashes - chunk; left > 0 && left < octet {
		return chunk - octet
	}
	return min(chunk, hashes)
}

// count counts hashes as long as each has a count, and returns the others.
func count(counts []uint16, from, blocks uint32, hashes []uint64) []uint64 {
	level := cpu.Current()
	for level != cpu.Generic && len(hashes) >= countKeys && len(counts) > 0 {
		n, left := min(mostCounted, len(hashes)&^(countKeys-1)), 0
		if level == cpu.AVX512 {
			left = pairedCountAVX512(&counts[0], uint64(len(counts)), uint64(from), uint64(blocks), &hashes[0], n)
		} else {
			left = pairedCountAVX2(&counts[0], uint64(len(counts)), uint64(from), uint64(blocks), &hashes[0], n)
		}
		hashes = hashes[n-left:]
		if left > 0 {
			break
		}
	}
	return hashes
}

func partition(lists *OpenLists, before uint64, hashes []uint64) (taken, kept int) {
	if len(hashes) == 0 || cpu.Current() == cpu.Generic {
		return fallback.Partition(lists, before, hashes)
	}
	taken, dropped := partitionHashes(&lists[0], before, &hashes[0], len(hashes))
	if taken == 0 {
		panicList(ListOf(hashes[0]))
	}
	return taken, taken - dropped
}

//go:noinline
func panicList(list int) {
	panic(fmt.Sprintf("asm: list %d has no room", list))
}

func prefetchFirst(segment *Segment) { prefetchSegment(&segment[0]) }

//go:build !purego

package asm

import (
	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/fallback"
)

const (
	countKeys   = 64      // hashes, of which the kernels count all or none
	mostCounted = 1 << 14 // in a call: 10 microseconds
)

// PairedAdd is fallback.PairedAdd.
func PairedAdd(body []byte, batchBlocks, probes int, hashes []uint64) {
	k := NewPaired(body, batchBlocks, probes)
	if k.form == formGeneric || len(hashes) < octet {
		fallback.PairedAdd(body, batchBlocks, probes, hashes)
		return
	}
	k.raceAddAll(hashes)
	for len(hashes) > 0 {
		n := addedAtOnce(len(hashes))
		if k.form >= form512 {
			pairedAddAVX512(&k, &hashes[0], n, k.isFarForAdd())
		} else {
			pairedAddAVX2(&k, &hashes[0], n, k.isFarForAdd())
		}
		hashes = hashes[n:]
	}
}

// count counts hashes as long as each has a count, and returns the others.
func count(counts []uint16, from, blocks uint32, hashes []uint64) []uint64 {
	raceWrite(counts)
	raceRead(hashes)
	for cpu.Current() != cpu.Generic && len(hashes) >= countKeys && len(counts) > 0 {
		n := min(mostCounted, len(hashes)&^(countKeys-1))
		left := pairedCountAVX2(&counts[0], uint64(len(counts)), uint64(from), uint64(blocks), &hashes[0], n)
		hashes = hashes[n-left:]
		if left > 0 {
			break
		}
	}
	return hashes
}

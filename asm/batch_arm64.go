//go:build !purego

package asm

import "github.com/simdbloom/simdbloom/fallback"

// neonKeys are answered together by the kernels.
const neonKeys = 16

// ContainsBatch is FastLocalContainsBatch.
func (f *FastLocal) ContainsBatch(hits, hashes []uint64) {
	checkHits(hits, hashes)
	if f.form == formGeneric {
		fallback.FastLocalContainsBatch(hits, f.body, f.probes, hashes)
		return
	}
	whole := inSixteens(f.body, hits, hashes, func(from, n, ahead int) {
		fastLocalContainsBitsNEON(f, &hits[from/64], &hashes[from], n, ahead)
	})
	if whole < len(hashes) {
		var rest [1]uint64
		fallback.FastLocalContainsBatch(rest[:], f.body, f.probes, hashes[whole:])
		hits[whole/64] |= rest[0] << (whole % 64)
	}
}

// inSixteens calls answer for stretches of the hashes that begin at multiples of 64, all
// of them whole sixteens, and returns how many those are. The answers to the others are
// no so far.
func inSixteens(body []byte, hits, hashes []uint64, answer func(from, n, ahead int)) (whole int) {
	if len(hashes) > 0 {
		hits[(len(hashes)-1)/64] = 0 // kernels write two bytes for 16 hashes
	}
	whole = len(hashes) &^ (neonKeys - 1)
	if whole > 0 {
		inChunks(body, hashes[:whole], answer)
	}
	return whole
}

// ContainsBatch is PairedContainsBatch.
func (f *Paired) ContainsBatch(hits, hashes []uint64) {
	checkHits(hits, hashes)
	if f.form == formGeneric {
		fallback.PairedContainsBatch(hits, f.body, f.batchBlocks, f.probes, hashes)
		return
	}
	far := len(f.body) >= farFrom
	whole := inSixteens(f.body, hits, hashes, func(from, n, ahead int) {
		pairedContainsOwnNEON(f, &hits[from/64], &hashes[from], n, ahead)
		pairedContainsBothNEON(f, &hits[from/64], &hashes[from], Words(n), far)
	})
	if whole < len(hashes) {
		var rest [1]uint64
		fallback.PairedContainsBatch(rest[:], f.body, f.batchBlocks, f.probes, hashes[whole:])
		hits[whole/64] |= rest[0] << (whole % 64)
	}
}

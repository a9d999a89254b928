package asm

import "github.com/simdbloom/simdbloom/fallback"

// FastLocalContains is fallback.FastLocalContains. The body is whole blocks, at
// least one; probes are 1 to MaxProbes.
func FastLocalContains(body []byte, probes int, hash uint64) bool {
	checkFastLocal(body, probes)
	return fallback.FastLocalContains(body, probes, hash)
}

// FastLocalContainsBatch is fallback.FastLocalContainsBatch. hits has a bit for
// every hash; words beyond those are left alone.
func FastLocalContainsBatch(hits []uint64, body []byte, probes int, hashes []uint64) {
	checkFastLocal(body, probes)
	checkHits(hits, hashes)
	fallback.FastLocalContainsBatch(hits, body, probes, hashes)
}

// FastLocalAdd is fallback.FastLocalAdd.
func FastLocalAdd(body []byte, probes int, hashes []uint64) {
	checkFastLocal(body, probes)
	fallback.FastLocalAdd(body, probes, hashes)
}

func checkFastLocal(body []byte, probes int) {
	checkBody(body, BlockBytes)
	checkProbes(probes, 1)
}

package asm

import (
	"runtime"

	"github.com/simdbloom/simdbloom/fallback"
)

// NewFastLocal returns the filter with the given body, whole blocks, at least one,
// and the number of probes, 1 to MaxProbes.
func NewFastLocal(body []byte, probes int) Kernel {
	checkFastLocal(body, probes)
	row, form := multipliersOf(probes), formOf(probes)
	k := Kernel{
		body: body, eight: [8]uint32(row[:8]), format: FastLocal, form: form, probes: probes,
		fewMax: fewMaxOf(form, body), oneByOneMax: oneByOneMaxOf(FastLocal, form, body), multipliers: row, prefetchable: true,
		inlined: inlinedOf(FastLocal, form, body, probes),
	}
	k.use(&fastLocalFunctions)
	return k
}

func checkFastLocal(body []byte, probes int) {
	checkBody(body, BlockBytes)
	checkProbes(probes, 1)
}

// FastLocalAdd is [fallback.FastLocalAdd].
func FastLocalAdd(body []byte, probes int, hashes []uint64) {
	k := NewFastLocal(body, probes)
	k.AddFastLocal(hashes)
}

func fastLocalBitsInGo(k *Kernel, hashes, hits []uint64) {
	fallback.FastLocalContainsBatch(k.body, k.probes, hashes, hits)
	runtime.KeepAlive(k)
}

func fastLocalAddInGo(k *Kernel, hash uint64) { fallback.FastLocalAddKey(k.body, k.probes, hash) }

func fastLocalAddIfAbsentInGo(k *Kernel, hash uint64) bool {
	if fallback.FastLocalContains(k.body, k.probes, hash) {
		return false
	}
	fallback.FastLocalAddKey(k.body, k.probes, hash)
	return true
}

func sharedFastLocalContainsGo(k *Kernel, hash uint64) (_ uint64, found bool) {
	return 0, fallback.SharedFastLocalContains(k.words(), k.probes, hash)
}

func sharedFastLocalBitsInGo(k *Kernel, hashes, hits []uint64) {
	fallback.SharedFastLocalContainsBatch(k.words(), k.probes, hashes, hits)
}

func sharedFastLocalAdd(k *Kernel, hash uint64) {
	fallback.SharedFastLocalAdd(k.words(), k.probes, hash)
}

func sharedFastLocalAddIfAbsent(k *Kernel, hash uint64) bool {
	return fallback.SharedFastLocalAddIfAbsent(k.words(), k.probes, hash)
}

//go:build !purego

package asm

import (
	"github.com/simdbloom/simdbloom/fallback"
)

func widen(reciprocal uint64, hashes, wide []uint64) {
	whole := len(wide) &^ (octet - 1)
	if whole > 0 {
		legacyWiden(reciprocal, &hashes[0], &wide[0], whole)
	}
	fallback.LegacyWiden(reciprocal, hashes[whole:], wide[whole:])
}

// mostAddedProbes is the most that the kernel adds.
const mostAddedProbes = 16

func (k *Kernel) addLegacy(hashes []uint64) {
	if k.form == formGeneric || k.probes > mostAddedProbes || len(hashes) < octet {
		fallback.LegacyAdd(k.body, k.legacy().lines, k.probes, hashes)
		return
	}
	raceRead(hashes)
	far := k.isFarForAdd256()
	var buffer [chunk]uint64
	for len(hashes) > 0 {
		wide := buffer[:addedAtOnce(len(hashes))]
		widen(k.legacy().modulus.Reciprocal, hashes[:len(wide)], wide)
		legacyAddAVX2(k, &wide[0], len(wide), far)
		hashes = hashes[len(wide):]
	}
}

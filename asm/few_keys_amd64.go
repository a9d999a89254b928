//go:build !purego

package asm

import "github.com/simdbloom/simdbloom/cpu"

// mostOctetKeys is the most keys that one kernel hashes and looks up.
const mostOctetKeys = 64

// A keyTable has a function that hashes and looks up keys for each KeyHash up to XXPH3. OutsideHash's is for all
// others.
type keyTable [XXPH3 + 1]address

// The assembly files define these.
var (
	keyEntries, fastLocalKeyEntries, splitBlockKeyEntries    keyTable // of one key
	keysEntries, fastLocalKeysEntries, splitBlockKeysEntries keyTable // of 1 to 7 keys
)

// takesKeys sets the functions that look up keys. The race detector would not see what they read.
func (k *Kernel) takesKeys() {
	if !HashesKeys {
		return
	}
	one, few, by := &keyEntries, &keysEntries, k.keyHash
	if by > XXPH3 {
		by = OutsideHash
	}
	switch {
	case k.form == form512 && k.format == FastLocal:
		one, few = &fastLocalKeyEntries, &fastLocalKeysEntries
	case k.form == form512 && k.format == SplitBlock:
		one, few = &splitBlockKeyEntries, &splitBlockKeysEntries
	}
	k.keyEntry, k.keysEntry = one[by], few[by]
	if k.fewKeysMax = octet - 1; one != &keyEntries && by != OutsideHash {
		k.fewKeysMax = mostOctetKeys
	}
}

// containsEightInGo is containsKeysInGo of eight keys, which are a common batch: there it takes 1.1 times as long.
func containsEightInGo(k *Kernel, keys [][]byte, hits []bool) {
	level := cpu.Current()
	if k.keyHash == OutsideHash || level == cpu.Generic || len(hits) < octet {
		containsKeysInGo(k, keys, hits)
		return
	}
	var hashes [octet]uint64
	if hashOctets(k.keyHash, level, &hashes[0], &keys[0], octet, nil) != 0 {
		hashKeysInGo(k.keyHash, hashes[:], keys)
	}
	k.ContainsBools(hashes[:], hits)
}

// containsKeysLeft looks up the rest of a few keys, which begins with eight that kernels do not hash together.
func containsKeysLeft(k *Kernel, keys [][]byte, hits []bool) {
	var room [mostOctetKeys]uint64
	hashes := room[:len(keys)]
	HashKeys(k.keyHash, nil, hashes, keys)
	k.ContainsBools(hashes, hits)
}

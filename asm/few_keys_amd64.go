//go:build !purego

package asm

// mostOctetKeys is the most keys that one kernel hashes and looks up.
const mostOctetKeys = 64

// A keyTable has a function that hashes and looks up keys for each KeyHash up to XXPH3. OutsideHash's is for all others.
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

// containsKeysInGo is ContainsKeys of keys that assembly does not take. Eight, which are a common batch, take two calls less than
// other numbers.
func containsKeysInGo(k *Kernel, keys [][]byte, hits []bool) {
	if len(keys) == octet && len(hits) >= octet && k.keyHash != OutsideHash {
		var hashes [octet]uint64
		hashOctet(k.keyHash, &hashes, keys)
		k.ContainsBools(hashes[:], hits)
		return
	}
	k.containsManyKeys(keys, hits)
}

// containsKeysLeft looks up the rest of a few keys, which begins with eight that kernels do not hash together.
func containsKeysLeft(k *Kernel, keys [][]byte, hits []bool) {
	var room [mostOctetKeys]uint64
	hashes := room[:len(keys)]
	hashKeys(k.keyHash, hashes, keys)
	k.ContainsBools(hashes, hits)
}

//go:build !purego

package asm

import "unsafe"

// mostOctetKeys is the most keys that one kernel hashes and looks up.
const mostOctetKeys = 64

// A keyTable has a function that hashes and looks up keys for each KeyHash.
type keyTable [ByXXPH3 + 1]address

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
	one, few := &keyEntries, &keysEntries
	switch {
	case k.form == form512 && k.format == FastLocal:
		one, few = &fastLocalKeyEntries, &fastLocalKeysEntries
	case k.form == form512 && k.format == SplitBlock:
		one, few = &splitBlockKeyEntries, &splitBlockKeysEntries
	}
	k.keyEntry, k.keysEntry = one[k.keyHash], few[k.keyHash]
	if k.mostFewKeys = octet - 1; one != &keyEntries && k.keyHash != ByHasher {
		k.mostFewKeys = mostOctetKeys
	}
}

// containsKeysLeft looks up the rest of a few keys, which begins with eight that kernels do not hash together.
func containsKeysLeft(k *Kernel, keys *[]byte, hits *bool, n int) {
	var room [mostOctetKeys]uint64
	hashes, left := room[:n], unsafe.Slice(keys, n)
	if k.keyHash == ByXX64 {
		HashKeys(hashes, left)
	} else {
		HashKeysXXPH3(hashes, left)
	}
	k.ContainsBools(hashes, unsafe.Slice(hits, n))
}

package asm

import "unsafe"

// A KeyHash says how a Kernel hashes keys. For some hashes, short keys have assembly.
type KeyHash uint8

const (
	ByHasher KeyHash = iota // by calls
	ByXX64                  // assembly compares with these two
	ByXXPH3
)

// A Hasher is a key hash. It keeps no key.
type Hasher interface{ Sum64(key []byte) uint64 }

// HashKeys sets the hash of ContainsKey, which panics without one. The Hasher is that hash, too.
func (k *Kernel) HashKeys(by KeyHash, hasher Hasher) { k.keyHash, k.hasher, k.keysOf = by, hasher, nil }

// KeysOf sets the Kernel that looks up keys in place of this one.
func (k *Kernel) KeysOf(other *Kernel) { k.keyHash, k.hasher, k.keysOf = ByHasher, nil, other }

// containsKeyInGo is ContainsKey without assembly.
func containsKeyInGo(k *Kernel, key *byte, n int) (found bool) {
	if k.keysOf != nil {
		k = k.keysOf
	}
	if k.hasher == nil {
		notOpened(k, 0)
	}
	return k.Contains(k.hasher.Sum64(unsafe.Slice(key, n)))
}

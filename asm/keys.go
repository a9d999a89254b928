package asm

import "unsafe"

// A KeyHash says how a Kernel hashes keys. For some hashes, short keys have assembly.
type KeyHash uint8

const (
	ByHasher KeyHash = iota // by calls
	ByXX64                  // assembly compares with this
	ByXXPH3                 // and with this
)

// A hasher is a key hash. It keeps no key.
type hasher interface{ Sum64(key []byte) uint64 }

// HashBy sets the hash of ContainsKey, which panics without one. The hasher is that hash, too.
func (k *Kernel) HashBy(by KeyHash, hasher hasher) { k.keyHash, k.hasher, k.keysOf = by, hasher, nil }

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

package asm

import "unsafe"

// A KeyHash is the key hash of a Kernel. For some hashes, short keys have assembly.
type KeyHash uint8

const (
	ByHasher KeyHash = iota // by calls
	ByXX64                  // assembly compares with this
	ByXXPH3                 // and with this
)

// A hasher is a key hash. It keeps no key.
type hasher interface{ Sum64(key []byte) uint64 }

// HashBy sets the hash of ContainsKey, which panics without one. The hasher is that hash, too.
func (k *Kernel) HashBy(by KeyHash, hasher hasher) {
	k.keyHash, k.hasher, k.keysOf = by, hasher, nil
	k.fewKeys = fewKeys(k)
}

// KeysOf sets the Kernel that looks up keys in place of this one.
func (k *Kernel) KeysOf(other *Kernel) {
	k.keyHash, k.hasher, k.keysOf = ByHasher, nil, other
	k.fewKeys = 0
}

// ContainsFewKeys sets hits[i] to ContainsKey(keys[i]) for the first keys, and returns how many these are: none if no
// kernel takes this number of keys, or if hits is shorter.
func (k *Kernel) ContainsFewKeys(keys [][]byte, hits []bool) (done int) {
	if uint(len(keys)-octet) >= uint(k.fewKeys) {
		return 0
	}
	return containsFewKeys(k, keys, hits)
}

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

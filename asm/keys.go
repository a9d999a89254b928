package asm

import (
	"fmt"
	"unsafe"
)

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
	k.takesKeys()
}

// KeysOf sets the Kernel that looks up keys in place of this one.
func (k *Kernel) KeysOf(other *Kernel) {
	k.keyHash, k.hasher, k.keysOf = ByHasher, nil, other
	k.takesKeys()
}

// TakesFewKeys reports whether ContainsFewKeys takes this number of keys, which is one at least then.
func (k *Kernel) TakesFewKeys(n int) bool { return uint(n-1) < uint(k.mostFewKeys) }

// ContainsFewKeys sets hits[i] to ContainsKey(keys[i]) for every key. It panics if hits is shorter than keys, or if it does not take
// the number of keys.
func (k *Kernel) ContainsFewKeys(keys [][]byte, hits []bool) {
	_ = hits[len(keys)-1]
	containsFewKeys(k, unsafe.SliceData(keys), unsafe.SliceData(hits), len(keys)) // another check here would make it a call
}

// refuseFewKeys is where containsFewKeys ends with a number of keys that it does not take.
func refuseFewKeys(_ *Kernel, _ *[]byte, _ *bool, n int) {
	panic(fmt.Sprintf("asm: ContainsFewKeys does not take %d keys", n))
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

// AddKey is Add of a key's hash. Where it has no assembly, keys escape to the heap.
func (k *Kernel) AddKey(key []byte) {
	if HashesKeys {
		addKey(k, unsafe.SliceData(key), len(key))
	} else {
		addKeyInGo(k, unsafe.SliceData(key), len(key))
	}
}

// addKeyInGo is AddKey without assembly.
func addKeyInGo(k *Kernel, key *byte, n int) {
	if k.hasher == nil {
		notOpened(k, 0)
	}
	k.Add(k.hasher.Sum64(unsafe.Slice(key, n)))
}

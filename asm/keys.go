package asm

import (
	"unsafe"

	"github.com/cespare/xxhash/v2"

	"github.com/simdbloom/simdbloom/internal/hashing"
)

// A KeyHash is the key hash of a Kernel. For some hashes, short keys have assembly.
type KeyHash uint8

const (
	ByHasher     KeyHash = iota // by calls
	ByXX64                      // assembly compares with this
	ByXXPH3                     // and with this
	ByUnsigned32                // LevelDB's hash of 32 bits
	BySigned32                  // RocksDB's
)

// A hasher is a key hash. It keeps neither keys nor hits.
type hasher interface {
	Sum64(key []byte) uint64
	// ContainsKeys is k.ContainsKeys, for any number of keys. It may call that where there is assembly, for one to seven keys.
	ContainsKeys(k *Kernel, keys [][]byte, hits []bool)
}

// HashBy sets the hash that keys are looked up and added by. Without one, these panic. The hasher is the same hash.
func (k *Kernel) HashBy(by KeyHash, hasher hasher) {
	k.keyHash, k.hasher, k.keysOf = by, hasher, nil
	k.takesKeys()
}

// KeysOf sets the Kernel that looks up keys in place of this one.
func (k *Kernel) KeysOf(other *Kernel) {
	k.keyHash, k.hasher, k.keysOf = ByHasher, nil, other
	k.takesKeys()
}

// ContainsKeys sets hits[i] to ContainsKey(keys[i]) for every key. It panics if hits is shorter than keys. Where it has no
// assembly, keys and hits escape to the heap.
func (k *Kernel) ContainsKeys(keys [][]byte, hits []bool) {
	if HashesKeys {
		containsKeys(k, keys, hits)
	} else {
		k.containsManyKeys(keys, hits)
	}
}

// containsManyKeys is ContainsKeys without assembly.
func (k *Kernel) containsManyKeys(keys [][]byte, hits []bool) {
	if k.keysOf != nil {
		k = k.keysOf
	}
	if k.hasher == nil {
		notOpened(k, 0)
	}
	k.hasher.ContainsKeys(k, keys, hits)
}

// containsKeyInGo is ContainsKey without assembly.
func containsKeyInGo(k *Kernel, key *byte, n int) (found bool) {
	if k.keysOf != nil {
		k = k.keysOf
	}
	return k.Contains(k.sum(unsafe.Slice(key, n)))
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
	k.Add(k.sum(unsafe.Slice(key, n)))
}

// sum hashes a key in Go.
func (k *Kernel) sum(key []byte) uint64 {
	switch k.keyHash {
	case ByXX64:
		return xxhash.Sum64(key)
	case ByXXPH3:
		return hashing.XXPH3(key)
	case ByUnsigned32:
		return uint64(hashing.Unsigned32(key))
	case BySigned32:
		return uint64(hashing.Signed32(key))
	}
	if k.hasher == nil {
		notOpened(k, 0)
	}
	return k.hasher.Sum64(key)
}

package asm

import (
	"unsafe"

	"github.com/cespare/xxhash/v2"

	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/hashing"
)

// A KeyHash is a key hash. This is the only list of them: package keyhash names them.
type KeyHash uint8

const (
	OutsideHash KeyHash = iota // an [OutsideKeyHash]
	XX64                       // XXH64 with seed 0
	XXPH3                      // RocksDB's preview of XXH3
	LevelDB32                  // LevelDB's hash of 32 bits, zero-extended
	RocksDB32                  // RocksDB's: a key's last bytes are extended by their sign
)

// An OutsideKeyHash is a function of the user's own: it sets sums[i] to the hash of keys[i], and keeps neither.
type OutsideKeyHash func(sums []uint64, keys [][]byte)

// Sum64 returns a key's hash. It is not for OutsideHash.
func (by KeyHash) Sum64(key []byte) uint64 {
	switch by {
	case XX64:
		if hashing.XX64IsShort(len(key)) {
			return hashing.XX64Finish(hashing.XX64Rest(hashing.XX64First(key), key))
		}
		return xxhash.Sum64(key)
	case XXPH3:
		// A call less for the commonest lengths.
		switch n := len(key); {
		case n > 8 && n <= 16:
			return hashing.XXPH3Of16(key)
		case n > 16 && n <= 128:
			return hashing.XXPH3Of128(key)
		}
		return hashing.XXPH3(key)
	case LevelDB32:
		return uint64(hashing.Unsigned32(key))
	default:
		return uint64(hashing.Signed32(key))
	}
}

// hashKeysInGo is HashKeys in Go.
func hashKeysInGo(by KeyHash, hashes []uint64, keys [][]byte) {
	switch by {
	case XX64:
		fallback.HashKeys(hashes, keys)
	case XXPH3:
		fallback.HashKeysXXPH3(hashes, keys)
	default:
		fallback.HashKeys32(hashes, keys, by == RocksDB32)
	}
}

// HashBy sets the hash that keys are looked up and added by. Without one, these panic.
func (k *Kernel) HashBy(by KeyHash, outside OutsideKeyHash) {
	k.keyHash, k.outside = by, outside
	k.takesKeys()
}

// KeysOf sets the Kernel that looks up keys in place of this one, which contains every hash.
func (k *Kernel) KeysOf(other *Kernel) {
	k.keyHash, k.outside, k.own = OutsideHash, nil, unsafe.Pointer(other)
	k.takesKeys()
}

// LooksUpKeys reports whether this Kernel itself looks up keys.
func (k *Kernel) LooksUpKeys() bool { return !k.everything || k.own == nil }

// OfKeys returns the Kernel that looks up keys: this one, or another that KeysOf set.
func (k *Kernel) OfKeys() *Kernel {
	if !k.LooksUpKeys() {
		return (*Kernel)(k.own)
	}
	return k
}

// containsKeyInGo is ContainsKey without assembly.
func containsKeyInGo(k *Kernel, key *byte, n int) (found bool) {
	k = k.OfKeys()
	if k.keyHash != OutsideHash { // a call less than by k.sum
		return k.Contains(k.keyHash.Sum64(unsafe.Slice(key, n)))
	}
	return k.Contains(k.sum(unsafe.Slice(key, n)))
}

// addKeyInGo is AddKey without assembly.
func addKeyInGo(k *Kernel, key *byte, n int) {
	k.Add(k.sum(unsafe.Slice(key, n)))
}

// sum hashes a key in Go.
func (k *Kernel) sum(key []byte) uint64 {
	if k.keyHash != OutsideHash {
		return k.keyHash.Sum64(key)
	}
	var sum [1]uint64
	hashOutside(k.outside, sum[:], [][]byte{key})
	return sum[0]
}

// hashOutside hashes keys by a function of the user's own.
func hashOutside(by OutsideKeyHash, hashes []uint64, keys [][]byte) {
	if by == nil {
		notOpened(nil, 0)
	}
	by(hiddenSlice(hashes), hiddenSlice(keys))
}

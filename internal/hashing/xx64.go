package hashing

import (
	"encoding/binary"
	"math/bits"
)

// XX64 is XXH64 with seed 0. Of keys of one to three words it is
//
//	XX64Finish(XX64Rest(XX64First(key), key))
//
// (Specification: github.com/Cyan4973/xxHash, doc/xxhash_spec.md.) XXPH3 has the same constants.
const (
	prime64x1 = 0x9E3779B185EBCA87
	prime64x2 = 0xC2B2AE3D27D4EB4F
	prime64x3 = 0x165667B19E3779F9
	prime64x4 = 0x85EBCA77C2B2AE63
	prime64x5 = 0x27D4EB2F165667C5
)

// XX64Word is the hash of a key of 64 bits, given as the word that its bytes are in little-endian
// order.
func XX64Word(word uint64) uint64 { return XX64Finish(add(prime64x5+8, word)) }

// XX64Half is the hash of a key of 32 bits, given as XX64Word's is.
func XX64Half(word uint32) uint64 {
	sum := uint64(prime64x5+4) ^ uint64(word)*prime64x1
	return XX64Finish(bits.RotateLeft64(sum, 23)*prime64x2 + prime64x3)
}

// XX64IsShort reports whether a key of n bytes is one to three words. Other keys take more
// time here than in xxhash's assembly: they end in bytes to add one by one, or have
// stripes, from 32 bytes on.
func XX64IsShort(n int) bool { return n%8 == 0 && n >= 8 && n <= 24 }

// XX64First adds a short key's first word.
func XX64First(key []byte) uint64 {
	return add(prime64x5+uint64(len(key)), binary.LittleEndian.Uint64(key))
}

// XX64Rest adds its other words. (A loop costs up to half a nanosecond more.)
func XX64Rest(sum uint64, key []byte) uint64 {
	if len(key) > 8 {
		sum = add(sum, binary.LittleEndian.Uint64(key[8:]))
	}
	if len(key) > 16 {
		sum = add(sum, binary.LittleEndian.Uint64(key[16:]))
	}
	return sum
}

// XX64Finish is XXH64's avalanche.
func XX64Finish(sum uint64) uint64 {
	sum = (sum ^ sum>>33) * prime64x2
	sum = (sum ^ sum>>29) * prime64x3
	return sum ^ sum>>32
}

// add is XXH64's step for one word.
func add(sum, word uint64) uint64 {
	word = bits.RotateLeft64(word*prime64x2, 31) * prime64x1
	return bits.RotateLeft64(sum^word, 27)*prime64x1 + prime64x4
}

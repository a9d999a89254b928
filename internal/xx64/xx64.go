// Package xx64 is XXH64 with seed 0 of keys of half a word to three words, in pieces that the
// compiler inlines:
//
//	xx64.Finish(xx64.Rest(xx64.First(key), key))
//
// A call of a hash function takes longer than such a key's hash. (Specification:
// github.com/Cyan4973/xxHash, doc/xxhash_spec.md.)
package xx64

import (
	"encoding/binary"
	"math/bits"
)

// XXH64's constants.
const (
	Prime1 = 0x9E3779B185EBCA87
	Prime2 = 0xC2B2AE3D27D4EB4F
	Prime3 = 0x165667B19E3779F9
	Prime4 = 0x85EBCA77C2B2AE63
	Prime5 = 0x27D4EB2F165667C5
)

// Word is the hash of a key of 64 bits, given as the word that its bytes are in little-endian
// order.
func Word(word uint64) uint64 { return Finish(add(Prime5+8, word)) }

// Half is the hash of a key of 32 bits, given as Word's is.
func Half(word uint32) uint64 {
	sum := uint64(Prime5+4) ^ uint64(word)*Prime1
	return Finish(bits.RotateLeft64(sum, 23)*Prime2 + Prime3)
}

// IsShort reports whether a key of n bytes is one to three words. Other keys take more
// time here than in xxhash's assembly: they end in bytes to add one by one, or have
// stripes, from 32 bytes on.
func IsShort(n int) bool { return n%8 == 0 && n >= 8 && n <= 24 }

// First adds a short key's first word.
func First(key []byte) uint64 {
	return add(Prime5+uint64(len(key)), binary.LittleEndian.Uint64(key))
}

// Rest adds its other words. (A loop takes up to half a nanosecond more.)
func Rest(sum uint64, key []byte) uint64 {
	if len(key) > 8 {
		sum = add(sum, binary.LittleEndian.Uint64(key[8:]))
	}
	if len(key) > 16 {
		sum = add(sum, binary.LittleEndian.Uint64(key[16:]))
	}
	return sum
}

// Finish is XXH64's avalanche.
func Finish(sum uint64) uint64 {
	sum = (sum ^ sum>>33) * Prime2
	sum = (sum ^ sum>>29) * Prime3
	return sum ^ sum>>32
}

// add is XXH64's step for one word.
func add(sum, word uint64) uint64 {
	word = bits.RotateLeft64(word*Prime2, 31) * Prime1
	return bits.RotateLeft64(sum^word, 27)*Prime1 + Prime4
}

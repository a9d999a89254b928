package keyhash

import (
	"encoding/binary"
	"math/bits"

	"github.com/cespare/xxhash/v2"
)

// sumsXX64 is XXH64 with seed 0 of every key.
func sumsXX64(sums []uint64, keys [][]byte) {
	sums = sums[:len(keys)]
	for i, key := range keys {
		if fewWords(len(key)) {
			sums[i] = finish(addWords(key))
		} else {
			sums[i] = xxhash.Sum64(key)
		}
	}
}

// fewWords reports whether a key of n bytes is one to three words: they take less
// time here than a call of xxhash's assembly. Others take more: they end in bytes
// to add one by one, or have stripes, from 32 bytes on.
func fewWords(n int) bool { return n%8 == 0 && n >= 8 && n <= 24 }

// addWords is XXH64 of whole words, without stripes, before finish.
func addWords(key []byte) uint64 {
	sum := prime64x5 + uint64(len(key))
	for at := 0; at <= len(key)-8; at += 8 {
		word := binary.LittleEndian.Uint64(key[at:at+8]) * prime64x2
		sum = bits.RotateLeft64(sum^bits.RotateLeft64(word, 31)*prime64x1, 27)*prime64x1 + prime64x4
	}
	return sum
}

// finish is XXH64's avalanche.
func finish(sum uint64) uint64 {
	sum = (sum ^ sum>>33) * prime64x2
	sum = (sum ^ sum>>29) * prime64x3
	return sum ^ sum>>32
}

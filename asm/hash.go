package asm

import "github.com/simdbloom/simdbloom/fallback"

// HashUint64s is [fallback.HashUint64s]: XXH64 of words, which may be replaced by their hashes.
// It panics if hashes is shorter than words.
func HashUint64s(hashes, words []uint64) { hashUint64s(hashes[:len(words):len(hashes)], words) }

// HashUint32s is [fallback.HashUint32s]: XXH64 of words of 32 bits. It panics if hashes is shorter
// than words.
func HashUint32s(hashes []uint64, words []uint32) {
	hashUint32s(hashes[:len(words):len(hashes)], words)
}

// HashPairs is [fallback.HashPairs]: XXH64 of keys of 16 bytes, one behind the other. It panics if hashes is
// shorter than pairs.
func HashPairs(hashes []uint64, pairs [][16]byte) { hashPairs(hashes[:len(pairs):len(hashes)], pairs) }

// HashStrings is [fallback.HashStrings]: XXH64 of the bytes between one offset into the data and the next.
// It panics if there is not one offset more than there are hashes, or if offsets are decreasing or beyond the
// data, whenever they become so.
func HashStrings[O uint32 | uint64](hashes []uint64, offsets []O, data []byte) {
	fallback.CheckOffsets(len(hashes), len(offsets))
	hashStrings(hashes, offsets, data)
}

// HashSpans is [fallback.HashSpans]: XXH64 of the bytes of the data between the two places of each span. It panics if
// hashes is shorter than spans, or if a span has a negative length or is beyond the data, whenever it becomes so.
func HashSpans(hashes []uint64, spans [][2]uint32, data []byte) {
	hashSpans(hashes[:len(spans):len(hashes)], spans, data)
}

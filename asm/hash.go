package asm

// HashUint64s is [fallback.HashUint64s]: XXH64 of words, which may be replaced by their hashes.
// It panics if hashes is shorter than words.
func HashUint64s(hashes, words []uint64) { hashUint64s(hashes[:len(words):len(hashes)], words) }

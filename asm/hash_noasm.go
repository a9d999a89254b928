//go:build !amd64 || purego

package asm

import "github.com/simdbloom/simdbloom/fallback"

// NEON hashes no keys: it does not multiply integers of 64 bits. By bench/mca.md, XX64 of two keys of 16 bytes at a
// time would take 27 cycles a key on Neoverse N1, 23 on N2 and 13 on V2, where scalar code takes 24, 7 and 4.

func hashUint64s(hashes, words []uint64)          { fallback.HashUint64s(hashes, words) }
func hashUint32s(hashes []uint64, words []uint32) { fallback.HashUint32s(hashes, words) }

func hashPairs(hashes []uint64, pairs [][16]byte) { fallback.HashPairs(hashes, pairs) }

func hashStrings[O uint32 | uint64](hashes []uint64, offsets []O, data []byte) {
	fallback.HashStrings(hashes, offsets, data)
}

// HashesTogether reports whether kernels hash eight keys so much faster than one by one that it pays to copy them.
func HashesTogether() bool { return false }

func hashSpans(hashes []uint64, spans [][2]uint32, data []byte) {
	fallback.HashSpans(hashes, spans, data)
}

// HashKeys sets hashes[i] to the hash of keys[i]. It panics if hashes is shorter than keys. The two, and the
// keys' bytes, must not overlap in memory. OutsideHash calls the given function, and others ignore it.
//
// Keys that are scattered over memory are loaded many at a time.
func HashKeys(by KeyHash, outside OutsideKeyHash, hashes []uint64, keys [][]byte) {
	hashes = hashes[:len(keys):len(hashes)]
	if by == OutsideHash {
		hashOutside(outside, hashes, keys)
		return
	}
	for n := 0; len(keys) > 0; hashes, keys = hashes[n:], keys[n:] {
		n = min(together, len(keys))
		if scattered(keys[:n]) {
			touch(keys[:n])
		}
		hashKeysInGo(by, hashes[:n], keys[:n])
	}
}

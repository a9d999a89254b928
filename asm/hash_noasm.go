//go:build !amd64 || purego

package asm

import "github.com/simdbloom/simdbloom/fallback"

// NEON hashes no keys: it does not multiply integers of 64 bits. By bench/mca.md, XX64 of two keys of 16 bytes at a time would
// take 27 cycles a key on Neoverse N1, 23 on N2 and 13 on V2, where scalar code takes 24, 7 and 4.

func hashUint64s(hashes, words []uint64)          { fallback.HashUint64s(hashes, words) }
func hashUint32s(hashes []uint64, words []uint32) { fallback.HashUint32s(hashes, words) }

func hashStrings[O uint32 | uint64](hashes []uint64, offsets []O, data []byte) {
	fallback.HashStrings(hashes, offsets, data)
}

func hashKeys(by KeyHash, hashes []uint64, keys [][]byte) { hashKeysInGo(by, hashes, keys) }

//go:build !amd64 || purego

package asm

import "github.com/simdbloom/simdbloom/fallback"

func hashUint64s(hashes, words []uint64)          { fallback.HashUint64s(hashes, words) }
func hashUint32s(hashes []uint64, words []uint32) { fallback.HashUint32s(hashes, words) }

func hashStrings[O uint32 | uint64](hashes []uint64, offsets []O, data []byte) {
	fallback.HashStrings(hashes, offsets, data)
}

func hashKeys(hashes []uint64, keys [][]byte) { fallback.HashKeys(hashes, keys) }

func hashKeysXXPH3(hashes []uint64, keys [][]byte) { fallback.HashKeysXXPH3(hashes, keys) }

func hashKeys32(hashes []uint64, keys [][]byte, signed bool) {
	fallback.HashKeys32(hashes, keys, signed)
}

//go:build !amd64 || purego

package asm

import "github.com/simdbloom/simdbloom/fallback"

func hashUint64s(hashes, words []uint64) { fallback.HashUint64s(hashes, words) }

package policy

import (
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/internal/formats/rocksdb"
	"github.com/simdbloom/simdbloom/internal/hashing"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/legacy"
	"github.com/simdbloom/simdbloom/linear"
	"github.com/simdbloom/simdbloom/ribbon"
)

// The lookups of a key in bytes, one for each format and hash that databases use. Those in SplitBlock, in Paired, and
// in FastLocal with XX64, are functions of package asm. In usual filters and for short keys, Linear's calls only the
// kernel: two more calls would add a tenth to its time.

func linearXX64Contains(data, key []byte) bool {
	if hashing.XX64IsShort(len(key)) {
		return linear.MayContainHash(data, hashing.XX64Finish(hashing.XX64Rest(hashing.XX64First(key), key)))
	}
	return linear.MayContainHash(data, keyhash.XX64.Sum64(key))
}

func ribbonXX64Contains(data, key []byte) bool {
	return ribbon.MayContainHash(data, keyhash.XX64.Sum64(key))
}

// rocksDBContains looks up a key in a filter of RocksDB's tables, or Pebble's. These have filters of
// several formats under one name, so each such policy reads all of them.
func rocksDBContains(data, key []byte) bool {
	switch rocksdb.FormatOf(data) {
	case asm.FastLocal:
		return asm.FastLocalMayContainKeyXXPH3(data, key)
	case asm.Ribbon:
		return ribbon.MayContainHash(data, keyhash.XXPH3.Sum64(key))
	}
	return legacy.MayContain(data, key) // other formats may contain every key
}

// legacyContains is rocksDBContains, with a call less for legacy filters.
func legacyContains(data, key []byte) bool {
	if f, ok := asm.UsualLegacy(data); ok {
		return f.ContainsKey(key)
	}
	return rocksDBContains(data, key)
}

// rocksDBContainsHash looks up a hash in the filters of RocksDB's tables that have XXPH3, without
// another call for usual FastLocal ones.
func rocksDBContainsHash(data []byte, hash uint64) bool {
	if rocksdb.FormatOf(data) == asm.Ribbon {
		return ribbon.MayContainHash(data, hash)
	}
	return bloom.MayContainHash(data, hash)
}

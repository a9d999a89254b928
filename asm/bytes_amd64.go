//go:build !purego

package asm

import (
	"unsafe"

	"github.com/cespare/xxhash/v2"

	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/internal/hashing"
)

// FastLocalMayContain looks a hash up in any bytes, as RocksDB's readers of FastLocal filters do. Without
// bytes there is no key, and those that are not blocks and a trailer of five bytes may contain every key. Of a
// body that is not whole blocks, the part of a block at the end is unused.
func FastLocalMayContain(data []byte, hash uint64) bool {
	raceReadBlock(data)
	_, found := fastLocalMayContain(unsafe.SliceData(data), len(data), hash)
	return found
}

// LegacyMayContain looks a hash up in any bytes: in a legacy filter as builders write it on most machines,
// whose lines are blocks, or by the given function in others, which must not keep data.
func LegacyMayContain(data []byte, hash uint64, other func(data []byte, hash uint64) bool) bool {
	raceReadBlock(data)
	return legacyMayContain(unsafe.SliceData(data), len(data), hash, other)
}

// ContainsKey is Contains of a key by its 32-bit hash.
func (f legacyBytes) ContainsKey(key []byte) bool {
	raceReadKey(key)
	return legacyContainsKey(f.body, f.lines, f.probes, int(cpu.Current()), key)
}

// PairedMayContain looks a hash up in any bytes, as Speedb's readers of paired filters do. Without bytes there
// is no key, and those that are not batches and a trailer of four bytes may contain every key.
func PairedMayContain(data []byte, hash uint64) bool {
	raceReadBlock(data)
	_, found := pairedMayContain(unsafe.SliceData(data), len(data), hash)
	return found
}

// RibbonMayContain looks a hash up in any bytes: in a Ribbon filter's, segments and a trailer of five bytes, or
// by the given function in others, which must not keep data.
func RibbonMayContain(data []byte, hash uint64, other func(data []byte, hash uint64) bool) bool {
	raceReadBlock(data)
	return ribbonMayContain(unsafe.SliceData(data), len(data), hash, other)
}

// LinearMayContain looks a hash up in any bytes: in a linear filter's with a layer at least, or by the given
// function in others, which must not keep data.
func LinearMayContain(data []byte, hash uint64, other func(data []byte, hash uint64) bool) bool {
	raceReadBlock(data)
	return linearMayContain(unsafe.SliceData(data), len(data), hash, other)
}

// SplitBlockMayContain looks a hash up in any bytes, as Parquet's readers do. Without bytes there is no key,
// and those that are not whole blocks may contain every key.
func SplitBlockMayContain(data []byte, hash uint64) bool {
	raceReadBlock(data)
	_, found := splitBlockMayContain(unsafe.SliceData(data), len(data), hash)
	return found
}

// isShortXX64 and isShortXXPH3 report whether assembly hashes the key.
func isShortXX64(key []byte) bool  { return len(key) < 32 }
func isShortXXPH3(key []byte) bool { return uint(len(key)-4) <= 32-4 }

// FastLocalMayContainKey is FastLocalMayContain of a key by XX64.
func FastLocalMayContainKey(data, key []byte) bool {
	if !isShortXX64(key) {
		return FastLocalMayContain(data, xxhash.Sum64(key))
	}
	raceReadBlock(data)
	raceReadKey(key)
	return fastLocalMayContainKey(unsafe.SliceData(data), len(data), unsafe.SliceData(key), len(key))
}

// FastLocalMayContainKeyXXPH3 is FastLocalMayContain of a key by XXPH3.
func FastLocalMayContainKeyXXPH3(data, key []byte) bool {
	if !isShortXXPH3(key) {
		return FastLocalMayContain(data, hashing.XXPH3(key))
	}
	raceReadBlock(data)
	raceReadKey(key)
	return fastLocalMayContainKeyXXPH3(unsafe.SliceData(data), len(data), unsafe.SliceData(key), len(key))
}

// PairedMayContainKey is PairedMayContain of a key by XX64.
func PairedMayContainKey(data, key []byte) bool {
	if !isShortXX64(key) {
		return PairedMayContain(data, xxhash.Sum64(key))
	}
	raceReadBlock(data)
	raceReadKey(key)
	return pairedMayContainKey(unsafe.SliceData(data), len(data), unsafe.SliceData(key), len(key))
}

// PairedBySizeMayContainKey is PairedBySizeMayContain of a key by XX64. (By a call of PairedMayContainKey it would take
// longer.)
func PairedBySizeMayContainKey(data, key []byte) bool {
	if isFastLocalBySize(data) || !isShortXX64(key) {
		return PairedBySizeMayContain(data, xxhash.Sum64(key))
	}
	raceReadBlock(data)
	raceReadKey(key)
	return pairedMayContainKey(unsafe.SliceData(data), len(data), unsafe.SliceData(key), len(key))
}

// PairedMayContainKeyXXPH3 is PairedMayContain of a key by XXPH3.
func PairedMayContainKeyXXPH3(data, key []byte) bool {
	if !isShortXXPH3(key) {
		return PairedMayContain(data, hashing.XXPH3(key))
	}
	raceReadBlock(data)
	raceReadKey(key)
	return pairedMayContainKeyXXPH3(unsafe.SliceData(data), len(data), unsafe.SliceData(key), len(key))
}

// SplitBlockMayContainKey is SplitBlockMayContain of a key by XX64.
func SplitBlockMayContainKey(data, key []byte) bool {
	if !isShortXX64(key) {
		return SplitBlockMayContain(data, xxhash.Sum64(key))
	}
	raceReadBlock(data)
	raceReadKey(key)
	return splitBlockMayContainKey(unsafe.SliceData(data), len(data), unsafe.SliceData(key), len(key))
}

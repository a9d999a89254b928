//go:build !purego

package asm

import (
	"unsafe"

	"github.com/simdbloom/simdbloom/cpu"
)

// FastLocalMayContain looks a hash up in any bytes, as RocksDB's readers of FastLocal filters do. Without
// bytes there is no key, and those that are not blocks and a trailer of five bytes may contain every key. Of a
// body that is not whole blocks, the part of a block at the end is unused.
func FastLocalMayContain(data []byte, hash uint64) bool {
	readsBytes(data)
	return fastLocalMayContain(unsafe.SliceData(data), len(data), hash)
}

// LegacyMayContain looks a hash up in any bytes: in a legacy filter as builders write it on most machines,
// whose lines are blocks, or by the given function in others, which must not keep data.
func LegacyMayContain(data []byte, hash uint64, other func(data []byte, hash uint64) bool) bool {
	readsBytes(data)
	return legacyMayContain(unsafe.SliceData(data), len(data), hash, other)
}

// ContainsKey is Contains of a key by its 32-bit hash.
func (f LegacyBytes) ContainsKey(key []byte) bool {
	readsKey(key)
	return legacyContainsKey(f.body, f.lines, f.probes, int(cpu.Current()), key)
}

// PairedMayContain looks a hash up in any bytes, as Speedb's readers of paired filters do. Without bytes there
// is no key, and those that are not batches and a trailer of four bytes may contain every key.
func PairedMayContain(data []byte, hash uint64) bool {
	readsBytes(data)
	return pairedMayContain(unsafe.SliceData(data), len(data), hash)
}

// RibbonMayContain looks a hash up in any bytes: in a Ribbon filter's, segments and a trailer of five bytes, or
// by the given function in others, which must not keep data.
func RibbonMayContain(data []byte, hash uint64, other func(data []byte, hash uint64) bool) bool {
	readsBytes(data)
	return ribbonMayContain(unsafe.SliceData(data), len(data), hash, other)
}

// LinearMayContain looks a hash up in any bytes: in a linear filter's with a layer at least, or by the given
// function in others, which must not keep data.
func LinearMayContain(data []byte, hash uint64, other func(data []byte, hash uint64) bool) bool {
	readsBytes(data)
	return linearMayContain(unsafe.SliceData(data), len(data), hash, other)
}

// SplitBlockMayContain looks a hash up in any bytes, as Parquet's readers do. Without bytes there is no key,
// and those that are not whole blocks may contain every key.
func SplitBlockMayContain(data []byte, hash uint64) bool {
	readsBytes(data)
	return splitBlockMayContain(unsafe.SliceData(data), len(data), hash)
}

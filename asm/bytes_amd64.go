//go:build !purego

package asm

import (
	"unsafe"

	"github.com/simdbloom/simdbloom/cpu"
)

// Contains is [fallback.FastLocalContains].
func (f fastLocalBytes) Contains(hash uint64) bool {
	return fastLocalContainsBytes(f.body, f.size, f.probes, int(cpu.Current()), hash)
}

// Contains is [fallback.LegacyContains].
func (f legacyBytes) Contains(hash uint64) bool {
	return legacyContainsBytes(f.body, f.lines, f.probes, int(cpu.Current()), hash)
}

// ContainsKey is Contains of a key by its 32-bit hash.
func (f legacyBytes) ContainsKey(key []byte) bool {
	return legacyContainsKey(f.body, f.lines, f.probes, int(cpu.Current()), key)
}

// PairedContains looks a hash up in a paired filter's bytes: batches, and a trailer of four bytes.
func PairedContains(data []byte, hash uint64) (contains, ok bool) {
	return pairedContainsBytes(unsafe.SliceData(data), len(data), int(cpu.Current()), hash)
}

// RibbonContains looks a hash up in a Ribbon filter's bytes: segments, and a trailer of five bytes.
func RibbonContains(data []byte, hash uint64) (contains, ok bool) {
	return ribbonContainsBytes(unsafe.SliceData(data), len(data), int(cpu.Current()), hash)
}

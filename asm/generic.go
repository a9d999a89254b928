//go:build !amd64 || purego

package asm

import (
	"encoding/binary"
	"runtime"
	"unsafe"

	"github.com/cespare/xxhash/v2"

	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/hashing"
)

// fastLocalContainsGo is [fallback.FastLocalContains] written out: a call of that is a fifth slower
// (processor not recorded).
func fastLocalContainsGo(k *Kernel, hash uint64) (_ uint64, found bool) {
	const phi = 0x9e3779b9
	from := uint(fallback.Block(hash, uint32(uint64(len(k.body))/BlockBytes))) * BlockBytes
	b := (*[BlockBytes]byte)(k.body[:len(k.body):len(k.body)][from : from+BlockBytes])
	even, odd, bits := uint32(hash>>32), uint32(hash>>32)*phi, uint32(1)
	probes := k.probes
	for ; probes > 1; probes -= 2 {
		bits &= binary.LittleEndian.Uint32(b[uint(even>>28)*4:]) >> (even >> 23 & 31)
		bits &= binary.LittleEndian.Uint32(b[uint(odd>>28)*4:]) >> (odd >> 23 & 31)
		even, odd = even*(phi*phi&0xffffffff), odd*(phi*phi&0xffffffff)
	}
	if probes > 0 {
		bits &= binary.LittleEndian.Uint32(b[uint(even>>28)*4:]) >> (even >> 23 & 31)
	}
	return 0, bits != 0
}

// Contains reports whether the filter may contain a hash.
func (k *Kernel) Contains(hash uint64) bool {
	_, found := contains(k, hash)
	return found
}

func contains(k *Kernel, hash uint64) (_ uint64, found bool) {
	if k.entry == nil {
		notOpened(k, hash)
	}
	_, found = k.entry(k, hash)
	runtime.KeepAlive(k)
	return 0, found
}

// HashesKeys reports whether ContainsKey has assembly.
const HashesKeys = false

// ContainsKey is Contains of a key's hash. Where it has no assembly, keys escape to the heap.
func (k *Kernel) ContainsKey(key []byte) bool {
	return containsKeyInGo(k, unsafe.SliceData(key), len(key))
}

// ContainsBits sets bit i%64 of hits[i/64] to Contains(hashes[i]) for every hash, and the bits
// beyond the last one in its word to zero. hits shares no memory with the hashes. Words beyond
// those are left alone.
func (k *Kernel) ContainsBits(hashes, hits []uint64) {
	checkBits(hashes, hits)
	k.CheckOpen()
	k.raceLookupBits(hashes, hits)
	if len(hashes) > 0 {
		batch(k, hashes, answers{bits: &hits[0]}, 1)
	}
}

// ContainsBools sets hits[i] to Contains(hashes[i]) for every hash.
func (k *Kernel) ContainsBools(hashes []uint64, hits []bool) {
	checkBools(hashes, hits)
	k.CheckOpen()
	if len(hashes) > 0 {
		batch(k, hashes, answers{bools: &hits[0]}, 1)
	}
}

func fewMaxOf(form, []byte) uint8 { return 0 }

func fewMaxInLayers(form, []byte) uint8 { return 0 }

// FastLocalMayContain looks a hash up in any bytes, as RocksDB's readers of FastLocal filters do. Without
// bytes there is no key, and those that are not blocks and a trailer of five bytes may contain every key. Of a
// body that is not whole blocks, the part of a block at the end is unused.
func FastLocalMayContain(data []byte, hash uint64) bool {
	return fastLocalInGo(data, hash)
}

// LegacyMayContain looks a hash up in any bytes: in a legacy filter as builders write it on most machines,
// whose lines are blocks, or by the given function in others, which must not keep data.
func LegacyMayContain(data []byte, hash uint64, other func(data []byte, hash uint64) bool) bool {
	return legacyInGo(data, hash, other)
}

// ContainsKey is Contains of a key by its 32-bit hash.
func (f legacyBytes) ContainsKey(key []byte) bool {
	return f.containsGo(uint64(hashing.Signed32(key)))
}

// PairedMayContain looks a hash up in any bytes, as Speedb's readers of paired filters do. Without bytes there
// is no key, and those that are not batches and a trailer of four bytes may contain every key.
func PairedMayContain(data []byte, hash uint64) bool {
	return pairedInGo(data, hash)
}

// RibbonMayContain looks a hash up in any bytes: in a Ribbon filter's, segments and a trailer of five bytes, or
// by the given function in others, which must not keep data.
func RibbonMayContain(data []byte, hash uint64, other func(data []byte, hash uint64) bool) bool {
	return ribbonInGo(data, hash, other)
}

// LinearMayContain looks a hash up in any bytes: in a linear filter's with a layer at least, or by the given
// function in others, which must not keep data.
func LinearMayContain(data []byte, hash uint64, other func(data []byte, hash uint64) bool) bool {
	return linearInGo(data, hash, other)
}

// SplitBlockMayContain looks a hash up in any bytes, as Parquet's readers do. Without bytes there is no key,
// and those that are not whole blocks may contain every key.
func SplitBlockMayContain(data []byte, hash uint64) bool { return splitBlockInGo(data, hash) }

// FastLocalMayContainKey is FastLocalMayContain of a key by XX64.
func FastLocalMayContainKey(data, key []byte) bool { return fastLocalInGo(data, hashKey(key)) }

// FastLocalMayContainKeyXXPH3 is FastLocalMayContain of a key by XXPH3.
func FastLocalMayContainKeyXXPH3(data, key []byte) bool {
	return fastLocalInGo(data, hashing.XXPH3(key))
}

// PairedMayContainKey is PairedMayContain of a key by XX64.
func PairedMayContainKey(data, key []byte) bool { return pairedInGo(data, hashKey(key)) }

// PairedBySizeMayContainKey is PairedBySizeMayContain of a key by XX64.
func PairedBySizeMayContainKey(data, key []byte) bool {
	return PairedBySizeMayContain(data, hashKey(key))
}

// PairedMayContainKeyXXPH3 is PairedMayContain of a key by XXPH3.
func PairedMayContainKeyXXPH3(data, key []byte) bool { return pairedInGo(data, hashing.XXPH3(key)) }

// SplitBlockMayContainKey is SplitBlockMayContain of a key by XX64.
func SplitBlockMayContainKey(data, key []byte) bool { return splitBlockInGo(data, hashKey(key)) }

func hashKey(key []byte) uint64 {
	if hashing.XX64IsShort(len(key)) {
		return hashing.XX64Finish(hashing.XX64Rest(hashing.XX64First(key), key))
	}
	return xxhash.Sum64(key)
}

// PairedAdd is [fallback.PairedAdd].
func PairedAdd(body []byte, batchBlocks, probes int, hashes []uint64) {
	checkPaired(body, batchBlocks, probes)
	fallback.PairedAdd(body, batchBlocks, probes, hashes)
}

// count leaves all hashes.
func count(_ []uint16, _, _ uint32, hashes []uint64) []uint64 { return hashes }

func (k *Kernel) addLegacy(hashes []uint64) {
	fallback.LegacyAdd(k.body, k.legacy().lines, k.probes, hashes)
}

// CopyUnequal is [fallback.CopyUnequal]. It panics if dst is shorter than hashes.
func CopyUnequal(dst []uint64, before uint64, hashes []uint64) (kept int) {
	return fallback.CopyUnequal(dst, before, hashes)
}

func partition(lists *openLists, before uint64, hashes []uint64) (taken, kept int) {
	return fallback.Partition(lists, before, hashes)
}

// PrefetchSegment loads the first hashes of a segment into the cache, where there is a kernel.
func PrefetchSegment(*fallback.Segment) {}

// ribbonBander adds a range's equations with a kernel, where there is one.
type ribbonBander struct{}

func (r *RibbonRange) start(slot int) { r.band.Clear(slot, r.end) }

func (r *RibbonRange) add(hashes []uint64) bool { return r.addPlainly(hashes) }

func (r *RibbonRange) leave() {}

// RibbonColumnsSolved returns the number of columns that are solved together: fewer take about as
// long.
func RibbonColumnsSolved() int { return fallback.RibbonColumnsSolved }

func (b *RibbonBand) solve(body []byte, shape *fallback.RibbonShape, first, end int) {
	fallback.RibbonSolveColumns(body, shape, &b.band, first, end)
}

type solverKernel struct{}

func (*solverKernel) solveLines(*fallback.LinearSolver, []byte, []byte, int, uint32, []int, []uint64) bool {
	return false
}

func linearBumped(dst []uint64, headers []byte, multiplier uint32, ends []int, hashes []uint64) int {
	return fallback.LinearBumped(dst, headers, multiplier, ends, hashes)
}

package asm_test

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/test/naive"
)

// kernels are a filter's kernels for a body at any place, and the same from
// packages fallback and naive.
type kernels struct {
	name   string
	batch  int // the blocks of which pairs are made, 1 if none are
	probes int // that look at a bit, half of them in each block of a pair

	contains      func(body []byte, hash uint64) bool
	containsBits  func(body []byte, hashes, hits []uint64)
	containsBools func(body []byte, hashes []uint64, hits []bool)
	add           func(body []byte, hashes []uint64)

	fallbackContains func(body []byte, hash uint64) bool
	fallbackAdd      func(body []byte, hashes []uint64)

	naiveContains func(body []byte, hash uint64) bool
	naiveAdd      func(body []byte, hash uint64)
	naiveBits     func(body []byte, hash uint64) []uint64 // that the probes look at

	block       func(hash uint64, blocks uint32) uint32 // that the hash belongs to
	hashInBlock func(r *rand.Rand, block, blocks, product int) uint64
}

func fastLocal(k int) kernels {
	return kernels{
		fmt.Sprintf("FastLocal, k=%d", k), 1, k,
		func(body []byte, hash uint64) bool { return fastLocalContains(body, k, hash) },
		func(body []byte, hashes, hits []uint64) {
			f := asm.NewFastLocal(body, k)
			f.ContainsBits(hashes, hits)
		},
		func(body []byte, hashes []uint64, hits []bool) {
			f := asm.NewFastLocal(body, k)
			f.ContainsBools(hashes, hits)
		},
		func(body []byte, hashes []uint64) { asm.FastLocalAdd(body, k, hashes) },
		func(body []byte, hash uint64) bool { return fallback.FastLocalContains(body, k, hash) },
		func(body []byte, hashes []uint64) { fallback.FastLocalAdd(body, k, hashes) },
		func(body []byte, hash uint64) bool { return naive.FastLocalContains(body, k, hash) },
		func(body []byte, hash uint64) { naive.FastLocalAdd(body, k, hash) },
		func(body []byte, hash uint64) []uint64 { return naive.FastLocalBits(body, k, hash) },
		fallback.Block, hashInBlock,
	}
}

func paired(batch, k int) kernels {
	return kernels{
		fmt.Sprintf("Paired-%d, k=%d", batch, k), batch, k / 2 * 2,
		func(body []byte, hash uint64) bool { return pairedContains(body, batch, k, hash) },
		func(body []byte, hashes, hits []uint64) {
			f := asm.NewPaired(body, batch, k)
			f.ContainsBits(hashes, hits)
		},
		func(body []byte, hashes []uint64, hits []bool) {
			f := asm.NewPaired(body, batch, k)
			f.ContainsBools(hashes, hits)
		},
		func(body []byte, hashes []uint64) { asm.PairedAdd(body, batch, k, hashes) },
		func(body []byte, hash uint64) bool { return fallback.PairedContains(body, batch, k, hash) },
		func(body []byte, hashes []uint64) { fallback.PairedAdd(body, batch, k, hashes) },
		func(body []byte, hash uint64) bool { return naive.PairedContains(body, batch, k, hash) },
		func(body []byte, hash uint64) { naive.PairedAdd(body, batch, k, hash) },
		func(body []byte, hash uint64) []uint64 { return naive.PairedBits(body, batch, k, hash) },
		fallback.Block, hashInBlock,
	}
}

// everyFastLocal covers all numbers of probes.
func everyFastLocal() (all []kernels) {
	for k := 1; k <= asm.MaxProbes; k++ {
		all = append(all, fastLocal(k))
	}
	return all
}

// everyPaired covers them all, with both sizes of batches.
func everyPaired() (all []kernels) {
	for k := 2; k <= asm.MaxProbes; k++ {
		all = append(all, paired(32, k), paired(128, k))
	}
	return all
}

func everyKernel() []kernels {
	return slices.Concat(everyFastLocal(), everyPaired(), everyLegacy(), someBlobloom())
}

// probeClasses are numbers of probes of which each may have a kernel of its own.
var probeClasses = []int{6, 8, 12, 16, 24, 30}

// someFastLocal has one of each class.
func someFastLocal() (some []kernels) {
	for _, k := range probeClasses {
		some = append(some, fastLocal(k))
	}
	return some
}

// somePaired has one of each class, by the probes in one block.
func somePaired() []kernels {
	return []kernels{paired(32, 2), paired(128, 7), paired(32, 16), paired(128, 16), paired(128, 23), paired(32, 30)}
}

func someKernels() []kernels {
	return slices.Concat(someFastLocal(), somePaired(), someLegacy(), someBlobloom(), []kernels{splitBlock()})
}

// size returns the size of the smallest body of at least the given number of bytes.
func (k kernels) size(least int) int {
	unit := k.batch * asm.BlockBytes
	return (least + unit - 1) / unit * unit
}

// product returns which product of a hash a probe takes its bit from: in a pair,
// both blocks' probes take the same ones. In a legacy filter it is which step.
func (k kernels) product(probe int) int {
	if k.batch > 1 {
		probe %= k.probes / 2
	}
	return probe
}

// answers returns fallback's answers for the hashes, in bits.
func (k kernels) answers(body []byte, hashes []uint64) []uint64 {
	bits := make([]uint64, asm.Words(len(hashes)))
	for i, hash := range hashes {
		if k.fallbackContains(body, hash) {
			bits[i/64] |= 1 << (i % 64)
		}
	}
	return bits
}

//go:build !purego

package asm

import (
	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/fallback"
)

// Contains is [fallback.RibbonContains].
func (f *Ribbon) Contains(hash uint64) bool { return ribbonContains(f, hash) }

// ribbonContainsOther is where ribbonContains continues without a kernel.
//
//lint:ignore U1000 ribbon_amd64.s calls it
func ribbonContainsOther(f *Ribbon, hash uint64) bool {
	return fallback.RibbonContains(f.body, &f.shape, hash)
}

// Contains is [fallback.RibbonContains].
func (f RibbonBytes) Contains(hash uint64) bool {
	return ribbonContainsBytes(f.body, f.segments, f.blocks, f.seed, int(cpu.Current()), hash)
}

// ribbonContainsOtherBytes is where ribbonContainsBytes continues without a kernel.
//
//lint:ignore U1000 ribbon_amd64.s calls it
func ribbonContainsOtherBytes(body *byte, segments uint64, blocks, seed uint32, _ int, hash uint64) bool {
	return RibbonBytes{body, segments, blocks, seed}.containsGeneric(hash)
}

// batch looks up whole octets of hashes, at least one.
func (f *Ribbon) batch(hashes, hits []uint64, far bool) {
	if f.places.level == int(cpu.AVX512) {
		ribbonBatchAVX512(&f.places, &hashes[0], &hits[0], len(hashes), far)
	} else {
		ribbonBatchAVX2(&f.places, &hashes[0], &hits[0], len(hashes), far)
	}
}

//go:build !purego

package asm

import (
	"unsafe"

	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/fallback"
)

// legacyForm is formOf, but more than 16 probes have kernels only in AVX2.
func legacyForm(probes int) form {
	if f := formOf(probes); f != form512by32 {
		return f
	}
	return form256 + form(probes-1)/8
}

// Contains is fallback.LegacyContains.
func (f *Legacy) Contains(hash uint32) bool {
	if f.blocks.form == formGeneric {
		return fallback.LegacyContains(f.body, f.lines, f.probes, hash)
	}
	line := fallback.LegacyLine(hash, f.lines, f.reciprocal)
	return legacyLineContains(&f.body[uint64(line)*BlockBytes], f.blocks.multipliers, f.probes, hash)
}

// Contains is fallback.LegacyContains.
func (f LegacyBytes) Contains(hash uint32) bool {
	if cpu.Current() == cpu.Generic {
		return f.containsGeneric(hash)
	}
	line := (*byte)(unsafe.Add(unsafe.Pointer(f.body), uint64(hash%f.lines)*BlockBytes))
	return legacyLineContains(line, &legacySteps[f.probes], int(f.probes), hash)
}

// ContainsBools sets hits[i] to Contains(hashes[i]) for every hash.
func (f *Legacy) ContainsBools(hashes []uint32, hits []bool) {
	checkLegacyBools(hashes, hits)
	if f.blocks.form == formGeneric {
		f.boolsOfBits(hashes, hits)
		return
	}
	f.inRooms(hashes, nil, hits)
}

// answer answers widened hashes, in bools if there are no bits.
func (f *Legacy) answer(wide, bits []uint64, bools []bool) {
	if bits != nil {
		bits[(len(wide)-1)/64] = 0 // the kernels write a byte for eight hashes
	} else if len(wide) < octet {
		for i, hash := range wide {
			bools[i] = f.Contains(uint32(hash >> 32))
		}
		return
	}
	if f.blocks.isNear(wide) {
		f.stretch(wide, bits, bools, 0, len(wide), 0)
		return
	}
	inChunks(f.body, f.blocks.isFarFor(len(wide)), wide, func(from, n, ahead int) {
		f.stretch(wide, bits, bools, from, n, ahead)
	})
}

// stretch answers some of them, in a call of a kernel.
func (f *Legacy) stretch(wide, bits []uint64, bools []bool, from, n, ahead int) {
	var bit *uint64
	var answer *bool
	if bits != nil {
		bit = &bits[from/64]
	} else {
		answer = &bools[from]
	}
	if f.blocks.wide(ahead) {
		legacyContainsBatchAVX512(&f.blocks, &wide[from], bit, answer, n, ahead)
	} else {
		legacyContainsBatchAVX2(&f.blocks, &wide[from], bit, answer, n, ahead)
	}
}

func (f *Legacy) widen(hashes []uint32, wide []uint64) {
	whole := len(wide) &^ (octet - 1)
	if whole > 0 {
		legacyWiden(f.reciprocal, unsafe.SliceData(hashes), &wide[0], whole)
	}
	fallback.LegacyWiden(f.reciprocal, hashes[whole:], wide[whole:])
}

//go:build !purego

package asm

import (
	"unsafe"

	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/hash32"
)

// legacyForm is formOf, but more than 16 probes have kernels only in AVX2.
func legacyForm(probes int) form {
	if f := formOf(probes); f != form512by32 {
		return f
	}
	return form256
}

const legacySingles = 1

// Contains is fallback.LegacyContains.
func (f *Legacy) Contains(hash uint32) bool { return legacyContains(f, hash) }

// legacyContainsOther is where legacyContains continues without a kernel.
//
//lint:ignore U1000 legacy_amd64.s calls it
func legacyContainsOther(f *Legacy, hash uint32) bool {
	return fallback.LegacyContains(f.body, f.lines, f.probes, hash)
}

// Contains is fallback.LegacyContains.
func (f LegacyBytes) Contains(hash uint32) bool {
	return legacyContainsBytes(f.body, f.lines, f.probes, int(cpu.Current()), hash)
}

// legacyContainsOtherBytes is where legacyContainsBytes continues without a kernel.
//
//lint:ignore U1000 legacy_amd64.s calls it
func legacyContainsOtherBytes(body *byte, lines uint32, probes, _ int, hash uint32) bool {
	return LegacyBytes{body, lines, probes}.containsGeneric(hash)
}

// ContainsKey is Contains of a key by its 32-bit hash.
func (f LegacyBytes) ContainsKey(key []byte) bool {
	return legacyContainsKey(f.body, f.lines, f.probes, int(cpu.Current()), key)
}

// legacyContainsOtherKey is where legacyContainsKey continues without a kernel.
//
//lint:ignore U1000 legacy_amd64.s calls it
func legacyContainsOtherKey(body *byte, lines uint32, probes, level int, key []byte) bool {
	return legacyContainsOtherBytes(body, lines, probes, level, hash32.Signed(key))
}

// ContainsBools sets hits[i] to Contains(hashes[i]) for every hash.
func (f *Legacy) ContainsBools(hashes []uint32, hits []bool) {
	checkBools(hashes, hits)
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

// mostAddedProbes is the most that the kernel adds.
const mostAddedProbes = 16

func (f *Legacy) add(hashes []uint32) {
	if f.blocks.form == formGeneric || f.probes > mostAddedProbes || len(hashes) < octet {
		fallback.LegacyAdd(f.body, f.lines, f.probes, hashes)
		return
	}
	far := len(f.body) >= addFarFrom
	var room [chunk]uint64
	for len(hashes) > 0 {
		wide := room[:addedAtOnce(len(hashes))]
		f.widen(hashes[:len(wide)], wide)
		legacyAddAVX2(&f.blocks, &wide[0], len(wide), far)
		hashes = hashes[len(wide):]
	}
}

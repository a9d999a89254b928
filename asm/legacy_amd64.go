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
	return form256 + form(probes-1)/8
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
	return fallback.LegacyContains(LegacyBytes{body, lines, probes}.Body(), lines, probes, hash)
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

// legacyChunk is how many hashes are widened at a time. With more, the stack would grow.
const legacyChunk = nearChunk

// ContainsBits is fallback.LegacyContainsBatch. hits has a bit for every hash and shares no
// memory with the hashes. Words beyond those are left alone.
func (f *Legacy) ContainsBits(hashes []uint32, hits []uint64) {
	checkBits(hashes, hits)
	switch {
	case f.blocks.form == formGeneric:
		fallback.LegacyContainsBatch(f.body, f.lines, f.probes, hashes, hits)
	case len(hashes) <= fewLegacy:
		var room [fewLegacy]uint64
		f.containsBits(hashes, hits, room[:])
	default:
		f.containsManyBits(hashes, hits)
	}
}

// fewLegacy is how many hashes are widened in a small room, because the room is cleared at
// every call.
const fewLegacy = 128

//go:noinline
func (f *Legacy) containsManyBits(hashes []uint32, hits []uint64) {
	var room [legacyChunk]uint64
	f.containsBits(hashes, hits, room[:])
}

func (f *Legacy) containsBits(hashes []uint32, hits, room []uint64) {
	for len(hashes) > 0 {
		wide := f.widen(hashes, room)
		hits[(len(wide)-1)/64] = 0 // the kernels write a byte for eight hashes
		f.blocks.stretches(wide, func(from, n, ahead int) {
			if f.blocks.wide(ahead) {
				legacyContainsBatchAVX512(&f.blocks, &wide[from], &hits[from/64], nil, n, ahead)
			} else {
				legacyContainsBatchAVX2(&f.blocks, &wide[from], &hits[from/64], nil, n, ahead)
			}
		})
		hashes, hits = hashes[len(wide):], hits[Words(len(wide)):]
	}
}

// ContainsBools sets hits[i] to Contains(hashes[i]) for every hash.
func (f *Legacy) ContainsBools(hashes []uint32, hits []bool) {
	checkBools(hashes, hits)
	switch {
	case f.blocks.form == formGeneric:
		f.boolsOfBits(hashes, hits)
	case len(hashes) < octet:
		for i, hash := range hashes {
			hits[i] = f.Contains(hash)
		}
	case len(hashes) <= fewLegacy:
		var room [fewLegacy]uint64
		f.containsBools(hashes, hits, room[:])
	default:
		f.containsManyBools(hashes, hits)
	}
}

//go:noinline
func (f *Legacy) containsManyBools(hashes []uint32, hits []bool) {
	var room [legacyChunk]uint64
	f.containsBools(hashes, hits, room[:])
}

func (f *Legacy) containsBools(hashes []uint32, hits []bool, room []uint64) {
	for len(hashes) > 0 {
		if len(hashes) < octet { // after whole rooms
			for i, hash := range hashes {
				hits[i] = f.Contains(hash)
			}
			return
		}
		wide := f.widen(hashes, room)
		f.blocks.stretches(wide, func(from, n, ahead int) {
			if f.blocks.wide(ahead) {
				legacyContainsBatchAVX512(&f.blocks, &wide[from], nil, &hits[from], n, ahead)
			} else {
				legacyContainsBatchAVX2(&f.blocks, &wide[from], nil, &hits[from], n, ahead)
			}
		})
		hashes, hits = hashes[len(wide):], hits[len(wide):]
	}
}

// widen widens as many hashes as there is room for.
func (f *Legacy) widen(hashes []uint32, room []uint64) (wide []uint64) {
	wide = room[:min(len(room), len(hashes))]
	whole := len(wide) &^ (octet - 1)
	if whole > 0 {
		legacyWiden(f.reciprocal, unsafe.SliceData(hashes), &wide[0], whole)
	}
	fallback.LegacyWiden(f.reciprocal, hashes[whole:len(wide)], wide[whole:])
	return wide
}

// stretches calls answer for stretches of the hashes as one call of a kernel answers them.
func (f *FastLocal) stretches(hashes []uint64, answer func(from, n, ahead int)) {
	if f.isNear(hashes) {
		answer(0, len(hashes), 0)
		return
	}
	inChunks(f.body, f.isFarFor(len(hashes)), hashes, answer)
}

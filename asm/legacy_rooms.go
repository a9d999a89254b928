//go:build (amd64 || arm64) && !purego

package asm

import "github.com/simdbloom/simdbloom/fallback"

// Hashes are widened in rooms on the stack. A room is cleared at every call, which costs as
// much as looking up a few keys, so there are three sizes. With a larger one, the stack would
// grow further.
const (
	legacyFew  = 32
	legacySome = 256
	legacyMany = nearChunk
)

// ContainsBits is fallback.LegacyContainsBatch. hits has a bit for every hash and shares no
// memory with the hashes. Words beyond those are left alone.
func (f *Legacy) ContainsBits(hashes []uint32, hits []uint64) {
	checkBits(hashes, hits)
	if f.blocks.form == formGeneric {
		fallback.LegacyContainsBatch(f.body, f.lines, f.probes, hashes, hits)
		return
	}
	f.inRooms(hashes, hits, nil)
}

// inRooms answers in bits, or in bools if there are no bits.
func (f *Legacy) inRooms(hashes []uint32, bits []uint64, bools []bool) {
	switch {
	case len(hashes) == 0:
	case len(hashes) <= legacyFew:
		var room [legacyFew]uint64
		wide := room[:len(hashes)]
		f.widen(hashes, wide)
		f.answer(wide, bits, bools)
	case len(hashes) <= legacySome:
		f.inSomeRoom(hashes, bits, bools)
	default:
		f.inLargeRoom(hashes, bits, bools)
	}
}

//go:noinline
func (f *Legacy) inSomeRoom(hashes []uint32, bits []uint64, bools []bool) {
	var room [legacySome]uint64
	f.inRoom(room[:], hashes, bits, bools)
}

//go:noinline
func (f *Legacy) inLargeRoom(hashes []uint32, bits []uint64, bools []bool) {
	var room [legacyMany]uint64
	f.inRoom(room[:], hashes, bits, bools)
}

func (f *Legacy) inRoom(room []uint64, hashes []uint32, bits []uint64, bools []bool) {
	for len(hashes) > 0 {
		wide := room[:min(len(room), len(hashes))]
		f.widen(hashes[:len(wide)], wide)
		f.answer(wide, bits, bools)
		hashes = hashes[len(wide):]
		if bits != nil {
			bits = bits[Words(len(wide)):]
		} else {
			bools = bools[len(wide):]
		}
	}
}

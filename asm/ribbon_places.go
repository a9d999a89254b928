//go:build (amd64 || arm64) && !purego

package asm

import (
	"unsafe"

	"github.com/simdbloom/simdbloom/cpu"
)

// ribbonPlaces is what kernels find a hash's columns by.
type ribbonPlaces struct {
	body      *byte
	starts    uint64 // the number of slots that an equation may start at
	seed      uint64
	columns   uint64 // of the last block
	fewer     uint64 // the number of blocks with one less
	last      uint64 // the number of the last block's first segment
	unitBytes uint64 // of a block's columns, in units of eight
	level     int    // of the kernels
}

// ribbonGroup is how many columns kernels load together. A unit is two groups.
const ribbonGroup = 4

// newRibbonPlaces returns the zero ribbonPlaces if there is no kernel.
func newRibbonPlaces(body []byte, shape *RibbonShape) (p ribbonPlaces) {
	columns, fewer := shape.Columns(), shape.Fewer()
	if level() == cpu.Generic || columns-min(fewer, 1) < ribbonGroup {
		return p
	}
	blocks := shape.Slots() / RibbonBlockSlots
	return ribbonPlaces{
		body: unsafe.SliceData(body), starts: shape.Starts(), seed: shape.Seed(),
		columns: uint64(columns), fewer: uint64(fewer), last: uint64((blocks-1)*columns - fewer),
		unitBytes: uint64((columns+2*ribbonGroup-1)/(2*ribbonGroup)*2*ribbonGroup) * RibbonSegmentBytes,
		level:     int(level()),
	}
}

// ContainsBits is [fallback.RibbonContainsBatch].
func (f *Ribbon) ContainsBits(hashes, hits []uint64) { f.ContainsBitsAmong(1, hashes, hits) }

// ContainsBitsAmong is ContainsBits of one of the given number of filters, which are looked up in turn.
func (f *Ribbon) ContainsBitsAmong(filters int, hashes, hits []uint64) {
	checkBits(hashes, hits)
	whole := len(hashes) &^ (octet - 1)
	if f.places.level == 0 || whole == 0 {
		f.containsBits(hashes, hits)
		return
	}
	hits = hits[:Words(len(hashes))]
	hits[len(hits)-1] = 0 // the kernels write a part of it
	far := uint64(len(f.body))*uint64(filters) >= uint64(ribbonFarFrom)
	for from := 0; from < whole; from += chunk {
		f.batch(hashes[from:min(from+chunk, whole)], hits[from/64:], far)
	}
	for i, hash := range hashes[whole:] {
		if f.Contains(hash) {
			hits[whole/64] |= 1 << (whole%64 + i)
		}
	}
}

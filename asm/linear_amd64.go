//go:build !purego

package asm

import (
	"unsafe"

	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/fallback"
)

// linearShape is how the kernels see a line of fingerprints of some number of bits.
type linearShape struct {
	control     [BlockBytes]byte // for VPMULTISHIFTQB: from which bit on a byte of the line has its row
	spread      [BlockBytes]byte // for VPSHUFB: which byte of the product, shifted by rowUp, has the row of a byte of the line, 0x80 if none
	rowUp       uint64           // brings rows to whole bytes of the product
	seeds       [4]uint64        // the multipliers of rows, shifted so
	tailBytes   [32]byte         // for VPSHUFB: the bytes of a slot, of the line from byte 48 on, or from 46 on for the fifth slot and more
	tailShifts  [8]uint32        // where slots begin in these
	columns     uint64           // a bit for each byte of the planes
	bits        uint64           // in a fingerprint
	top         uint64           // where the fingerprint begins in the hash's word
	fingerprint uint64           // its bits
	loads       int              // of words that have the header and the tail
	load        [3]int           // from which bytes
	tail        int              // slots
	slots       [8]linearSlot

	// For the solver, whose rows are the slots from the lowest bit on, and the fingerprint.
	planes, planeSlots, allSlots                   uint64
	rowShift                                       uint64 // of the product that has the planes' slots
	planeMask, tailMask, slotMask, fingerprintMask uint64
	tailSlots                                      [8]linearTailSlot
}

// linearTailSlot is where a slot of the tail is in a line.
type linearTailSlot struct{ at, bit uint64 }

// linearSlot is where a slot of the tail is.
type linearSlot struct {
	words uint64 // where the words of its load are, which the kernels store
	bit   uint64 // of the word
}

func newLinearShape(r int) (s linearShape) {
	planes, tail := fallback.LinearLine(r)
	s.columns, s.bits, s.top, s.fingerprint = 1<<(planes*r)-1, uint64(r), uint64(64-r), 1<<r-1
	s.planes, s.planeSlots, s.allSlots = uint64(planes), uint64(8*planes), uint64(8*planes+tail)
	s.rowShift, s.planeMask, s.tailMask = uint64(32-4*planes), 1<<(8*planes)-1, 1<<tail-1
	s.slotMask = 1<<s.allSlots - 1
	s.fingerprintMask = s.fingerprint << s.allSlots
	const zero = 0x80
	for at := range s.spread {
		s.spread[at] = zero
	}
	for at := range s.tailBytes {
		s.tailBytes[at] = zero
	}
	s.rowUp = uint64(4 * (planes % 2))
	for seed := range s.seeds {
		s.seeds[seed] = fallback.LinearSeed(seed) << s.rowUp
	}
	for at := range planes * r {
		plane := at / r
		s.control[at] = byte(32 - 4*planes + 8*plane)
		s.spread[at] = (s.control[at] + byte(s.rowUp)) / 8
	}
	const (
		wordBytes = 8
		words     = 64 * wordBytes // of a load
	)
	layout := newLinearTail(r)
	s.tail, s.loads = tail, len(layout.words)
	copy(s.load[:], layout.words)
	for i, slot := range layout.slots {
		s.slots[i] = linearSlot{uint64(slot.word * words), uint64(slot.bit)}
		bit := 8*layout.words[slot.word] + slot.bit
		at := min(bit/8, BlockBytes-wordBytes)
		s.tailSlots[i] = linearTailSlot{uint64(at), uint64(bit - 8*at)}
		from := [2]int{48, 46}[i/4]
		for k := range 4 { // a slot of up to 31 bits never has a fifth byte
			s.tailBytes[4*i+k] = byte(bit/8 - from + k)
		}
		s.tailShifts[i] = uint32(bit % 8)
	}
	return s
}

// LinearContains looks a hash up in a filter's bytes. They are not ok if they are not those
// of a linear filter with at least one layer.
func LinearContains(data []byte, hash uint64) (contains, ok bool) {
	readsBytes(data)
	switch level() {
	case cpu.AVX512:
		return linearDataContainsAVX512(unsafe.SliceData(data), len(data), hash)
	case cpu.Generic:
		return linearContainsGeneric(data, hash)
	}
	return linearDataContainsAVX2(unsafe.SliceData(data), len(data), hash)
}

// inLayer looks up hashes in the layer that begins with the given line.
func (k *Kernel) inLayer(line uint64, lines uint32, hashes *uint64, numbers *uint16, n int, hits []uint64, queue *linearQueue, bumped bool, ahead int) int {
	layer := &k.body[line*BlockBytes]
	answers := (*byte)(unsafe.Pointer(&hits[0]))
	if k.form >= form512 {
		return linearLayerAVX512(k.linear, layer, int(lines), hashes, numbers, n, answers, queue, bumped, ahead)
	}
	return linearLayerAVX2(k.linear, layer, int(lines), hashes, numbers, n, answers, queue, bumped, ahead)
}

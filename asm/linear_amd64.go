//go:build !purego

package asm

import (
	"sync/atomic"
	"unsafe"

	"github.com/simdbloom/simdbloom/fallback"
)

// linearShape is how the kernels see a line of fingerprints of some number of bits.
type linearShape struct {
	spread    [BlockBytes]byte // shuffle control: byte i of the line takes its row from this byte of (product << rowUp); 0x80 clears it
	seeds     [4]uint64        // the multipliers of rows, shifted so
	rowUp     uint64           // brings rows to whole bytes of the product
	fold      uint64           // for VPCLMULQDQ: adds the planes of a line in the top bits
	topBits   uint64           // those of a fingerprint
	sums      linearSums       // of the tail
	longer    uintptr          // how many bytes behind this shape that of the next longer fingerprints is
	mostSums  int              // of both
	cuts      uint64           // how many there may be in a filter whose second sections have these fingerprints
	pick      [BlockBytes]byte // the bit of VGF2P8AFFINEQB's result for (product << rowUp) that each byte of the line takes; 0 if none
	tailWords int              // the last ones of the line that have the tail

	// Words of a line, which are eight columns each, may be of two planes: which bits of the product are in their rows,
	// a byte for each word, and which parities of its bytes they are, the last byte's first.
	firstPlanes, secondPlanes   uint64
	firstColumns, secondColumns uint64

	bits        uint64 // in a fingerprint
	top         uint64 // where the fingerprint begins in the hash's word
	fingerprint uint64 // its bits
	tail        int    // slots

	// For the solver, whose rows are the slots from the lowest bit on, and the fingerprint. Where
	// that is more than a word, the planes' slots are one, and the rest is another.
	wide                          bool
	half                          bool                // at most 32 slots: these are half a word, and the fingerprint another
	topHigher, rowShiftHigher     uint64              // of odd halves, with what top and rowShift bring to the lower end
	tailBytesMask                 uint64              // tailMask, for every byte
	tailByte                      [4][BlockBytes]byte // for VPSHUFB: each seed's byte to behind the planes
	planes, planeSlots            uint64
	behindSlots                   uint64 // the fingerprint's first bit
	rowShift                      uint64 // of the product that has the planes' slots
	planeMask, tailMask, slotMask uint64
	valueMask                     uint64 // the fingerprint's bits
	slotShifts                    linearSlotShifts
}

// fillLinearShapes publishes the cuts last. linearMayContain reads the shapes of bytes without a lock: until then it
// finds no cut that there may be, and leaves the bytes to Go, which waits for the shapes.
func fillLinearShapes(shapes *linearShapeRows) {
	for r := range shapes {
		if fallback.LinearSlotsOf(r) > 0 {
			shapes[r] = newLinearShape(r)
		}
	}
	for r := range shapes {
		if fallback.LinearSlotsOf(r) > 0 {
			atomic.StoreUint64(&shapes[r].cuts, cutsOf(r))
		}
	}
}

// cutsOf returns how many cuts there may be in a filter whose second sections have fingerprints of r bits.
func cutsOf(r int) uint64 {
	if r == fallback.MostLinearBits {
		return 1
	}
	return 64
}

func newLinearShape(r int) (s linearShape) {
	longer := fallback.LinearLonger(r)
	s.longer = uintptr(longer-r) * unsafe.Sizeof(s)
	s.mostSums = max(linearSumsOf(r).used, linearSumsOf(longer).used)
	planes, tail := fallback.LinearLine(r)
	s.bits, s.top, s.fingerprint = uint64(r), uint64(64-r), 1<<r-1
	s.planes, s.planeSlots, s.behindSlots = uint64(planes), uint64(8*planes), uint64(8*planes+tail)
	s.rowShift, s.planeMask, s.tailMask = uint64(32-4*planes), 1<<(8*planes)-1, 1<<tail-1
	s.slotMask = 1<<s.behindSlots - 1
	if s.wide = 8*planes+tail+r > 64; s.wide {
		s.behindSlots = uint64(tail)
	}
	s.valueMask = s.fingerprint << s.behindSlots
	s.half = 8*planes+tail <= 32
	s.topHigher, s.rowShiftHigher, s.tailBytesMask = s.top-32, 32-s.rowShift, s.tailMask*0x0101010101010101
	for seed := range s.tailByte {
		for at := range s.tailByte[seed] {
			s.tailByte[seed][at] = 0x80
			if at%4 == planes {
				s.tailByte[seed][at] = byte(at%16 - planes + seed)
			}
		}
	}
	const zero = 0x80
	for at := range s.spread {
		s.spread[at] = zero
	}
	s.rowUp = uint64(4 * (planes % 2))
	s.topBits, s.sums = s.fingerprint<<s.top, *linearSumsOf(r)
	for plane := range planes {
		s.fold |= 1 << (64 - (plane+1)*r)
	}
	for seed := range s.seeds {
		s.seeds[seed] = fallback.LinearSeed(seed) << s.rowUp
	}
	for at := range planes * r {
		plane := at / r
		s.spread[at] = byte((32-4*planes+int(s.rowUp))/8 + plane)
		s.pick[at] = 1 << (7 - s.spread[at])
		if plane == at/8*8/r {
			s.firstColumns |= 1 << (at ^ 7)
		} else {
			s.secondColumns |= 1 << (at ^ 7)
		}
	}
	for word := range 8 {
		first := s.rowShift + 8*uint64(word*8/r)
		s.firstPlanes |= first % 64 << (8 * word)
		s.secondPlanes |= (first + 8) % 64 << (8 * word)
	}
	s.tail, s.tailWords = tail, (tail*r+63)/64
	s.slotShifts = newLinearSlotShifts(r)
	return s
}

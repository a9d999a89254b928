//go:build !purego

package asm

import (
	"unsafe"

	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/tables"
)

// Only batches have a kernel: a single lookup is a chain of dependent instructions, in which pure Go
// refuses most absent keys after eight columns.

// linearKeys is how many keys the kernel looks up in a call. It finds the lines of all of them, which
// are prefetched meanwhile, before it reads one.
const linearKeys = 256

// linearShape is how the kernel sees a line of fingerprints of some number of bits. Vectors
// that are shifts have the same number in every lane, negative ones to the right.
type linearShape struct {
	control [4][16]uint8 // which bytes of the row belong to a vector of two planes, or where it has the last plane
	fold    [8]int16     // from the second plane of a vector to the first
	align   [8]int16     // of a vector's columns, to where the last one is the highest bit of 16
	mask    [8]uint16    // of the columns then
	first   [4]int32     // of fingerprints from the highest bit of 32 on, to where the first is the lowest

	planes  uint64
	offsets [6]uint64 // from which bytes on the kernel loads columns, after those from byte 0 on

	words uint64 // of the line that have slots of the tail
	word  [4]linearWord
	slots [8]linearSlot
}

// linearWord is a word of a line that has slots of the tail.
type linearWord struct {
	at    uint64 // its first byte
	slots uint64
}

// linearSlot is a slot of the tail.
type linearSlot struct {
	shift [2]int64  // of its word, to where the slot ends with the highest bit
	bit   [4]uint32 // of the row
}

// linearHeaders decodes a line's header: the multiplier of rows in the lower half. Above that, a
// byte has the shift to the seed's rows of the tail, and another one the least place in its order that
// the line holds.
var linearHeaders tables.Table[[256]uint64]

func fillLinearShapes(shapes *linearShapeRows) {
	for r := range shapes {
		if fallback.LinearSlotsOf(r) > 0 {
			shapes[r] = newLinearShape(r)
		}
	}
	linearHeaders.Of(fillLinearHeaders)
}

func fillLinearHeaders(headers *[256]uint64) {
	for header := range headers {
		seed := header & 3
		toTail := uint64(uint8(-8 * seed))
		headers[header] = fallback.LinearSeed(seed) | toTail<<32 | fallback.LinearPlacesBelow(byte(header))<<40
	}
}

func newLinearShape(r int) (s linearShape) {
	const vector = 16 // bytes
	planes, _ := fallback.LinearLine(r)
	last := (planes - 1) * r
	s.planes = uint64(planes)
	s.fold = [8]int16(equal(8, int16(-vector)))
	s.align = [8]int16(equal(8, int16(max(0, vector-r))))
	s.mask = [8]uint16(equal(8, ^uint16(0)<<max(0, vector-r)))
	s.first = [4]int32(equal(4, int32(r-32)))
	var loads []int // from which bytes on
	switch {
	case 2*r <= vector:
		for pair := range s.control {
			loads = append(loads, 2*pair*r)
			for i := range s.control[pair] {
				s.control[pair][i] = ^uint8(0) // none
				if i < 2*r {
					s.control[pair][i] = uint8(2*pair + i/r)
				}
			}
		}
		s.fold = [8]int16(equal(8, int16(-r)))
	case last+vector > BlockBytes: // the last vector begins before its plane, to end with the line
		for plane := range planes - 1 {
			loads = append(loads, plane*r)
		}
		loads = append(loads, BlockBytes-vector)
		for i := range s.control[0] {
			s.control[0][i] = uint8(last + i - (BlockBytes - vector))
		}
	default:
		for plane := range planes {
			loads = append(loads, plane*r)
		}
		for plane := range planes {
			if r > vector {
				loads = append(loads, (plane+1)*r-vector)
			}
		}
	}
	for i, at := range loads[1:] {
		s.offsets[i] = uint64(at)
	}
	layout := newLinearTail(r)
	s.words = uint64(len(layout.words))
	for i, at := range layout.words {
		s.word[i].at = uint64(at)
	}
	for i, slot := range layout.slots {
		s.word[slot.word].slots++
		s.slots[i] = linearSlot{[2]int64(equal(2, int64(64-r-slot.bit))), [4]uint32(equal(4, uint32(1)<<i))}
	}
	return s
}

// A linearTail is in which words of a line the kernels find the slots of its tail. Slots
// are counted down from the end. The first word is the line's last. A slot that begins before
// it has another word, which ends where the slot does.
type linearTail struct {
	words []int // from which bytes on
	slots []struct {
		word int // its number
		bit  int // of the word, at which the slot begins
	}
}

func newLinearTail(r int) (tail linearTail) {
	const wordBytes = 8
	_, slots := fallback.LinearLine(r)
	at := BlockBytes
	for i := range slots {
		bit := 8*BlockBytes - (i+1)*r
		if bit < 8*at {
			at = (bit+r+7)/8 - wordBytes
			tail.words = append(tail.words, at)
		}
		tail.slots = append(tail.slots, struct{ word, bit int }{len(tail.words) - 1, bit - 8*at})
	}
	return tail
}

// equal returns equal lanes.
func equal[T any](lanes int, x T) []T {
	vector := make([]T, lanes)
	for i := range vector {
		vector[i] = x
	}
	return vector
}

// linearBatch looks up at least one hash in one of some linear filters, which are looked up in turn.
func linearBatch(k *Kernel, hashes []uint64, to answers, filters int) {
	far := areFar(4*k.linear().layers.NumLines(), filters) // the headers are in no second-level cache
	var room bitRoom
	for {
		n, hits := to.inBits(min(linearKeys, len(hashes)), &room)
		linearContainsBitsNEON(k, &hashes[0], n, (*uint16)(unsafe.Pointer(&hits[0])), far)
		to.expand(n, hits)
		if n == len(hashes) {
			return
		}
		hashes, to = hashes[n:], to.from(n)
	}
}

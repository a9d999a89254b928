//go:build !purego

package asm

import (
	"unsafe"

	"github.com/simdbloom/simdbloom/fallback"
)

// Only batches have a kernel. A single lookup is a chain of dependent instructions: by
// llvm-mca 46 to 48 cycles in NEON with fingerprints of 21 bits, and ten for the call of
// assembly, where pure Go refuses most absent keys after eight columns, in 36 to 46
// (Neoverse N1, N2, V1, V2).

// linearShape is how the kernel sees a line of fingerprints of some number of bits. Vectors
// that are shifts have the same number in every byte.
type linearShape struct {
	bits  uint64
	align [16]int8  // to compare columns with fingerprints
	mask  [8]uint16 // a fingerprint, from the highest bit of each lane on

	// With fingerprints of at most eight bits a vector has two planes. With nine and ten,
	// control is where the line's last vector has the last plane.
	rowShift uint64       // to where the row has a byte for each plane
	control  [4][16]uint8 // which of these bytes belongs to each byte of a vector
	fold     [16]int8     // from the second plane to the first

	words uint64 // of the line that have slots of the tail
	word  [3]linearWord
	slots [8]linearSlot
}

// linearWord is a word of a line that has slots of the tail.
type linearWord struct {
	at    uint64 // its first byte
	slots uint64
}

// linearSlot is a slot of the tail.
type linearSlot struct {
	shift [16]int8  // of its word, to where the slot ends with the highest bit
	bit   [4]uint32 // of the row
}

// linearHeaders is what a line's header says: the multiplier of rows, and above that the
// least place in its order that the line holds.
//
//lint:ignore U1000 the kernel reads it
var linearHeaders = func() (headers [256]uint64) {
	for i := range headers {
		headers[i] = fallback.LinearSeed(i&3) | fallback.LinearPlacesBelow(byte(i))<<32
	}
	return headers
}()

func newLinearShape(r int) (s linearShape) {
	const vector = 16 // bytes
	planes, tail := fallback.LinearLine(r)
	last := (planes - 1) * r
	s.bits, s.rowShift = uint64(r), uint64(32-4*planes)%8
	s.align, s.fold = sixteen(max(vector-r, r-vector)), sixteen(-r)
	switch {
	case 2*r <= vector:
		for i := range s.control {
			for j := range s.control[i] {
				s.control[i][j] = 1<<8 - 1 // none
				if plane := 2*i + j/r; j < 2*r && plane < planes {
					s.control[i][j] = uint8(plane)
				}
			}
		}
	case last+vector > BlockBytes:
		for j := range s.control[0] {
			s.control[0][j] = uint8(last + j - (BlockBytes - vector))
		}
	}
	if r <= vector {
		for i := range s.mask {
			s.mask[i] = 0xffff << (vector - r) & 0xffff
		}
	}
	layout := newLinearTail(r)
	if tail > 0 {
		s.words = uint64(len(layout.words))
	}
	for i, at := range layout.words {
		s.word[i].at = uint64(at)
	}
	for i, slot := range layout.slots {
		s.word[slot.word].slots++
		s.slots[i].shift = sixteen(64 - r - slot.bit)
		for lane := range s.slots[i].bit {
			s.slots[i].bit[lane] = 1 << i
		}
	}
	return s
}

// sixteen returns a vector of equal bytes.
func sixteen(x int) (vector [16]int8) {
	for i := range vector {
		vector[i] = int8(x)
	}
	return vector
}

// inLayer looks up hashes in the layer that begins with the given line.
func (k *Kernel) inLayer(line uint64, lines uint32, hashes *uint64, numbers *uint16, n int, hits []uint64, queue *linearQueue, bumped bool, ahead int) int {
	if bumped { // then they are the queue's
		for i, hash := range queue.hashes[:n] {
			queue.hashes[i] = fallback.LinearNext(hash)
		}
	}
	layer := &k.body[line*BlockBytes]
	answers := (*byte)(unsafe.Pointer(&hits[0]))
	return linearLayerNEON(k.linear, layer, int(lines), hashes, numbers, n, answers, queue, ahead)
}

package asm

import (
	"unsafe"

	"github.com/simdbloom/simdbloom/internal/tables"
)

// answers are where the answers of a batch go, in bits or in bools: the other pointer is nil. They are
// pointers because slices would not be passed in registers, which takes some nanoseconds a call.
// Assembly makes them of a slice.
type answers struct {
	bits  *uint64
	bools *bool
}

// from returns the answers from a hash on, whose number is a multiple of 64 if they are bits. There must be one:
// nothing may point behind the answers.
func (a answers) from(n int) answers {
	if a.bits != nil {
		return answers{bits: (*uint64)(unsafe.Add(unsafe.Pointer(a.bits), n/8))}
	}
	return answers{bools: (*bool)(unsafe.Add(unsafe.Pointer(a.bools), n))}
}

// A bitRoom has the bits of answers that are expanded to bools. It is on the stack and cleared at every call, so
// it is small.
type bitRoom [512 / 64]uint64

// inBits returns where up to n answers go in bits, and how many of them: into the room if they are to become bools. The
// last word is zero, since some kernels write a part of it.
func (a answers) inBits(n int, room *bitRoom) (now int, hits []uint64) {
	if a.bits != nil {
		now, hits = n, unsafe.Slice(a.bits, Words(n))
	} else {
		now = min(n, 64*len(room))
		hits = room[:Words(now)]
	}
	hits[len(hits)-1] = 0
	return now, hits
}

// expand sets the next n answers, which are in bits, if they are to become bools.
func (a answers) expand(n int, hits []uint64) {
	if a.bools != nil {
		expandBits(unsafe.Slice(a.bools, n), hits)
	}
}

// batchInGo looks up a batch without kernels.
func batchInGo(k *Kernel, hashes []uint64, to answers, _ int) {
	if to.bits != nil {
		bitsInGo(k, hashes, unsafe.Slice(to.bits, Words(len(hashes))))
	} else {
		boolsInGo(k, hashes, to)
	}
}

// boolsInGo is a function of its own because of its room.
func boolsInGo(k *Kernel, hashes []uint64, to answers) {
	var room bitRoom
	for {
		n, hits := to.inBits(len(hashes), &room)
		bitsInGo(k, hashes[:n], hits)
		to.expand(n, hits)
		if n == len(hashes) {
			return
		}
		hashes, to = hashes[n:], to.from(n)
	}
}

// octets has the eight answers that each byte stands for.
var octets tables.Table[[256][8]bool]

func fillOctets(all *[256][8]bool) {
	for b := range all {
		for i := range all[b] {
			all[b][i] = b>>i&1 != 0
		}
	}
}

// expandBits sets hits[i] to bit i%64 of words[i/64]. words has a bit for every hit.
func expandBits(hits []bool, words []uint64) {
	octets := octets.Of(fillOctets)
	for len(hits) >= 64 {
		word, eights := words[0], (*[64]bool)(hits)
		for i := 0; i < 64; i += 8 {
			*(*[8]bool)(eights[i:]) = octets[byte(word>>i)]
		}
		hits, words = hits[64:], words[1:]
	}
	if len(hits) == 0 {
		return
	}
	word := words[0]
	for ; len(hits) >= 8; hits = hits[8:] {
		*(*[8]bool)(hits) = octets[byte(word)]
		word >>= 8
	}
	for i := range hits {
		hits[i] = word>>i&1 != 0
	}
}

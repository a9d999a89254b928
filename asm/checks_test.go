package asm_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/test/testmem"
)

// checkSingles looks up each hash alone. want has the answers in bits.
func (k kernels) checkSingles(t *testing.T, body []byte, hashes, want []uint64, describe func() string) {
	t.Helper()
	for i, hash := range hashes {
		if w := isSet(want, i); k.contains(body, hash) != w {
			t.Fatalf("%s: hash %#x alone: not %v", describe(), hash, w)
		}
	}
}

func isSet(bits []uint64, i int) bool { return bits[i/64]>>(i%64)&1 != 0 }

// room is memory for answers, in bits or bools. Batches change nothing else in it than
// their answers.
type room struct {
	words  []uint64
	bools  []bool
	margin int // before the first place
}

const (
	margin    = 16                 // words or bools looked at on both sides of the answers, more than a register writes
	places    = 64                 // in a room
	untouched = 0x5555aaaa5555aaaa // in words that no answer goes to
	mostBools = 1 << 13            // for longer batches only the bits are looked at
)

// newRoom has places for up to n answers, from any of 64 words or bools on.
func newRoom(n int) room {
	return room{make([]uint64, margin+places+asm.Words(n)+margin), make([]bool, margin+places+n+margin), margin}
}

// guardedRoom is between unreadable pages: at place 0, and at atEnd, answers are
// right beside one.
func guardedRoom(t *testing.T, n int) room {
	return room{testmem.Words(testmem.Between(t, 8*asm.Words(n))), testmem.Bools(testmem.Between(t, n)), 0}
}

const atEnd = -1

// from returns where n answers go in a room of the given size.
func (r room) from(place, size, n int) int {
	if place == atEnd {
		return size - n
	}
	return r.margin + place
}

// checkBatch looks up all hashes in a batch with answers in bits, and in another with
// bools, at a place of the room. want has the answers in bits, perhaps of more hashes.
func (k kernels) checkBatch(t *testing.T, room room, place int, body []byte, hashes, want []uint64, describe func() string) {
	wrong := k.wrongBits(room, place, body, hashes, want)
	if wrong == "" && len(hashes) < mostBools {
		wrong = k.wrongBools(room, place, body, hashes, want)
	}
	if wrong != "" {
		t.Helper() // takes longer than a small batch
		t.Fatalf("%s, batch of %d: %s", describe(), len(hashes), wrong)
	}
}

// checkLengths looks up batches of every fourth length up to longestTail, at both ends of the room for hashes.
func (k kernels) checkLengths(t *testing.T, looked []uint64, room room, body []byte, hashes, want []uint64, first int, describe func() string) {
	t.Helper()
	for n := first; n <= longestTail; n += 4 {
		some, place := looked[:n], 0
		if n%8 < 4 {
			some, place = looked[len(looked)-n:], atEnd
		}
		copy(some, hashes)
		k.checkBatch(t, room, place, body, some, want, describe)
		if !slices.Equal(some, hashes[:n]) {
			t.Fatalf("%s: looking up changed the hashes", describe())
		}
	}
}

// wrongBits says what is wrong with the answers in bits, "" if nothing is.
func (k kernels) wrongBits(room room, place int, body []byte, hashes, want []uint64) string {
	n := len(hashes)
	from := room.from(place, len(room.words), asm.Words(n))
	end := from + asm.Words(n)
	beside := room.words[max(0, from-margin):min(len(room.words), end+margin)]
	for i := range beside {
		beside[i] = untouched
	}
	k.containsBits(body, hashes, room.words[from:])
	first := max(0, from-margin) - from
	for i, got := range beside {
		word := first + i
		if word < 0 || word >= end-from {
			if got != untouched {
				return fmt.Sprintf("wrote to word %d", word)
			}
			continue
		}
		w := want[word]
		if word == n/64 {
			w &= 1<<(n%64) - 1
		}
		if got != w {
			return fmt.Sprintf("word %d is %#x, not %#x", word, got, w)
		}
	}
	return ""
}

func (k kernels) wrongBools(room room, place int, body []byte, hashes, want []uint64) string {
	n := len(hashes)
	from := room.from(place, len(room.bools), n)
	first := max(0, from-margin) - from
	beside := room.bools[from+first : min(len(room.bools), from+n+margin)]
	for i := range beside {
		beside[i] = i%3 == 0
	}
	k.containsBools(body, hashes, room.bools[from:])
	for i, got := range beside {
		w := i%3 == 0
		if j := first + i; j >= 0 && j < n {
			w = isSet(want, j)
		}
		if got != w {
			return fmt.Sprintf("bool %d is %v", first+i, got)
		}
	}
	return ""
}

package asm

import (
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/tables"
)

// linearSums is in which words of a line a kernel for one key finds the slots of its tail.
//
// The kernel multiplies without carries. A word has some slots, one below the other, of R bits each.
// The factor has a bit for each slot that is in the row, R places above the one before. So the sum of
// these slots is in the top R bits of the product, and nothing else is.
type linearSums struct {
	words [mostSums]linearSum
	used  int // of the words
}

// linearSum is a word of a line, with some slots of the tail.
type linearSum struct {
	at     uint64 // where it begins, in bytes
	first  uint64 // the number of the first slot, the uppermost
	slots  uint64 // a bit for each slot
	apart  uint64 // times these bits: each one in its place, among others
	factor uint64 // the places
}

const (
	mostSums  = 4
	mostInSum = 4 // so few that apart works for slots of seven bits
)

// tailSums has them for each length of a fingerprint.
var tailSums tables.Table[[fallback.MostLinearBits + 1]linearSums]

func linearSumsOf(r int) *linearSums { return &tailSums.Of(fillTailSums)[r] }

func fillTailSums(tails *[fallback.MostLinearBits + 1]linearSums) {
	for r := range tails {
		if fallback.LinearSlotsOf(r) > 0 {
			tails[r] = newLinearSums(r)
		}
	}
}

func newLinearSums(r int) (tail linearSums) {
	const wordBytes = 8
	for i := range tail.words {
		tail.words[i].at = BlockBytes - wordBytes
	}
	var word *linearSum
	_, slots := fallback.LinearLine(r)
	for i := range slots {
		bit := 8*BlockBytes - (i+1)*r // slots are counted down from the end
		if i == 0 || bit < 8*int(word.at) || i-int(word.first) == mostInSum {
			word = &tail.words[tail.used]
			tail.used++
			word.at, word.first = uint64(min((bit+r+7)/8, BlockBytes)-wordBytes), uint64(i)
		}
		place := 64 - r - (bit - 8*int(word.at))
		n := i - int(word.first)
		word.slots |= 1 << n
		word.apart |= 1 << (place - n)
		word.factor |= 1 << place
	}
	return tail
}

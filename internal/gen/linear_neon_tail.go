package main

import "github.com/simdbloom/simdbloom/internal/gen/neon"

// Vectors of the tails of four keys.
const (
	lineMultipliers neon.V = 23 // of the hash, two lanes

	tailRows      neon.V = 17 // first the hashes' words that have all seeds' rows
	tailSeedMask  neon.V = 18
	tailSeedBytes neon.V = 19 // which byte of the rows is the first seed's; others are none
)

var (
	tailWords   = [...]neon.V{6, 7} // two keys' each
	tailShifted = [...]neon.V{8, 9}

	tailShift, tailBit neon.V = 10, 13
)

// fingerprints finds those of four keys. They begin with the highest bit of a lane.
func (l linearLayer) fingerprints(half int) {
	const high, low = 0, 1 // lanes of the multipliers
	expected, highs, lows := lineExpected[half], lineColumns, lineLast
	l.fn.Uzp2S4(highs, lineHashes[0], lineHashes[1])
	l.fn.Uzp1S4(lows, lineHashes[0], lineHashes[1])
	l.fn.MulByLaneS4(expected, lows, lineMultipliers, low)
	l.fn.UmullByLaneD2(lows, highs, lineMultipliers, high)
	l.fn.Umull2ByLaneD2(highs, highs, lineMultipliers, high)
	if l.tails != noTail {
		l.fn.Uzp1S4(tailRows, lows, highs)
	}
	l.fn.Uzp2S4(lows, lows, highs)
	l.fn.EorB16(expected, expected, lows)
}

// addTail adds the slots of the tail that are in the rows of four keys. A slot's bits begin
// with the highest bit of a lane, and more bits follow.
func (l linearLayer) addTail(label string, half int) {
	if l.tails == noTail {
		return
	}
	slot, slots, at, word, words := lineStep[0], lineStep[1], lineStep[2], lineHash[0], lineHash[1]
	expected := lineExpected[half]
	done := label + "Done"
	if l.tails == anyTail {
		l.fn.Field(words, lineShape, "linearShape", "words", 0)
		l.fn.CmpI(words, 0)
		l.fn.Beq(done)
	}
	l.fn.AddI(slot, lineShape, l.fn.Offset("linearShape", "slots"))
	l.fn.AddI(word, lineShape, l.fn.Offset("linearShape", "word"))
	l.fn.LdpNext(at, slots, word)
	l.loadTail(at)
	l.fn.Uzp2S4(tailShift, tailWords[0], tailWords[1]) // with the headers
	l.fn.UshrS4(tailShift, tailShift, 24)
	l.fn.BifB16(tailShift, tailSeedBytes, tailSeedMask)
	l.fn.TblB16(tailRows, tailRows, tailShift)
	l.fn.Label(label)
	l.fn.LdpQNext(tailShift, tailBit, slot)
	for i, words := range tailWords {
		l.fn.UshlD2(tailShifted[i], words, tailShift)
	}
	l.fn.Uzp2S4(tailShifted[0], tailShifted[0], tailShifted[1])
	l.fn.CmtstS4(tailBit, tailRows, tailBit)
	l.fn.AndB16(tailShifted[0], tailShifted[0], tailBit)
	l.fn.EorB16(expected, expected, tailShifted[0])
	l.fn.SubsI(slots, slots, 1)
	l.fn.Bne(label)
	if l.tails == anyTail {
		l.fn.SubsI(words, words, 1)
		l.fn.Beq(done)
		l.fn.LdpNext(at, slots, word)
		l.loadTail(at)
		l.fn.B(label)
		l.fn.Label(done)
	}
}

// loadTail loads the words at a distance from the lines of four keys.
func (l linearLayer) loadTail(distance neon.X) {
	for key, at := range lineAt {
		l.fn.LdrDAt(tailWords[0]+neon.V(key), at, distance)
	}
	for i, pair := range tailWords {
		first := tailWords[0] + neon.V(2*i)
		l.fn.Zip1D2(pair, first, first+1)
	}
}

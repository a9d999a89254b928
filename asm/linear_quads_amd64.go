//go:build !purego

package asm

//lint:file-ignore U1000 linear_quads_amd64.s uses the fields of quadScratch and quadShape

import "github.com/simdbloom/simdbloom/fallback"

const (
	quadSlots = 80 // words of a line: one for each bit of a fingerprint, and then its slots

	// rowSlots is how many bits a row has for slots and a fingerprint. The next one is zero and
	// the one above that is set, so that rows are floating-point numbers, and none is infinite.
	rowSlots = 61

	// mostInWide is how many slots the first of two words has. Its lowest bit is zero.
	mostInWide = rowSlots - 1
)

// quadVector has a word for each of four lines.
type quadVector [quad]uint64

// quadShape is how the kernels for AVX2 see a line of fingerprints of some number of bits.
// A row has its slots in falling order from the highest bit down, and then the fingerprint.
// Where that is more than a word, its first slots are in one word, and the rest is another.
type quadShape struct {
	rowShift         quadVector // of the product that has the planes' slots
	align            quadVector // of the reversed slots in a row
	slots            quadVector // their bits in a row
	fingerprint      quadVector // the fingerprint's
	fingerprintShift quadVector // of the hash's word
	fingerprintEnd   quadVector // one more than the largest fingerprint
	planeBytes       [32]byte   // for VPSHUFB: the planes, in falling order
	tailBytes        [linearSeeds][32]byte
	tailOfSeeds      [32]byte // where each word is of another seed

	// For rows of two words.
	restSlots       quadVector // the bits of the reversed slots that are in the rest
	restShift       quadVector
	restTailShift   quadVector
	restTailBytes   [linearSeeds][32]byte
	restTailOfSeeds [32]byte

	planes, bits uint64
	tail         uint64
	firstLead    uint64 // from a row's bit to the slot's word, in bytes
	firstPlane   uint64 // where the last slot of the first plane is among the words
	firstTail    uint64 // and the tail's first slot
	slotShifts   linearSlotShifts
}

// quadRows are the reduced rows of four lines.
type quadRows struct {
	rows  [lineKeys]quadVector
	rests [lineKeys]quadVector // the second words
	lasts [lineKeys]quadVector // the second words of rows whose first one is zero
}

// quadScratch is the memory of the kernels for AVX2.
type quadScratch struct {
	hashes       [lineKeys + 16]uint64 // of a line, and zeros
	keys         [lineKeys]quadVector  // in the order of elimination
	highs        [lineKeys]quadVector  // their high halves
	words        [lineKeys]quadVector  // what the tail's rows come from, the bits of each byte reversed
	fingerprints [lineKeys]quadVector
	orders       [lineKeys]quadVector // more by one
	best, tried  quadRows             // of the best seed, and of the one that is tried
	empty        quadVector           // anyThreshold of lines without keys
	threshold    quadVector           // of the seed that is tried
	lowest       quadVector           // of the best seed
	seed         quadVector           // the best one
	headers      quadVector
	places       quadVector
	values       quadVector
	slots        [quad][quadSlots]uint32
	codes        [lineKeys + 32]uint16 // a key's order and number
	ranks        [lineKeys + 32]uint16 // how many codes are larger
	line         [2 * BlockBytes]byte
}

// quadSolver has the memory of the kernels for AVX2.
type quadSolver struct {
	shapes  [fallback.MostLinearBits + 1]*quadShape // of the numbers of bits that were needed
	scratch quadScratch
}

// solve solves the given number of lines, at least one and the lists' first ones, in the order of their numbers of
// keys. The other lists are empty.
//
// Four lines at once take as long as one. They try seed after seed, until all hold their keys: lines with more keys
// than slots, which try all, take 2.1 times as long as one line with all seeds at once, and others 1.3 to 1.6 times
// (Intel family 6 model 207; 8 to 20 bits).
func (q *quadSolver) solve(r int, multiplier uint32, lists *[mostSolvedLines]linearList, lines int) {
	if q.shapes[r] == nil {
		shape := newQuadShape(r)
		q.shapes[r] = &shape
	}
	wide := isWide(r)
	if lines > 1 && (lines > 2 || lists[lines-1].n <= fallback.LinearSlotsOf(r)) {
		if wide {
			linearSolveWideAVX2(q.shapes[r], uint64(multiplier), &lists[0], lines, &q.scratch)
		} else {
			linearSolveAVX2(q.shapes[r], uint64(multiplier), &lists[0], lines, &q.scratch)
		}
		return
	}
	for i := range lines {
		if wide {
			linearSolveOneWideAVX2(q.shapes[r], uint64(multiplier), &lists[i], &q.scratch)
		} else {
			linearSolveOneAVX2(q.shapes[r], uint64(multiplier), &lists[i], &q.scratch)
		}
	}
}

// isWide reports whether rows of slots and a fingerprint are two words.
func isWide(r int) bool {
	planes, tail := fallback.LinearLine(r)
	return 8*planes+tail+r > rowSlots
}

func newQuadShape(r int) (s quadShape) {
	planes, tail := fallback.LinearLine(r)
	slots := 8*planes + tail
	every := func(word uint64) quadVector { return quadVector{word, word, word, word} }
	s.rowShift, s.fingerprintShift = every(uint64(32-4*planes)), every(uint64(64-r))
	s.fingerprint, s.fingerprintEnd = every(1<<r-1), every(1<<r)
	s.planes, s.bits, s.tail = uint64(planes), uint64(r), uint64(tail)
	s.firstPlane, s.firstTail = uint64(4*(slots+r-8)), uint64(4*(tail+r-1))
	zeros := [8]int{none, none, none, none, none, none, none, none}
	falling := zeros
	for plane := range planes {
		falling[7-plane] = plane
	}
	s.planeBytes = shuffle(falling)
	for seed := range linearSeeds {
		inRow, inRest := zeros, zeros
		switch {
		case tail > 0 && planes < 8:
			inRow[7-planes] = seed
		case tail > 0:
			inRest[0] = seed
		}
		s.tailBytes[seed], s.restTailBytes[seed] = shuffle(inRow), shuffle(inRest)
		copy(s.tailOfSeeds[8*seed:], s.tailBytes[seed][8*seed:][:8])
		copy(s.restTailOfSeeds[8*seed:], s.restTailBytes[seed][8*seed:][:8])
	}
	if !isWide(r) {
		s.align = every(uint64(64 - slots - r))
		s.slots = every((1<<slots - 1) << r)
	} else {
		first := min(slots, mostInWide)
		const unaligned = 64 - rowSlots // bits of a word above a row
		s.align = every(unaligned)
		s.slots = every((1<<first - 1) << (rowSlots - first))
		s.firstLead = uint64(4 * (slots + r - rowSlots))
		rest := min(slots, 64) - first // of those that are reversed together
		s.restSlots = every((1<<rest - 1) << (64 - first - rest))
		s.restShift = every(uint64(r + slots - first - (64 - first)))
		s.restTailShift = every(uint64(r))
	}
	s.slotShifts = newLinearSlotShifts(r)
	return s
}

// none is a byte that is zero.
const none = 0x80

// shuffle returns the operand by which VPSHUFB moves the bytes of each word.
func shuffle(from [8]int) (bytes [32]byte) {
	for i := range bytes {
		bytes[i] = byte(from[i%8] + i%16/8*8) // none stays none
	}
	return bytes
}

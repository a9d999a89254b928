package fallback

import (
	"encoding/binary"
	"math/bits"
)

// LinearSolver is the memory of LinearSolve, which allocates only for a line of more keys
// than any before. The zero LinearSolver is ready for use.
type LinearSolver struct {
	ordered []uint64 // the line's hashes, in falling order
	pairs   [2]seedPair
	rows    [LinearSlots]reducedRow
	slots   slotValues
}

// LinearSolve writes the line of the given hashes, which all belong to one line of a layer
// of the given number of lines. It returns the line's threshold: the keys whose order is
// below it are not in the line. The order of the hashes makes no difference.
//
// For each seed, the threshold is the lowest at which the keys' equations have a solution.
// The line has the seed with the lowest threshold, the first one of several. Two seeds at
// once take hardly longer than one, so the other two are tried only if both of the first
// leave keys out.
func LinearSolve(solver *LinearSolver, line []byte, r int, lines uint32, hashes []uint64) (threshold uint8) {
	shape := &linearShapes[r&MostLinearBits]
	solver.order(lines, hashes)
	threshold = LinearEmpty
	seed := 0
	for i := range solver.pairs {
		pair := &solver.pairs[i]
		pair.eliminate(shape, 2*i, lines, solver.ordered)
		for k, t := range pair.thresholds {
			if t < threshold {
				threshold, seed = t, 2*i+k
			}
		}
		if threshold == 0 {
			break
		}
	}
	rows := solver.pairs[seed/2].rows(solver.rows[:0], shape, seed%2, threshold)
	solver.slots.solve(shape, rows)
	b := (*block)(line)
	solver.slots.write(b, shape)
	b[linearHeader] = threshold<<seedBits | uint8(seed)
	return threshold
}

// order sorts the hashes by counting.
func (s *LinearSolver) order(lines uint32, hashes []uint64) {
	if cap(s.ordered) < len(hashes) {
		s.ordered = make([]uint64, max(len(hashes), 2*LinearSlots))
	}
	s.ordered = s.ordered[:len(hashes)]
	var next [LinearEmpty + 1]int
	for _, hash := range hashes {
		_, order := LinearPlace(hash, lines)
		next[order&LinearEmpty]++
	}
	before := 0
	for i := len(next) - 1; i >= 0; i-- {
		next[i], before = before, before+next[i]
	}
	for _, hash := range hashes {
		_, order := LinearPlace(hash, lines)
		at := next[order&LinearEmpty]
		s.ordered[at] = hash
		next[order&LinearEmpty] = at + 1
	}
}

// slotValues are a line's slots while it is solved, one word for eight of their columns:
// planes of eight slots, with a byte for each column as in the line, then the tail's slots,
// with a byte that is 0 or 1 for each column.
type slotValues [(MostLinearBits + 7) / 8][8 + 8]uint64

// solve sets every row's first slot so that the row's slots, XORed, are its fingerprint.
// The other slots stay 0. It begins with the last row, as no row's first slot is in one
// behind it.
func (v *slotValues) solve(s *linearShape, rows []reducedRow) {
	*v = slotValues{}
	columns := v[:(s.r+7)/8]
	var masks [8 + 8]uint64 // the slots in a row, as the words of columns have them
	for i := len(rows) - 1; i >= 0; i-- {
		row := &rows[i]
		tail, fingerprint := uint64(row.rest)&s.tailMask, uint64(row.rest>>s.tail)
		first, bit := bits.TrailingZeros64(row.planes)/8, bits.TrailingZeros64(row.planes)%8
		if row.planes == 0 {
			first, bit = int(s.planes)+bits.TrailingZeros64(tail), 0
		}
		for plane := range masks[:s.planes] {
			masks[plane] = row.planes >> (8 * plane & 63) & 0xff * everyByte
		}
		for slot := range masks[s.planes:][:s.tail] {
			masks[int(s.planes)+slot] = -(tail >> slot & 1)
		}
		for at := range columns {
			sum := spread(fingerprint >> (8 * at & 63))
			for k, mask := range masks[:s.planes+s.tail] {
				sum ^= columns[at][k] & mask
			}
			columns[at][first&15] |= byteParities(sum) << bit
		}
	}
}

// spread returns the word whose byte j is bit j of x.
func spread(x uint64) uint64 {
	const bitInByte = 0x8040201008040201
	x = x & 0xff * everyByte & bitInByte
	return (x + 0x7f*everyByte) >> 7 & everyByte
}

// write writes all of a line but the header.
func (v *slotValues) write(line *block, s *linearShape) {
	*line = block{}
	for plane := range s.planes {
		for j := range s.r {
			line[plane*s.r+j] = byte(v[j/8][plane] >> (8 * (j % 8)))
		}
	}
	for i, slot := range s.slotAt[:s.tail] {
		value := uint64(0)
		for at := range v {
			value |= gathered(v[at][int(s.planes)+i]) << (8 * at)
		}
		word := line[slot.at:]
		binary.LittleEndian.PutUint64(word, binary.LittleEndian.Uint64(word)|value<<slot.bit)
	}
}

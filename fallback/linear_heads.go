package fallback

import "math/bits"

// mostHeads is the largest number of slots that are eliminated first.
const mostHeads = linearSlots + LeastLinearBits - 64

// heads are the rows of two words whose leading slots are eliminated first.
type heads struct {
	rows   [mostHeads]headRow // zero where no row has the slot
	orders [mostHeads]uint8   // of the keys
	found  uint

	// The sums that clear four slots of a row, by which of them it has. Filled once all heads
	// are found, after a few more keys than heads.
	sums [(mostHeads + headsSummed - 1) / headsSummed][1 << headsSummed]headRow
}

const headsSummed = 4

// headRow is a row of two words.
type headRow struct{ low, high uint64 }

func (h *heads) clear(s *linearShape) {
	clear(h.rows[:s.heads])
	h.found = 0
}

// reduce XORs a row with the heads that are in it. If it has a slot left that is eliminated
// first, it is added to the heads.
func (h *heads) reduce(s *linearShape, low, high uint64, order uint8) (reducedLow, reducedHigh uint64, isHead bool) {
	if h.found == s.heads {
		mask := uint64(1)<<s.heads - 1
		for i := range h.sums[:(s.heads+headsSummed-1)/headsSummed] {
			sum := &h.sums[i][low&mask>>(headsSummed*i)%(1<<headsSummed)]
			low ^= sum.low
			high ^= sum.high
		}
		return low, high, false
	}
	leading := uint64(1)
	for i := range h.rows[:s.heads] {
		row := &h.rows[i]
		in := low & leading
		x, y := low^row.low, high^row.high
		if in != 0 {
			low = x
		}
		if in != 0 {
			high = y
		}
		leading += leading
	}
	i := uint(bits.TrailingZeros64(low))
	if i >= s.heads {
		return low, high, false
	}
	h.rows[i], h.orders[i] = headRow{low, high}, order
	if h.found++; h.found == s.heads {
		h.sum(s)
	}
	return low, high, true
}

// sum fills the sums: of the slots from the last one on, whose heads have no slots before.
func (h *heads) sum(s *linearShape) {
	for i := int(s.heads) - 1; i >= 0; i-- {
		sums, place, row := &h.sums[i/headsSummed], i%headsSummed, h.rows[i]
		own := row.low >> (i - place)
		if end := i - place + headsSummed; end > int(s.heads) {
			own &= 1<<(int(s.heads)-i+place) - 1
		}
		for has := 1 << place; has < len(sums); has += 2 << place {
			rest := sums[(uint64(has)^own)%uint64(len(sums))]
			sums[has] = headRow{row.low ^ rest.low, row.high ^ rest.high}
		}
	}
}

// cut drops the rows of keys below a threshold.
func (h *heads) cut(threshold uint8, s *linearShape) {
	for i := range h.rows[:s.heads] {
		if h.orders[i] < threshold {
			h.rows[i] = headRow{}
		}
	}
}

// headless returns a row without the slots that are eliminated first.
func (s *linearShape) headless(low, high uint64) uint64 {
	return low>>(s.heads&63) | high<<(64-s.heads)
}

// substituteHeads is substitute for the heads, from the last one up.
func (y *linearSystem) substituteHeads(s *linearShape) {
	heads := y.heads.rows[:s.heads]
	for i := len(heads) - 1; i >= 0; i-- {
		h := &heads[i]
		for j := i + 1; j < len(heads); j++ {
			if h.low>>j&1 != 0 {
				h.low ^= heads[j].low
				h.high ^= heads[j].high
			}
		}
	}
	for len(heads) > 0 {
		some := heads[:min(reduced, len(heads))]
		var rows [reduced]uint64
		for i, h := range some {
			rows[i] = s.headless(h.low, h.high)
		}
		rows[0], rows[1], rows[2], rows[3] = y.reduce(0, rows[0], rows[1], rows[2], rows[3])
		for i := range some {
			h := &some[i]
			h.low, h.high = h.low&(1<<s.heads-1)|rows[i]<<s.heads, rows[i]>>(64-s.heads)
		}
		heads = heads[len(some):]
	}
}

package fallback

// Gaussian elimination, for two seeds at once. Which pivots a row is XORed with cannot be
// predicted, so there is no branch on it, and the seeds hide each other's latency: that
// takes half the time of finding the pivots one by one.
//
// A row is [planes' slots | tail's slots | fingerprint], from the lowest bit on: the planes,
// and the rest. All of it is one word, or, below 10 bits, the rest is a second one.

// seedPair is the elimination for two seeds.
type seedPair struct {
	thresholds [2]uint8
	n          int
	pivots     [2 * LinearSlots]pivotPair
	rests      [2 * LinearSlots][2]uint32 // the second words, if rows have them
	orders     [2 * LinearSlots]uint8     // of the keys that the pivots come from
	tails      [2]tailPivots
}

// pivotPair is a reduced row for each seed, of the same key, and its lowest slot, which is
// none for a seed whose row was a sum of those before. As a seed has at most a pivot for
// each slot, pairs are at most twice as many.
type pivotPair struct{ row, low [2]uint64 }

// eliminate adds keys in their order until both seeds have met a contradiction: a seed's
// threshold is above the first key with one, and 0 without any.
func (p *seedPair) eliminate(s *linearShape, seed int, lines uint32, ordered []uint64) {
	p.n, p.thresholds = 0, [2]uint8{}
	p.tails[0].n, p.tails[1].n = 0, 0
	slots := s.slotsInWord()
	for _, hash := range ordered {
		word := linearWord(hash)
		a, restA := s.equation(hash, word, seed)
		b, restB := s.equation(hash, word, seed+1)
		if s.wide {
			a, b, restA, restB = reduceWide(p.pivots[:p.n], p.rests[:p.n], a, b, restA, restB)
		} else {
			a, b = reduce(p.pivots[:p.n], a, b)
		}
		lowA, lowB := a&slots, b&slots
		if lowA|lowB != 0 {
			_, order := LinearPlace(hash, lines)
			p.pivots[p.n] = pivotPair{[2]uint64{a, b}, [2]uint64{lowA & -lowA, lowB & -lowB}}
			p.rests[p.n] = [2]uint32{restA, restB}
			p.orders[p.n] = uint8(order)
			p.n++
		}
		if lowA == 0 {
			p.addRest(0, s, restA|s.restOf(a), hash, lines)
		}
		if lowB == 0 {
			p.addRest(1, s, restB|s.restOf(b), hash, lines)
		}
		if p.thresholds[0] > 0 && p.thresholds[1] > 0 {
			return
		}
	}
}

// equation returns a key's row for a seed: one word, or two. word is the hash's.
func (s *linearShape) equation(hash, word uint64, seed int) (row uint64, rest uint32) {
	row = s.row(hash, seed) & s.planeMask
	more := tailRow(word, seed)&s.tailMask | s.fingerprint(word)<<(s.tail&63)
	if s.wide {
		return row, uint32(more)
	}
	return row | more<<(8*s.planes&63), 0
}

// slotsInWord returns the slots in a row's first word.
func (s *linearShape) slotsInWord() uint64 {
	if s.wide {
		return s.planeMask
	}
	return s.planeMask | s.tailMask<<(8*s.planes&63)
}

// restOf returns the rest of a row that is one word, and 0 of one that is two.
func (s *linearShape) restOf(row uint64) uint32 { return uint32(row >> (8 * s.planes)) }

// reduce XORs each seed's row with the pivots whose lowest slots are in it.
func reduce(pivots []pivotPair, a, b uint64) (uint64, uint64) {
	for i := range pivots {
		p := &pivots[i]
		x, y := a^p.row[0], b^p.row[1]
		if a&p.low[0] != 0 {
			a = x
		}
		if b&p.low[1] != 0 {
			b = y
		}
	}
	return a, b
}

// reduceWide is reduce for rows of two words.
func reduceWide(pivots []pivotPair, rests [][2]uint32, a, b uint64, restA, restB uint32) (uint64, uint64, uint32, uint32) {
	rests = rests[:len(pivots)]
	for i := range pivots {
		p, rest := &pivots[i], &rests[i]
		x, y := a^p.row[0], b^p.row[1]
		restX, restY := restA^rest[0], restB^rest[1]
		inA, inB := a&p.low[0], b&p.low[1]
		if inA != 0 {
			a, restA = x, restX
		}
		if inB != 0 {
			b, restB = y, restY
		}
	}
	return a, b, restA, restB
}

// addRest adds the rest of a row that has no slot left before it.
func (p *seedPair) addRest(i int, s *linearShape, rest uint32, hash uint64, lines uint32) {
	_, order := LinearPlace(hash, lines)
	if p.tails[i].contradicts(rest, uint32(s.tailMask), uint8(order)) && p.thresholds[i] == 0 {
		p.thresholds[i] = uint8(order) + 1
	}
}

// tailPivots are the pivots of rows of two words that have slots of the tail only.
type tailPivots struct {
	n      int
	rests  [8]uint32
	orders [8]uint8
}

// contradicts adds the rest of a row. It reports whether that says that nothing, XORed, is
// a fingerprint.
func (t *tailPivots) contradicts(rest, slots uint32, order uint8) bool {
	for _, pivot := range t.rests[:t.n] {
		if rest&pivot&-pivot != 0 {
			rest ^= pivot
		}
	}
	if rest&slots == 0 {
		return rest != 0
	}
	t.rests[t.n], t.orders[t.n] = rest, order
	t.n++
	return false
}

// reducedRow is a row of a solvable system. Its first slot is not in any row behind it.
type reducedRow struct {
	planes uint64
	rest   uint32
}

// rows appends the reduced rows of a seed, without those of keys below a threshold.
func (p *seedPair) rows(dst []reducedRow, s *linearShape, i int, threshold uint8) []reducedRow {
	for k := 0; k < p.n && p.orders[k] >= threshold; k++ {
		if row := p.pivots[k].row[i]; p.pivots[k].low[i] != 0 {
			dst = append(dst, reducedRow{row & s.planeMask, p.rests[k][i] | s.restOf(row)})
		}
	}
	t := &p.tails[i]
	for k := 0; k < t.n && t.orders[k] >= threshold; k++ {
		dst = append(dst, reducedRow{0, t.rests[k]})
	}
	return dst
}

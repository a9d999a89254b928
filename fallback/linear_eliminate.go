package fallback

// A row is [planes' slots | tail's slots | fingerprint], from the lowest bit on. Below 10
// bits that is more than a word: then the lowest slots, up to 15, are eliminated first, and
// the rest is a word again.

// linearSystem is the equations of a line's keys for a seed, without those that the line does
// not hold.
type linearSystem struct {
	threshold uint8
	n         int
	rows      [64]uint64 // without the leading slots of the rows before them
	leading   [64]uint64 // their leading slots: the lowest ones
	orders    [64]uint8  // of the keys
	heads     heads
}

// reduced is how many rows are reduced at once. Which of the rows before them they are XORed
// with cannot be predicted, so there is no branch on it, and the rows hide each other's
// latency.
const reduced = 4

// eliminate adds keys in their order, until it meets a contradiction: the threshold is above
// the first key with one, and 0 without any.
func (y *linearSystem) eliminate(s *linearShape, seed int, ordered []uint64, orders []uint8) {
	y.threshold, y.n = 0, 0
	y.heads.clear(s)
	slots := s.slotsInRow()
	for len(ordered) > 0 {
		var rows [reduced]uint64
		var keys [reduced]uint8 // their orders
		taken := y.equations(s, seed, &rows, &keys, ordered, orders)
		ordered, orders = ordered[taken:], orders[taken:]
		a, b, c, d := y.reduce(0, rows[0], rows[1], rows[2], rows[3])
		leadingA := lowest(a & slots)
		b = without(b, leadingA, a)
		c = without(c, leadingA, a)
		d = without(d, leadingA, a)
		leadingB := lowest(b & slots)
		c = without(c, leadingB, b)
		d = without(d, leadingB, b)
		leadingC := lowest(c & slots)
		d = without(d, leadingC, c)
		leadingD := lowest(d & slots)
		if leadingA != 0 && leadingB != 0 && leadingC != 0 && leadingD != 0 {
			y.add(a, leadingA, keys[0])
			y.add(b, leadingB, keys[1])
			y.add(c, leadingC, keys[2])
			y.add(d, leadingD, keys[3])
			continue
		}
		rows = [...]uint64{a, b, c, d}
		for i, leading := range [reduced]uint64{leadingA, leadingB, leadingC, leadingD} {
			if leading != 0 {
				y.add(rows[i], leading, keys[i])
			} else if rows[i] != 0 { // the empty XOR would have to be a fingerprint
				y.cut(keys[i]+1, s)
				return
			}
		}
	}
}

func (y *linearSystem) add(row, leading uint64, order uint8) {
	n := uint(y.n) % uint(len(y.rows))
	y.rows[n], y.leading[n], y.orders[n] = row, leading, order
	y.n++
}

// equations reads keys until it has enough rows. Without more keys, the other rows are zero.
func (y *linearSystem) equations(s *linearShape, seed int, rows *[reduced]uint64, keys *[reduced]uint8, ordered []uint64, orders []uint8) (taken int) {
	if s.heads == 0 {
		taken = min(reduced, len(ordered))
		orders = orders[:taken]
		for i, hash := range ordered[:taken] {
			rows[i%reduced], _ = s.equation(hash, seed)
			keys[i%reduced] = orders[i]
		}
		return taken
	}
	n := 0
	for ; n < reduced && taken < len(ordered); taken++ {
		row, high := s.equation(ordered[taken], seed)
		row, high, isHead := y.heads.reduce(s, row, high, orders[taken])
		if !isHead {
			rows[n], keys[n] = s.headless(row, high), orders[taken]
			n++
		}
	}
	return taken
}

// cut sets the threshold and drops the rows of keys below it.
func (y *linearSystem) cut(threshold uint8, s *linearShape) {
	y.threshold = threshold
	for y.n > 0 && y.orders[y.n-1] < threshold {
		y.n--
	}
	y.heads.cut(threshold, s)
}

// reduce XORs each row with those from a number on whose leading slots are in it.
func (y *linearSystem) reduce(from int, a, b, c, d uint64) (uint64, uint64, uint64, uint64) {
	rows := y.rows[from:y.n]
	leading := y.leading[from:][:len(rows)]
	for i, row := range rows {
		l := leading[i]
		a, b, c, d = without(a, l, row), without(b, l, row), without(c, l, row), without(d, l, row)
	}
	return a, b, c, d
}

// without returns a row without a leading slot, which another row has.
func without(row, leading, of uint64) uint64 {
	reduced := row ^ of
	if row&leading != 0 {
		row = reduced
	}
	return row
}

// lowest returns the lowest bit of x, or 0 if there is none.
func lowest(x uint64) uint64 { return x & -x }

// substitute removes from each row the leading slots of the rows behind it. The slots that are
// not leading are zero, so the rest besides its own one is that slot's value.
func (y *linearSystem) substitute(s *linearShape) {
	for end := y.n; end > 0; {
		var some [reduced]uint64
		n := min(len(some), end)
		rows, leading := y.rows[end-n:end], y.leading[end-n:end]
		copy(some[:], rows)
		some[0], some[1], some[2], some[3] = y.reduce(end, some[0], some[1], some[2], some[3])
		for i := n - 1; i >= 0; i-- {
			for j := range i {
				some[j] = without(some[j], leading[i], some[i])
			}
			rows[i] = some[i]
		}
		end -= n
	}
	y.substituteHeads(s)
}

// equation returns a key's row for a seed.
func (s *linearShape) equation(hash uint64, seed int) (low, high uint64) {
	word := linearWord(hash)
	more := tailRow(word, seed)&s.tailMask | s.fingerprint(word)<<(s.tail&63)
	return s.row(hash, seed)&s.planeMask | more<<(8*s.planes), more >> (64 - 8*s.planes)
}

// slotsInRow returns the slots in a row that is a word.
func (s *linearShape) slotsInRow() uint64 { return 1<<(s.slots()-s.heads) - 1 }

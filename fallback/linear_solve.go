package fallback

// LinearSolver is the memory of LinearSolve, which allocates only for a line of more keys
// than any before. The zero LinearSolver is ready for use.
type LinearSolver struct {
	ordered []uint64 // the line's hashes, in falling order
	orders  []uint8  // theirs
	systems [2]linearSystem
	slots   slotValues
}

// LinearSolve writes the line of the given hashes, which all belong to one line of a section
// with the given multiplier, and returns its header. The keys whose order is below the
// header's threshold are not in the line. The order of the hashes makes no difference.
//
// For each seed, the threshold is the lowest at which the keys' equations have a solution.
// The line has the seed with the lowest threshold, the first one of several. So it needs no
// other seed than the first one that leaves no key out.
func LinearSolve(solver *LinearSolver, line []byte, r int, multiplier uint32, hashes []uint64) (header byte) {
	shape := linearShapeOf(r)
	solver.order(multiplier, hashes)
	best, tried := &solver.systems[0], &solver.systems[1]
	best.eliminate(shape, 0, solver.ordered, solver.orders)
	bestSeed := 0
	for seed := 1; seed < len(linearSeeds) && best.threshold > 0; seed++ {
		tried.eliminate(shape, seed, solver.ordered, solver.orders)
		if tried.threshold < best.threshold {
			best, tried, bestSeed = tried, best, seed
		}
	}
	best.substitute(shape)
	solver.slots.set(shape, best)
	solver.slots.write((*block)(line), shape)
	return best.threshold<<seedBits | uint8(bestSeed)
}

// order sorts the hashes in falling order, by counting.
func (s *LinearSolver) order(multiplier uint32, hashes []uint64) {
	if cap(s.ordered) < len(hashes) {
		s.ordered = make([]uint64, max(len(hashes), 2*linearSlots))
		s.orders = make([]uint8, cap(s.ordered))
	}
	s.ordered, s.orders = s.ordered[:len(hashes)], s.orders[:len(hashes)]
	var next [linearEmpty + 1]int
	for _, hash := range hashes {
		_, order := LinearPlace(hash, multiplier)
		next[order%uint64(len(next))]++
	}
	before := 0
	for i := len(next) - 1; i >= 0; i-- {
		next[i], before = before, before+next[i]
	}
	for _, hash := range hashes {
		_, order := LinearPlace(hash, multiplier)
		at := &next[order%uint64(len(next))]
		s.ordered[*at], s.orders[*at] = hash, uint8(order)
		*at++
	}
}

// LinearBumped stores the hashes that the keys which their lines do not hold have in the next layer,
// and returns how many these are. The hashes of line i end at ends[i], and begin where those of the
// line before it end. dst is at least as long as the hashes. It does not branch on a key.
func LinearBumped(dst []uint64, headers []byte, multiplier uint32, ends []int, hashes []uint64) (n int) {
	dst = dst[:len(hashes)]
	from := 0
	for line, to := range ends {
		threshold := LinearPlacesBelow(headers[line])
		for _, hash := range hashes[from:to] {
			dst[n] = LinearNext(hash)
			_, order := LinearPlace(hash, multiplier)
			n += int(below(order, threshold))
		}
		from = to
	}
	return n
}

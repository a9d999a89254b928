package fallback

// LinearSolver is the memory of LinearSolve, which allocates only for a line of more keys
// than any before. The zero LinearSolver is ready for use.
type LinearSolver struct {
	ordered []uint64 // the line's hashes, in falling order
	orders  []uint8  // theirs
	systems [2]linearSystem
	slots   slotValues
}

// LinearSolve writes the line of the given hashes, which all belong to one line of a layer
// of the given number of lines. It returns the line's threshold: the keys whose order is
// below it are not in the line. The order of the hashes makes no difference.
//
// For each seed, the threshold is the lowest at which the keys' equations have a solution.
// The line has the seed with the lowest threshold, the first one of several. So it needs no
// other seed than the first one that leaves no key out.
func LinearSolve(solver *LinearSolver, line []byte, r int, lines uint32, hashes []uint64) (threshold uint8) {
	shape := &linearShapes[r&MostLinearBits]
	solver.order(lines, hashes)
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
	b := (*block)(line)
	solver.slots.set(shape, best)
	solver.slots.write(b, shape)
	b[linearHeader] = best.threshold<<seedBits | uint8(bestSeed)
	return best.threshold
}

// order sorts the hashes in falling order, by counting.
func (s *LinearSolver) order(lines uint32, hashes []uint64) {
	if cap(s.ordered) < len(hashes) {
		s.ordered = make([]uint64, max(len(hashes), 2*linearSlots))
		s.orders = make([]uint8, cap(s.ordered))
	}
	s.ordered, s.orders = s.ordered[:len(hashes)], s.orders[:len(hashes)]
	var next [linearEmpty + 1]int
	for _, hash := range hashes {
		_, order := LinearPlace(hash, lines)
		next[order%uint64(len(next))]++
	}
	before := 0
	for i := len(next) - 1; i >= 0; i-- {
		next[i], before = before, before+next[i]
	}
	for _, hash := range hashes {
		_, order := LinearPlace(hash, lines)
		at := &next[order%uint64(len(next))]
		s.ordered[*at], s.orders[*at] = hash, uint8(order)
		*at++
	}
}

package main

import "math"

// The filters of packages legacy and leveldb have hashes of 32 bits: here the low halves of
// 64, or for keys their own.

// narrowEntrants are these filters, as far as their formats go.
func narrowEntrants(s *settings, fill filling) (entrants []*entrant) {
	const limit = 512 << 20
	for _, c := range []contestant{newLegacy(s), newLevelDB(s)} {
		e := &entrant{contestant: c, passes: 2, leftOut: fill.bytes >= limit}
		if e.leftOut {
			e.note = "is left out: its filters are smaller than " + sizeText(limit)
		}
		entrants = append(entrants, e)
	}
	return entrants
}

// wholeBits is the bits per key of filters that take whole ones.
func wholeBits(fill filling) float64 { return math.Floor(fill.bitsPerKey) }

package filterset

import (
	"math/bits"
	"slices"
)

// sortHashes sorts hashes, with room for as many. Hashes of keys are sorted by their top bits in passes over all
// of them; the few hashes with the same top bits are neighbours then.
func sortHashes(hashes, room []uint64) {
	const (
		digit  = 11 // bits: their counts fit a cache
		passes = 3
	)
	if len(hashes) < 1<<digit {
		slices.Sort(hashes)
		return
	}
	// The hashes of one part differ in all bits but few.
	from, to := hashes, room[:len(hashes)]
	for pass := range passes {
		shift := 64 - digit*(passes-pass)
		var ends [1 << digit]int
		for _, h := range from {
			ends[h>>shift&(1<<digit-1)]++
		}
		begin := 0
		for i, n := range ends {
			ends[i] = begin
			begin += n
		}
		for _, h := range from {
			at := &ends[h>>shift&(1<<digit-1)]
			to[*at] = h
			*at++
		}
		from, to = to, from
	}
	copy(hashes, from) // the number of passes is odd
	for begin := 0; begin < len(hashes); {
		end := begin + 1
		for end < len(hashes) && bits.LeadingZeros64(hashes[begin]^hashes[end]) >= digit*passes {
			end++
		}
		if end > begin+1 {
			slices.Sort(hashes[begin:end])
		}
		begin = end
	}
}

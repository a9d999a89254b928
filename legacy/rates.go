package legacy

import (
	"math"
	"math/rand/v2"

	"github.com/simdbloom/simdbloom/asm"
)

// sampledHashes is how many random hashes EstimatedFPR looks up.
const sampledHashes = 1 << 21

// EstimatedFPR returns the filter's false-positive rate, found by looking up two million
// random hashes, always the same ones: 0 for an empty filter, 1 for one that may contain
// everything. It takes tens of milliseconds. A rate of 1 % is within 1 % of the real one, a
// rate of 0.01 % within 10 %.
//
// The bits that are set do not say the rate: see [PredictedFPR].
func (f *Filter) EstimatedFPR() float64 {
	switch f.kind {
	case Legacy:
	case Empty:
		return 0
	default:
		return 1
	}
	random := rand.New(rand.NewPCG(1, 2))
	var hashes [512]uint32
	var hits [len(hashes)]bool
	found := 0
	for range sampledHashes / len(hashes) {
		for i := range hashes {
			hashes[i] = random.Uint32()
		}
		f.kernel.ContainsBools(hashes[:], hits[:])
		found += count(hits[:])
	}
	return float64(found) / sampledHashes
}

const (
	mostLines   = 1 << 12 // that PredictedFPR makes
	mostAdded   = 1 << 18 // keys in all of them, about: full lines need fewer
	fullLine    = 1 << 13 // keys in a line, whose bits are all set
	lineLookups = 1 << 9  // in each
)

// PredictedFPR returns the expected false-positive rate of a filter of n different keys. It is
// 0 without keys, and NaN for arguments that NewBuilder refuses and for more keys than a filter
// can hold.
//
// The format has two weaknesses, which it accounts for. A key's hash has only 32 bits: n keys
// give at least n/2^32 of all others their answer. And one hash chooses the line, and the bits
// in it: if the number of lines is near a power of two from 2^14 on, the hashes of a line have
// similar bits. At 10 bits per key the rate is 1.2 % for most numbers of keys, but 2.8 % for
// 1,677,772 (2^15+1 lines), 6.9 % for 3,355,392 (2^16-1), and 1.3 % again for 3,358,771
// (2^16+65).
//
// It makes lines and looks up hashes in them, always the same ones, which takes tens of
// milliseconds. A rate of 1 % is within 2 % of the real one.
func PredictedFPR(n int, bitsPerKey float64, options ...Option) float64 {
	o, err := chosen(bitsPerKey, options)
	if err != nil {
		return math.NaN()
	}
	if n <= 0 {
		return 0
	}
	lines, probes := o.size(n)
	if lines*asm.BlockBytes > asm.MaxBodyBytes {
		return math.NaN()
	}
	return sampledRate(n, uint32(lines), probes)
}

// sampledRate makes lines of a filter, with a random number of its keys in each, and
// looks up hashes that belong to the line.
func sampledRate(n int, lines uint32, probes int) float64 {
	random := rand.New(rand.NewPCG(3, 4))
	perLine := min(float64(n)/float64(lines), fullLine)
	sampled := int(min(mostLines, mostAdded/perLine))
	var room [lineLookups]uint32
	var hits [lineLookups]bool
	found := 0
	for range sampled {
		line := random.Uint32N(lines)
		// The hashes of a line are line, line+lines, line+2*lines and so on.
		others := uint64((1<<32 - 1 - line) / lines)
		hashes := func(n int) []uint32 {
			for i := range room[:n] {
				room[i] = line + lines*uint32(random.Uint64N(others+1))
			}
			return room[:n]
		}
		var body [asm.BlockBytes]byte
		for left := poisson(random, perLine); left > 0; {
			n := min(left, len(room))
			asm.LegacyAdd(body[:], 1, probes, hashes(n))
			left -= n
		}
		f := asm.NewLegacy(body[:], 1, probes)
		f.ContainsBools(hashes(lineLookups), hits[:])
		found += count(hits[:])
	}
	return float64(found) / float64(sampled*lineLookups)
}

func count(hits []bool) (n int) {
	for _, hit := range hits {
		if hit {
			n++
		}
	}
	return n
}

// poisson returns a number of events, of which there are as many as the mean on average.
func poisson(random *rand.Rand, mean float64) (n int) {
	for left := mean; ; n++ {
		if left -= random.ExpFloat64(); left < 0 {
			return n
		}
	}
}

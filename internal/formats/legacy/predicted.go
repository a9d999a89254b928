package legacy

import (
	"math"
	"math/rand/v2"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/rates"
)

const (
	mostLines   = 1 << 12 // that PredictedFPR makes
	mostAdded   = 1 << 18 // keys in all of them, about: full lines need fewer
	fullLine    = 1 << 13 // keys in a line, whose bits are all set
	lineLookups = 1 << 9  // in each
)

// PredictedFPR returns the expected rate of a filter of n keys: NaN for what builders refuse.
func PredictedFPR(n int, bitsPerKey float64, o *building.Options) float64 {
	p, err := chosen(bitsPerKey, o)
	return p.predictedFPR(n, err, 1)
}

// predictedFPR is PredictedFPR if that is at most the given rate, or else any higher rate.
func (p plan) predictedFPR(n int, err error, most float64) float64 {
	return rates.IfBuilt(n, err, func(keys uint64) float64 {
		lines, probes := p.size(keys)
		if lines*asm.BlockBytes > asm.MaxBodyBytes {
			return math.NaN()
		}
		return sampledRate(n, uint32(lines), probes, most)
	})
}

// BitsPerKeyFor returns the fewest bits per key at which a filter of n keys has a rate of at most fpr, or NaN.
func BitsPerKeyFor(n int, fpr float64) float64 {
	if !(fpr >= math.Ldexp(float64(n), -32)) {
		return math.NaN()
	}
	for bitsPerKey := uint64(1); bitsPerKey <= building.MostBitsPerKey; bitsPerKey++ {
		if (plan{bitsPerKey: bitsPerKey}).predictedFPR(n, nil, fpr) <= fpr {
			return float64(bitsPerKey)
		}
	}
	return math.NaN()
}

// sampledRate makes lines of a filter, with a random number of its keys in each, and
// looks up hashes that belong to the line. It ends as soon as the rate is certainly above most.
func sampledRate(n int, lines uint32, probes int, most float64) float64 {
	random := rand.New(rand.NewPCG(3, 4))
	perLine := min(float64(n)/float64(lines), fullLine)
	sampled := int(min(mostLines, mostAdded/perLine))
	var room [lineLookups]uint64
	found, lookups := 0, float64(sampled*lineLookups)
	for range sampled {
		line := random.Uint32N(lines)
		// The hashes of a line are line, line+lines, line+2*lines and so on.
		others := uint64((1<<32 - 1 - line) / lines)
		hashes := func(n int) []uint64 {
			for i := range room[:n] {
				room[i] = uint64(line + lines*uint32(random.Uint64N(others+1)))
			}
			return room[:n]
		}
		var body [asm.BlockBytes]byte
		for left := poisson(random, perLine); left > 0; {
			n := min(left, len(room))
			asm.LegacyAdd(body[:], 1, probes, hashes(n))
			left -= n
		}
		kernel := asm.NewLegacy(body[:], 1, probes)
		found += foundOf(&kernel, hashes(lineLookups))
		if float64(found)/lookups > most {
			break
		}
	}
	return float64(found) / lookups
}

// poisson returns a random number of events with the given mean, by the Poisson distribution.
func poisson(random *rand.Rand, mean float64) (n int) {
	for left := mean; ; n++ {
		if left -= random.ExpFloat64(); left < 0 {
			return n
		}
	}
}

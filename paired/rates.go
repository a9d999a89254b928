package paired

import (
	"math"
	"slices"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/rates"
)

// PredictedFPR returns the expected false-positive rate of a filter of n different keys that is built with
// the same options: 0 without keys, NaN for arguments that NewBuilder refuses and for more keys than a filter
// holds.
//
// It accounts for the filter's exact size, for how n keys scatter over its lines and
// what pairing makes of that, and for the 32 bits of a hash that a key's positions in
// its lines come from: 40 bits per key have a rate of 2e-8, and 60 still 5e-9. It takes
// about half a millisecond, and is within 3 % of the measured rate, wherever that was
// measured to 1 % (docs/accuracy.md).
func PredictedFPR(n int, bitsPerKey float64, options ...simdbloom.Option) float64 {
	p, err := chosen(bitsPerKey, building.Apply(options))
	if err != nil {
		return math.NaN()
	}
	keys := uint64(max(n, 0))
	f := p.format(keys)
	if f.body > maxBodyBytes(f.batchBlocks) {
		return math.NaN()
	}
	return f.predictedFPR(keys)
}

// PredictedFPRWithin is PredictedFPR of a filter that is built [simdbloom.WithMaxBytes](maxBytes). No
// number of keys is too large.
//
// Far below 1 bit per key it takes up to ten milliseconds.
func PredictedFPRWithin(n int, bitsPerKey float64, maxBytes int, options ...simdbloom.Option) float64 {
	return PredictedFPR(n, bitsPerKey, append(slices.Clip(options), simdbloom.WithMaxBytes(maxBytes))...)
}

// predictedFPR returns the expected rate of a filter of n keys.
func (f *format) predictedFPR(n uint64) float64 {
	if n == 0 {
		return 0
	}
	if building.RealMillibits(f.body, n) < rates.FullMillibits {
		return 1
	}
	batches := f.body / batchBytes(f.batchBlocks)
	// Batches differ in how many keys each gets; within one, pairing leaves little
	// scatter. Five points and their weights stand for the normal distribution of the
	// numbers of keys (Gauss-Hermite quadrature).
	mean := float64(n) / float64(batches)
	deviation := math.Sqrt(mean * (1 - 1/float64(batches)))
	rate := 0.0
	for _, point := range [...]struct{ at, weight float64 }{
		{0, 8. / 15},
		{1.3556261799742659, 0.22207592200561266},
		{-1.3556261799742659, 0.22207592200561266},
		{2.8569700138728056, 0.011257411327720691},
		{-2.8569700138728056, 0.011257411327720691},
	} {
		keys, part := math.Modf(math.Max(0, mean+point.at*deviation))
		own := f.batchRate(keys)
		if part > 0 {
			own += part * (f.batchRate(keys+1) - own)
		}
		rate += point.weight * own
	}
	return math.Min(rate, 1)
}

// BitsPerKeyFor returns the fewest bits per key, to a thousandth, at which a filter of n keys has a
// PredictedFPR of at most fpr, or NaN, which NewBuilder refuses, if no setting has that rate.
//
// It takes up to 20 milliseconds.
//
// PredictedFPR is the mean of all filters of n keys. A single filter's rate, which
// [simdbloom.Filter.EstimatedFPR] estimates, differs from it: at 10 to 23.4 bits per key by a
// standard deviation of 1 to 4 % with 10,000 keys, and about 1 % with 100,000.
//
// Paired or FastLocal (package [bloom])? For a million keys, bits per key:
//
//	rate         1 in 10   1 in 100   1 in 1,000   1 in 10,000   1 in 100,000
//	FastLocal       4.84       9.92        15.55         22.03          29.76
//	Paired          4.92       9.83        14.62         19.53          24.58
//
// So Paired needs fewer bits above 10 bits per key, the more the lower the rate, and
// FastLocal is better below 6. The number of keys matters only because a filter is a
// whole number of batches: Paired needs fewer bits from about 1,000 keys with batches of
// 32, and from 10,000 with batches of 128 (50,000 if rounding up should add at most
// 5 %). Its price is a second cache line for present keys. (Measured:
// docs/accuracy.md.)
//
// [bloom]: https://pkg.go.dev/github.com/simdbloom/simdbloom/bloom
func BitsPerKeyFor(n int, fpr float64, options ...simdbloom.Option) float64 {
	p, err := chosen(building.LeastBitsPerKey, building.Apply(options))
	if err != nil {
		return math.NaN()
	}
	most := building.MostMillibits(func(millibits int) bool {
		p.millibits = millibits
		f := p.format(uint64(max(n, 0)))
		return f.body <= maxBodyBytes(f.batchBlocks)
	})
	probes := func(millibits int) int { return numProbes(millibits, p.batchBlocks) }
	known := make(map[format]float64) // filters of few keys are the same for many numbers of bits
	return rates.LeastBitsPerKey(fpr, most, probes, func(millibits int) float64 {
		p.millibits = millibits
		f := p.format(uint64(max(n, 0)))
		rate, ok := known[f]
		if !ok {
			rate = f.predictedFPR(uint64(max(n, 0)))
			known[f] = rate
		}
		return rate
	})
}

// batchRate returns the expected rate of a batch with the given number of keys, from
// the number of keys of each pair of its lines: the emptiest line's and the fullest
// one's, and so on towards the middle. It assumes the average number of lines with each
// count, which a binomial distribution gives, and adds the scatter of a pair's sum.
func (f *format) batchRate(keys float64) float64 {
	n := float64(f.batchBlocks)
	var counts, upTo []float64 // counts, and the share of lines with at most that count
	sum := 0.0
	rates.Binomial(uint64(keys), 1/n, func(count int, probability float64) {
		sum += probability
		counts, upTo = append(counts, float64(count)), append(upTo, sum)
	})
	perLine := keys / n
	// Counts are whole numbers: with few keys there is little scatter but that. The
	// factor is what throwing keys at random leaves of the normal distribution's.
	variance := math.Max(0, perLine-1) / n
	total, done := 0.0, 0.0 // done is the share of lines that are the emptier ones of the pairs so far
	low, high := 0, len(counts)-1
	for done < 0.5 {
		next := math.Min(0.5, upTo[low])
		if high > 0 {
			next = math.Min(next, math.Max(1-upTo[high-1], done))
		}
		if next > done { // false if the fullest lines are too few to count
			pair := counts[low] + counts[high]
			spread := math.Sqrt(3 * variance * pairVariance((done+next)/2, n))
			total += (next - done) * (4*rates.PairOf(pair, f.batchBlocks, f.probes) + rates.PairOf(pair-spread, f.batchBlocks, f.probes) + rates.PairOf(pair+spread, f.batchBlocks, f.probes)) / 6 // Gauss and Hermite
		}
		if next == upTo[low] {
			low++
		} else if next < 0.5 {
			high--
		}
		done = next
	}
	return 2 * total
}

// pairVariance returns, in units of the variance of one of n normal deviates over
// n, the variance of the sum of two of them whose mean is known: the one above a
// share p of all and the one below the same share. It follows from the asymptotic
// covariances of order statistics.
func pairVariance(p, n float64) float64 {
	p = math.Max(p, 0.5/n)
	z := math.Sqrt2 * math.Erfinv(2*p-1)
	density := math.Exp(-z*z/2) / math.Sqrt(2*math.Pi)
	return 2*p/(density*density) - 4
}

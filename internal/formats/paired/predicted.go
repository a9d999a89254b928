package paired

import (
	"math"

	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/formats/fastlocal"
	"github.com/simdbloom/simdbloom/internal/rates"
)

// PredictedFPR returns the expected rate of a filter of n keys: NaN for what builders refuse.
func PredictedFPR(n int, bitsPerKey float64, o *building.Options) float64 {
	p, err := chosen(bitsPerKey, o)
	if err != nil {
		return math.NaN()
	}
	keys := uint64(max(n, 0))
	f := p.format(keys)
	if !f.fits() {
		return math.NaN()
	}
	return f.predictedFPR(keys)
}

// predictedFPR returns the expected rate of a filter of n keys.
func (f *format) predictedFPR(n uint64) float64 {
	if n == 0 {
		return 0
	}
	if building.RealMillibits(f.body, n) < rates.FullMillibits {
		return 1
	}
	if f.batchBlocks == 0 {
		return fastlocal.PredictedFPR(f.body, f.probes, n)
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

// BitsPerKeyFor returns the bits per key of the smallest filter of n keys that has a rate of at most fpr, or NaN. Among
// settings of one size it is the one with the lowest rate.
func BitsPerKeyFor(n int, fpr float64, o *building.Options) float64 {
	p, err := chosen(building.LeastBitsPerKey, o)
	if err != nil {
		return math.NaN()
	}
	keys := uint64(max(n, 0))
	formatAt := func(millibits int) format {
		p.millibits = millibits
		return p.format(keys)
	}
	most := building.MostMillibits(func(millibits int) bool { return formatAt(millibits).fits() })
	kind := func(millibits int) int {
		f := formatAt(millibits)
		return f.batchBlocks<<8 | f.probes
	}
	known := make(map[format]float64) // filters of few keys are the same for many numbers of bits
	rate := func(millibits int) float64 {
		f := formatAt(millibits)
		rate, ok := known[f]
		if !ok {
			rate = f.predictedFPR(keys)
			known[f] = rate
		}
		return rate
	}
	bitsPerKey := rates.LeastBitsPerKey(fpr, most, kind, rate)
	if math.IsNaN(bitsPerKey) {
		return bitsPerKey
	}
	least := int(math.Round(1000 * bitsPerKey))
	best := least
	for m := least + 1; m <= most && formatAt(m).body == formatAt(least).body; m++ {
		if kind(m) != kind(m-1) && rate(m) < rate(best) {
			best = m
		}
	}
	return float64(best) / 1000
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
	// factor is the share of the normal distribution's variance that throwing keys at random leaves.
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
			total += (next - done) * (4*PairOf(pair, f.batchBlocks, f.probes) + PairOf(pair-spread, f.batchBlocks, f.probes) + PairOf(pair+spread, f.batchBlocks, f.probes)) / 6 // Gauss and Hermite
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

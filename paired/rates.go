package paired

import (
	"math"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/rates"
)

// EstimatedFPR returns the share of absent keys that Contains answers true for,
// from the bits that are really set: 0 for an empty filter, 1 for one that may
// contain everything. It reads the whole filter.
func (f *Filter) EstimatedFPR() float64 {
	body, batch, half := f.reader.Body(), f.reader.BatchBlocks(), f.reader.Probes()/2
	if len(body) == 0 {
		return f.reader.FixedRate()
	}
	index := indexBits(batch)
	var most [publishedBlocks]float64
	passes := most[:batch] // the share of keys that pass each line of a batch
	sum := 0.0
	for at := 0; at < len(body); at += batch * asm.BlockBytes {
		line := func(i int) []byte { return body[at+i*asm.BlockBytes : at+(i+1)*asm.BlockBytes] }
		for i := range passes {
			passes[i] = rates.Power(rates.Fill(line(i), index), half)
		}
		for i, own := range passes {
			sum += own * passes[int(line(i)[0])&(batch-1)]
		}
	}
	return sum / float64(len(body)/asm.BlockBytes)
}

// PredictedFPR returns the share of absent keys that a filter of n different
// keys, built with the given options, is expected to answer true for. It goes by
// the size that the filter will really have. It is 0 without keys, and NaN for
// bits per key or options that NewBuilder refuses and for more keys than a filter
// can hold. It takes about half a millisecond.
func PredictedFPR(n int, bitsPerKey float64, options ...Option) float64 {
	millibits, err := building.Millibits(bitsPerKey)
	if err != nil {
		return math.NaN()
	}
	o, err := chosen(options)
	if err != nil {
		return math.NaN()
	}
	if n <= 0 {
		return 0
	}
	f := newFormat(millibits, o.layout)
	size := f.BodyBytes(uint64(n))
	if size > f.MaxBodyBytes() {
		return math.NaN()
	}
	batches := size / f.batchBytes()
	// What sets a filter's batches apart is how many keys each gets; within one,
	// pairing leaves little scatter. Five points weigh the first like a normal
	// distribution does (Gauss and Hermite).
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
		rate += point.weight * f.batchRate(math.Max(0, math.Round(mean+point.at*deviation)))
	}
	return math.Min(rate, 1)
}

// BitsPerKeyFor returns the least number of bits per key, to a thousandth, at
// which PredictedFPR(n, bitsPerKey, options...) is at most fpr. It is +Inf, which
// NewBuilder refuses, if no number does it, and NaN if fpr is or for options that
// NewBuilder refuses. It takes about ten milliseconds.
func BitsPerKeyFor(n int, fpr float64, options ...Option) float64 {
	o, err := chosen(options)
	if err != nil {
		return math.NaN()
	}
	most := building.MostMillibits(uint64(max(n, 0)), func(millibits int) building.Format {
		return newFormat(millibits, o.layout)
	})
	probes := func(millibits int) int { return numProbes(millibits, o.batchBlocks) }
	return rates.LeastBitsPerKey(fpr, most, probes, func(bitsPerKey float64) float64 {
		return PredictedFPR(n, bitsPerKey, options...)
	})
}

// batchRate returns the expected rate of a batch with so many keys, from how many
// of them each pair of its lines may have: the sum of the i-th lowest and the
// i-th highest of the lines' counts.
func (f *format) batchRate(keys float64) float64 {
	n := f.batchBlocks
	expected := orderStatistics(n, uint64(keys))
	positions, half := blockBits-indexBits(n), f.probes/2
	rate := func(pair float64) float64 {
		return rates.Power(rates.AllSet(positions, pair*float64(half), half), 2)
	}
	sum := 0.0
	for i := range n / 2 {
		pair := expected[i] + expected[n-1-i]
		scatter := keys / float64(n) * pairVariance(i, n)
		deviation := math.Sqrt(scatter)
		sum += (rate(pair-deviation) + rate(pair+deviation)) / 2
	}
	return sum / float64(n/2)
}

// pairVariance returns the variance of the sum of the i-th lowest and the i-th
// highest of n normal deviates whose mean is known, from the asymptotic
// covariances of order statistics.
func pairVariance(i, n int) float64 {
	p := (float64(i) + 0.5) / float64(n)
	z := math.Sqrt2 * math.Erfinv(2*p-1)
	density := math.Exp(-z*z/2) / math.Sqrt(2*math.Pi)
	return (2*p/(density*density) - 4) / float64(n)
}

// orderStatistics returns the expected counts of a batch's n lines, from the
// lowest to the highest, when so many keys fall on them.
func orderStatistics(n int, keys uint64) []float64 {
	expected := make([]float64, n)
	atMost := 0.0 // the probability that a line has at most count keys
	rates.Binomial(keys, 1/float64(n), func(count int, probability float64) {
		if atMost == 0 { // the counts begin here
			for i := range expected {
				expected[i] = float64(count)
			}
		}
		atMost = math.Min(atMost+probability, 1)
		// The i-th lowest is higher than count if no more than i lines are not.
		higher, next := 0.0, 0
		rates.Binomial(uint64(n), atMost, func(lines int, probability float64) {
			for ; next < lines; next++ {
				expected[next] += higher
			}
			higher += probability
		})
		for ; next < n; next++ {
			expected[next] += higher
		}
	})
	return expected
}

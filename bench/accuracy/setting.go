package main

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/geometry"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
)

// open opens filters. A test replaces it.
var open = simdbloom.Open

// setting is a format, a number of keys and their bits per key, and the measurements: filters of
// random hashes were queried with other random hashes.
type setting struct {
	Format     string  `json:"format"`
	Keys       int     `json:"keys"`
	BitsPerKey float64 `json:"bits_per_key"`
	Promised   float64 `json:"promised,omitempty"` // the rate that BitsPerKeyFor got
	Shared     string  `json:"shared,omitempty"`   // how the hashes chose the shard in which all of them are

	// Bits and Longer describe a single filter's fingerprints, from package linear.
	Bits   int `json:"bits,omitempty"`
	Longer int `json:"longer,omitempty"`

	Filters        int     `json:"filters"`
	Bytes          int     `json:"bytes"` // of a filter
	Queries        int     `json:"queries"`
	FalsePositives int     `json:"false_positives"`
	Predicted      float64 `json:"predicted"`
	Estimated      float64 `json:"estimated"` // the mean of the filters' EstimatedFPR
	// Scatter is the standard deviation of one filter's EstimatedFPR, relative to the mean.
	Scatter float64 `json:"scatter"`
	// Error is why no filter was built.
	Error string `json:"error,omitempty"`
}

// hash returns the hash of a random number, which is in the setting's shard.
func (s *setting) hash() func(random uint64) uint64 {
	for _, shard := range vectors.Shards {
		if shard.Rule == s.Shared {
			return shard.Hash
		}
	}
	return func(random uint64) uint64 { return random }
}

// plan chooses the number of queries for a number of false positives, and enough filters for the mean
// of many keys.
func (s *setting) plan(falsePositives, mostQueries, keysInAll float64) {
	const least, mostFilters, fewFilters = 1000, 2000, 40
	f := formatOf(s.Format)
	s.Predicted = f.predicted(s.Keys, s.BitsPerKey)
	queries := math.Min(math.Max(falsePositives/s.Predicted, 100*falsePositives), mostQueries)
	most := mostFilters
	if f.fewFilters {
		most = fewFilters
	}
	s.Filters = max(1, min(int(keysInAll)/s.Keys, most))
	s.Queries = s.Filters * max(least, int(queries)/s.Filters)
}

// atOnce is how many hashes are drawn and looked up at a time.
const atOnce = 4096

// measure builds the filters and counts. The same setting always meets the same hashes. A key that is
// not found is an error.
func (s *setting) measure() error {
	f, hash := formatOf(s.Format), s.hash()
	var seed [32]byte
	copy(seed[:], fmt.Sprint(s.Format, s.Keys, s.BitsPerKey, s.Shared))
	builder, err := f.builder(s.BitsPerKey)
	if err != nil {
		return fmt.Errorf("%s: %w", s, err)
	}
	random := rand.NewChaCha8(seed)
	hashes := make([]uint64, atOnce)
	draw := func(from *rand.ChaCha8, n int, do func(some []uint64)) {
		for ; n > 0; n -= atOnce {
			some := hashes[:min(n, atOnce)]
			for i := range some {
				some[i] = hash(from.Uint64())
			}
			do(some)
		}
	}
	var filter *simdbloom.Filter
	sum, squares := 0.0, 0.0
	for range s.Filters {
		keys := *random // as it is before the keys are drawn
		draw(random, s.Keys, builder.AddHashes)
		data, err := builder.Finish()
		if err != nil && s.Shared != "" {
			s.Error = err.Error()
			return nil
		} else if err != nil {
			return fmt.Errorf("%s: %w", s, err)
		}
		filter, err = open(f.format, data, f.hash)
		if err != nil {
			return fmt.Errorf("%s: %w", s, err)
		}
		var hits [atOnce / 64]uint64
		count := func(some []uint64) (n int) {
			filter.ContainsHashBits(some, hits[:])
			for _, word := range hits[:(len(some)+63)/64] {
				n += bits.OnesCount64(word)
			}
			return n
		}
		found := 0
		draw(&keys, s.Keys, func(some []uint64) { found += count(some) })
		if found < s.Keys {
			return fmt.Errorf("FALSE NEGATIVE, which must not happen: %s: %d keys were not found", s, s.Keys-found)
		}
		draw(random, s.Queries/s.Filters, func(some []uint64) { s.FalsePositives += count(some) })
		s.Bytes = len(data)
		own := filter.EstimatedFPR()
		sum += own
		squares += own * own
	}
	filters := float64(s.Filters)
	s.Estimated = sum / filters
	if f == linearFilter && s.Filters == 1 {
		s.Bits, s.Longer = geometry.FingerprintBits(filter), geometry.LongerFingerprints(filter)
	}
	if s.Filters > 1 {
		s.Scatter = math.Sqrt(math.Max(0, squares/filters-s.Estimated*s.Estimated)*filters/(filters-1)) / s.Estimated
	}
	s.Estimated, s.Scatter, s.Predicted = digits(s.Estimated, 5), digits(s.Scatter, 3), digits(s.Predicted, 5)
	return nil
}

func (s *setting) String() string {
	text := fmt.Sprintf("%s, %d keys, %v bits/key", s.Format, s.Keys, s.BitsPerKey)
	if s.Shared != "" {
		text += ", a shard by " + s.Shared
	}
	return text
}

// measured is the rate that was counted.
func (s *setting) measured() float64 { return float64(s.FalsePositives) / float64(s.Queries) }

// stored are a filter's bits per key.
func (s *setting) stored() float64 { return 8 * float64(s.Bytes) / float64(s.Keys) }

// deviation is the standard deviation of the number of false positives, if the given rate is the mean of
// such filters: of the count, and of the filters that it happened to be.
func (s *setting) deviation(rate float64) float64 {
	expected := rate * float64(s.Queries)
	return math.Hypot(math.Sqrt(expected*(1-rate)), s.Scatter/math.Sqrt(float64(s.Filters))*expected)
}

// off is by how many standard deviations the measured rate is above the predicted one.
func (s *setting) off() float64 {
	return (float64(s.FalsePositives) - s.Predicted*float64(s.Queries)) / s.deviation(s.Predicted)
}

// explained reports whether a count of false positives is off by no more than a tolerance, and four standard
// deviations, and three by chance where hardly any are expected.
func explained(count int, expected, tolerance, deviation float64) bool {
	return math.Abs(float64(count)-expected) <= tolerance*expected+4*deviation+3
}

// check returns an error if a rate is off by more than its format's tolerance and chance explain.
func (s *setting) check() error {
	explained := func(rate, tolerance float64) bool {
		return explained(s.FalsePositives, rate*float64(s.Queries), tolerance, s.deviation(rate))
	}
	f := formatOf(s.Format)
	ofPredicted := f.ofPredicted
	if f.exactFrom > 0 && s.Keys >= f.exactFrom {
		ofPredicted = 0
	}
	better := s.Bytes <= f.betterUpTo && s.measured() < s.Predicted
	switch {
	case s.Shared != "" && f != linearFilter:
		return nil // measured because it may be off
	case !explained(s.Predicted, ofPredicted) && !better:
		return fmt.Errorf("%s: measured %.4g, PredictedFPR %.4g", s, s.measured(), s.Predicted)
	case !explained(s.Estimated, f.ofEstimated):
		return fmt.Errorf("%s: measured %.4g, EstimatedFPR %.4g", s, s.measured(), s.Estimated)
	case s.Promised > 0 && s.Predicted > 1.0001*s.Promised:
		return fmt.Errorf("%s: BitsPerKeyFor promised %.4g, PredictedFPR is %.4g", s, s.Promised, s.Predicted)
	}
	return nil
}

// digits rounds to a number of digits, which keeps the file of results short.
func digits(x float64, n int) float64 {
	if x == 0 {
		return 0
	}
	unit := math.Pow10(int(math.Floor(math.Log10(x))) - n + 1)
	if unit < 1 { // dividing by a power of ten leaves fewer digits than multiplying by its inverse
		return math.Round(x/unit) / math.Round(1/unit)
	}
	return math.Round(x/unit) * unit
}

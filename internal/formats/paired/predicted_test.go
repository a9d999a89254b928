package paired

import (
	"math"
	"testing"

	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/rates"
)

// TestPredictedFPR: a filter's rate is the mean of its batches', of which each has a random number of keys.
func TestPredictedFPR(t *testing.T) {
	for _, batches := range []uint64{1, 2, 3} {
		for _, c := range []struct{ batchBlocks, probes, keys int }{{32, 8, 333}, {32, 2, 14}, {128, 12, 1333}} {
			f, n, want := format{batches * batchBytes(c.batchBlocks), c.batchBlocks, c.probes}, batches*uint64(c.keys)+1, 0.0
			rates.Binomial(n, 1/float64(batches), func(keys int, probability float64) {
				want += probability * f.batchRate(float64(keys))
			})
			if got := f.predictedFPR(n); math.Abs(got/want-1) > 0.002 || got > 1 {
				t.Errorf("%d batches, %+v: %v, want %v", batches, c, got, want)
			}
		}
	}
}

// TestRatesAtTheEdges: of no keys, of more than fit, and where more bits per key have a higher rate.
func TestRatesAtTheEdges(t *testing.T) {
	o, none := &building.Options{Concurrency: 1}, math.NaN()
	same := func(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }
	for n, want := range map[int]float64{math.MinInt: 0, -1: 0, 0: 0, math.MaxInt32: none} {
		if rate := PredictedFPR(n, 100, o); !same(rate, want) {
			t.Errorf("%d keys: %v, want %v", n, rate, want)
		}
	}
	for _, c := range []struct {
		keys      int
		fpr, want float64
	}{
		{-1, 0, 1},
		{0, 0, 1},
		{1, 0, none},
		{1000, 0.1, 5.101},         // more probes than at 4.609, in as many bytes
		{174_168, 0.00337, 11.947}, // in batches of 32: at 12.041 those of 128 are as large, and have more false positives
	} {
		if got := BitsPerKeyFor(c.keys, c.fpr, o); !same(got, c.want) {
			t.Errorf("%d keys, rate %v: %v bits per key, want %v", c.keys, c.fpr, got, c.want)
		}
	}
}

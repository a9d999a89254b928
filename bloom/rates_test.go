package bloom_test

import (
	"math"
	"testing"

	"github.com/simdbloom/simdbloom/bloom"
)

// The rates that the format was measured to have on 10M random keys.
func TestPredictedRateIsTheKnownOne(t *testing.T) {
	for bpk, known := range map[float64]float64{10: 9.66e-3, 16: 8.45e-4, 23.4: 6.4e-5, 28: 1.69e-5} {
		if predicted := bloom.PredictedFPR(10_000_000, bpk); math.Abs(predicted/known-1) > 0.03 {
			t.Errorf("%v bits/key: predicted %.4g, known %.4g", bpk, predicted, known)
		}
	}
}

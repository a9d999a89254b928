package linear_test

import (
	"math"
	"testing"

	plans "github.com/simdbloom/simdbloom/internal/formats/linear"
	"github.com/simdbloom/simdbloom/internal/geometry"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/linear"
)

// TestPredictedRate compares predictions with what headers say, for filters of more lines than are tried.
// (A few of them have shorter fingerprints than their plans.)
func TestPredictedRate(t *testing.T) {
	for _, n := range []int{3000, 10_000, 100_000} {
		for _, bitsPerKey := range []float64{7.5, 10, 17, 23.4, 31} {
			sum, filters := 0.0, max(1, 100_000/n)
			for i := range filters {
				sum += contract.Linear.Opened(t, contract.Linear.Build(t, bitsPerKey, vectors.Hashes(uint64(i), n))).EstimatedFPR()
			}
			mean, predicted := sum/float64(filters), linear.PredictedFPR(n, bitsPerKey)
			if tolerance := 0.01 + 5/math.Sqrt(float64(n)); math.Abs(mean/predicted-1) > tolerance {
				t.Errorf("%d keys, %v bits/key: predicted %.5g, from headers %.5g", n, bitsPerKey, predicted, mean)
			}
		}
	}
}

// TestSmallFilters tries longer fingerprints than planned for filters of up to 32 lines. If they fit no keys, shorter
// ones are next.
func TestSmallFilters(t *testing.T) {
	worse, filters := 0, 0
	for n := 1; n < 2200; n += 1 + n/50 {
		for _, bitsPerKey := range []float64{8, 10, 12, 16, 20, 23.4} {
			if p := plans.Of(uint64(n), plans.Asked(uint64(n), uint64(1000*bitsPerKey)), plans.UsualLoad); p.Lines > 32 {
				continue
			}
			predicted := linear.PredictedFPR(n, bitsPerKey)
			own := contract.Linear.Opened(t, contract.Linear.Build(t, bitsPerKey, vectors.Hashes(uint64(n), n))).EstimatedFPR()
			if own > 1.2*predicted {
				t.Errorf("%d keys, %v bits/key: predicted %.4g, from headers %.4g", n, bitsPerKey, predicted, own)
			}
			if filters++; own > 1.05*predicted {
				worse++
			}
		}
	}
	t.Logf("%d of %d filters have more false positives than 1.05 times the prediction", worse, filters)
	if worse > filters/200 {
		t.Errorf("%d of %d filters have more false positives than 1.05 times the prediction", worse, filters)
	}
}

// TestBitsPerKeyFor: the result has the rate, and is no more than what has the same rate.
func TestBitsPerKeyFor(t *testing.T) {
	for _, n := range []int{1, 10, 100, 1000, 5000, 100_000, 1_000_000} {
		for _, fpr := range []float64{0.5, 0.01, 1e-3, 1e-5, 1e-7, 1.0 / (1 << 32)} {
			if bits := linear.BitsPerKeyFor(n, fpr); !(linear.PredictedFPR(n, bits) <= fpr) {
				t.Errorf("%d keys, rate %v: %v bits/key give %v", n, fpr, bits, linear.PredictedFPR(n, bits))
			}
		}
		for bitsPerKey := 10.5; bitsPerKey < 33; bitsPerKey += 1.3723 {
			fpr := linear.PredictedFPR(n, bitsPerKey)
			if got := linear.BitsPerKeyFor(n, fpr); got > bitsPerKey+0.001 || linear.PredictedFPR(n, got) > fpr {
				t.Errorf("%d keys: rate %.5g of %v bits/key: %v", n, fpr, bitsPerKey, got)
			}
		}
		for _, fpr := range []float64{math.NaN(), -1, 0, 1e-10} {
			if got := linear.BitsPerKeyFor(n, fpr); !math.IsNaN(got) {
				t.Errorf("%d keys, rate %v: %v bits/key", n, fpr, got)
			}
		}
	}
	if linear.BitsPerKeyFor(0, 0) != 0.5 || !math.IsNaN(linear.BitsPerKeyFor(0, -1)) {
		t.Error("without keys")
	}
}

// TestBelowThePlan has the bounds of docs/linear.md for filters whose keys may need more room than planned.
func TestBelowThePlan(t *testing.T) {
	sizes, filters := []int{1700, 2500, 3300, 5000, 10_000, 30_000}, 40
	if testing.Short() {
		sizes, filters = sizes[:4], 10
	}
	for _, n := range sizes {
		for _, bitsPerKey := range []float64{8, 10, 16, 23.4} {
			p := plans.Of(uint64(n), plans.Asked(uint64(n), uint64(1000*bitsPerKey)), plans.UsualLoad)
			if p.Lines <= 32 {
				continue
			}
			sum, below := 0.0, 0
			for seed := range uint64(filters) {
				f := contract.Linear.Opened(t, contract.Linear.Build(t, bitsPerKey, vectors.Hashes(1000+seed, n)))
				missing := 64*(p.Bits-geometry.FingerprintBits(f)) + p.Cut - geometry.LongerFingerprints(f)
				if missing > 32 {
					t.Errorf("%d keys, %v bits/key, seed %d: %d 64ths of a bit below the plan", n, bitsPerKey, seed, missing)
				}
				if missing > 0 {
					below++
				}
				sum += f.EstimatedFPR()
			}
			times := sum / float64(filters) / linear.PredictedFPR(n, bitsPerKey)
			t.Logf("%d keys, %v bits/key: %d of %d below the plan, the mean rate is %.3f times the prediction", n, bitsPerKey, below, filters, times)
			if times > 1.07 {
				t.Errorf("%d keys, %v bits/key: the mean rate is %.3f times the prediction", n, bitsPerKey, times)
			}
		}
	}
}

package contract

import (
	"math"
	"testing"

	"github.com/simdbloom/simdbloom/internal/vectors"
)

func (p Package) testPredictedRateIsThatOfTheBits(t *testing.T) {
	const n = 200_000
	hashes := vectors.Hashes(11, n)
	for _, bpk := range []float64{0.5, 1, 2, 5, 8, 10, 16, 20, 23.4, 25.502} {
		estimated := p.open(t, p.build(t, bpk, hashes)).EstimatedFPR()
		if predicted := p.PredictedFPR(n, bpk); math.Abs(predicted/estimated-1) > 0.05 {
			t.Errorf("%v bits/key: predicted %.4g, estimated from the bits %.4g", bpk, predicted, estimated)
		}
	}
}

func (p Package) testPredictedRateAtTheEdges(t *testing.T) {
	for _, bpk := range []float64{0.4, 0, -1, math.NaN(), math.Inf(1)} {
		if got := p.PredictedFPR(1000, bpk); !math.IsNaN(got) {
			t.Errorf("%v bits/key: %v", bpk, got)
		}
	}
	if p.PredictedFPR(0, 10) != 0 || p.PredictedFPR(-3, 10) != 0 {
		t.Error("a filter without keys has false positives")
	}
	for _, n := range []int{1, 2, 51, 52, 1000, 40_000_000} {
		for _, bpk := range []float64{0.5, 1, 10, 100} {
			if got := p.PredictedFPR(n, bpk); !(got > 0 && got <= 1) {
				t.Errorf("%d keys, %v bits/key: %v", n, bpk, got)
			}
		}
	}
}

// testMoreKeysThanFit goes to the size of the format and beyond.
func (p Package) testMoreKeysThanFit(t *testing.T) {
	const n = 1 << 30 // keys, 128 MiB for each bit
	if got := p.PredictedFPR(n, 31); !(got > 0 && got < 1e-4) {
		t.Errorf("a filter of almost 4 GiB: %v", got)
	}
	for _, n := range []int{n + n/30, 1<<31 - 1, math.MaxInt} {
		if got := p.PredictedFPR(n, 33); !math.IsNaN(got) {
			t.Errorf("%d keys: %v", n, got)
		}
	}
	if got := p.BitsPerKeyFor(n, 1e-4); !(got > 10 && got < 31.999) || p.PredictedFPR(n, got) > 1e-4 {
		t.Errorf("%d keys: %v bits/key", n, got)
	}
	if got := p.BitsPerKeyFor(n, 1e-9); !math.IsInf(got, 1) {
		t.Errorf("%d keys at a rate that takes more than 4 GiB: %v bits/key", n, got)
	}
}

// testBitsPerKeyForIsTheLeast asks for the rates of many settings: none may need
// more bits than the setting that gives it.
func (p Package) testBitsPerKeyForIsTheLeast(t *testing.T) {
	for _, n := range []int{100, 1000, 100_000} {
		for bpk := 1.0; bpk < 60; bpk += 8.3723 {
			fpr := p.PredictedFPR(n, bpk)
			if got := p.BitsPerKeyFor(n, fpr); got > bpk+0.001 || p.PredictedFPR(n, got) > fpr {
				t.Errorf("%d keys: rate %.4g of %v bits/key: %v", n, fpr, bpk, got)
			}
		}
	}
}

func (p Package) testBitsPerKeyForAWantedRate(t *testing.T) {
	for _, n := range []int{100, 5000, 1_000_000} {
		for _, fpr := range []float64{0.5, 0.01, 1e-3, 1e-5, 1e-7} {
			bpk := p.BitsPerKeyFor(n, fpr)
			if got := p.PredictedFPR(n, bpk); !(got <= fpr) {
				t.Errorf("%d keys, rate %v: %v bits/key give %v", n, fpr, bpk, got)
			}
		}
	}
	if got := p.BitsPerKeyFor(1000, 1); got != 1 {
		t.Errorf("any rate: %v bits/key", got)
	}
	if got := p.BitsPerKeyFor(1_000_000, 0); !math.IsInf(got, 1) {
		t.Errorf("rate 0: %v bits/key", got)
	}
	if got := p.BitsPerKeyFor(1000, math.NaN()); !math.IsNaN(got) {
		t.Errorf("rate NaN: %v bits/key", got)
	}
}

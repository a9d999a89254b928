package bloom_test

import (
	"math"
	"testing"

	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/internal/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
)

func TestPredictedRateIsThatOfTheBits(t *testing.T) {
	const n = 200_000
	hashes := vectors.Hashes(11, n)
	for _, bpk := range []float64{0.5, 1, 2, 5, 8, 10, 16, 20, 23.4, 25.502} {
		b := builder(t, bpk, keyhash.XX64)
		b.AddHashes(hashes)
		data, err := b.Finish()
		if err != nil {
			t.Fatal(err)
		}
		estimated, predicted := open(t, data, keyhash.XX64).EstimatedFPR(), bloom.PredictedFPR(n, bpk)
		if math.Abs(predicted/estimated-1) > 0.05 {
			t.Errorf("%v bits/key: predicted %.4g, estimated from the bits %.4g", bpk, predicted, estimated)
		}
	}
}

// The rates that the format was measured to have on 10M random keys.
func TestPredictedRateIsTheKnownOne(t *testing.T) {
	for bpk, known := range map[float64]float64{10: 9.66e-3, 16: 8.45e-4, 23.4: 6.4e-5, 28: 1.69e-5} {
		if predicted := bloom.PredictedFPR(10_000_000, bpk); math.Abs(predicted/known-1) > 0.03 {
			t.Errorf("%v bits/key: predicted %.4g, known %.4g", bpk, predicted, known)
		}
	}
}

func TestPredictedRateAtTheEdges(t *testing.T) {
	for _, bpk := range []float64{0.4, 0, -1, math.NaN(), math.Inf(1)} {
		if got := bloom.PredictedFPR(1000, bpk); !math.IsNaN(got) {
			t.Errorf("%v bits/key: %v", bpk, got)
		}
	}
	if bloom.PredictedFPR(0, 10) != 0 || bloom.PredictedFPR(-3, 10) != 0 {
		t.Error("a filter without keys has false positives")
	}
	for _, n := range []int{1, 2, 51, 52, 1000, 40_000_000} {
		for _, bpk := range []float64{0.5, 1, 10, 100} {
			if got := bloom.PredictedFPR(n, bpk); !(got > 0 && got <= 1) {
				t.Errorf("%d keys, %v bits/key: %v", n, bpk, got)
			}
		}
	}
}

// TestMoreKeysThanAFilterHolds goes to the size of the format and beyond.
func TestMoreKeysThanAFilterHolds(t *testing.T) {
	const n = 1 << 30 // keys, 128 MiB for each bit
	if got := bloom.PredictedFPR(n, 31); !(got > 0 && got < 1e-4) {
		t.Errorf("a filter of almost 4 GiB: %v", got)
	}
	for _, n := range []int{n + n/30, 1<<31 - 1, math.MaxInt} {
		if got := bloom.PredictedFPR(n, 33); !math.IsNaN(got) {
			t.Errorf("%d keys: %v", n, got)
		}
	}
	if got := bloom.BitsPerKeyFor(n, 1e-4); !(got > 10 && got < 31.999) || bloom.PredictedFPR(n, got) > 1e-4 {
		t.Errorf("%d keys: %v bits/key", n, got)
	}
	if got := bloom.BitsPerKeyFor(n, 1e-9); !math.IsInf(got, 1) {
		t.Errorf("%d keys at a rate that takes more than 4 GiB: %v bits/key", n, got)
	}
}

// TestBitsPerKeyForIsTheLeast asks for the rates of all settings: none may need
// more bits than the setting that gives it.
func TestBitsPerKeyForIsTheLeast(t *testing.T) {
	for _, n := range []int{100, 1000, 100_000} {
		for bpk := 1.0; bpk < 60; bpk += 3.0723 {
			fpr := bloom.PredictedFPR(n, bpk)
			if got := bloom.BitsPerKeyFor(n, fpr); got > bpk+0.001 || bloom.PredictedFPR(n, got) > fpr {
				t.Errorf("%d keys: rate %.4g of %v bits/key: %v", n, fpr, bpk, got)
			}
		}
	}
}

func TestBitsPerKeyForAWantedRate(t *testing.T) {
	for _, n := range []int{100, 5000, 1_000_000} {
		for _, fpr := range []float64{0.5, 0.1, 0.01, 1e-3, 1e-5, 1e-7} {
			bpk := bloom.BitsPerKeyFor(n, fpr)
			if got := bloom.PredictedFPR(n, bpk); !(got <= fpr) {
				t.Errorf("%d keys, rate %v: %v bits/key give %v", n, fpr, bpk, got)
			}
			if less := bpk * 0.9; n == 1_000_000 && less >= 1 && bloom.PredictedFPR(n, less) <= fpr {
				t.Errorf("%d keys, rate %v: %v bits/key, but %v suffice", n, fpr, bpk, less)
			}
		}
	}
	if got := bloom.BitsPerKeyFor(1000, 1); got != 1 {
		t.Errorf("any rate: %v bits/key", got)
	}
	if got := bloom.BitsPerKeyFor(1000, 0); !math.IsInf(got, 1) {
		t.Errorf("rate 0: %v bits/key", got)
	}
	if got := bloom.BitsPerKeyFor(1000, math.NaN()); !math.IsNaN(got) {
		t.Errorf("rate NaN: %v bits/key", got)
	}
}

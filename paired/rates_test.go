package paired_test

import (
	"math"
	"testing"

	"github.com/simdbloom/simdbloom/internal/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/paired"
)

func TestPredictedRateIsThatOfTheBits(t *testing.T) {
	const n = 200_000
	hashes := vectors.Hashes(11, n)
	for batch := range batches {
		for _, bpk := range []float64{0.5, 1, 2, 5, 8, 10, 16, 20, 23.4, 28} {
			b := builder(t, bpk, keyhash.XX64, paired.WithBatchBlocks(batch))
			b.AddHashes(hashes)
			data, err := b.Finish()
			if err != nil {
				t.Fatal(err)
			}
			estimated := open(t, data, keyhash.XX64).EstimatedFPR()
			predicted := paired.PredictedFPR(n, bpk, paired.WithBatchBlocks(batch))
			if math.Abs(predicted/estimated-1) > 0.05 {
				t.Errorf("batches of %d, %v bits/key: predicted %.4g, estimated from the bits %.4g", batch, bpk, predicted, estimated)
			}
		}
	}
}

// The rates that the format was measured to have on 10M random keys.
func TestPredictedRateIsTheKnownOne(t *testing.T) {
	for _, known := range []struct {
		batch           int
		bitsPerKey, fpr float64
	}{{128, 16, 5.4e-4}, {128, 20, 8.2e-5}, {128, 23.4, 1.68e-5}, {32, 23.4, 1.78e-5}} {
		predicted := paired.PredictedFPR(10_000_000, known.bitsPerKey, paired.WithBatchBlocks(known.batch))
		if math.Abs(predicted/known.fpr-1) > 0.05 {
			t.Errorf("%+v: predicted %.4g", known, predicted)
		}
	}
}

func TestPredictedRateAtTheEdges(t *testing.T) {
	for _, bpk := range []float64{0.4, 0, -1, math.NaN(), math.Inf(1)} {
		if got := paired.PredictedFPR(1000, bpk); !math.IsNaN(got) {
			t.Errorf("%v bits/key: %v", bpk, got)
		}
	}
	for _, refused := range []paired.Option{paired.WithBatchBlocks(64), paired.WithConcurrency(0)} {
		rate, bpk := paired.PredictedFPR(1000, 10, refused), paired.BitsPerKeyFor(1000, 0.01, refused)
		if !math.IsNaN(rate) || !math.IsNaN(bpk) {
			t.Errorf("options that NewBuilder refuses: rate %v, %v bits/key", rate, bpk)
		}
	}
	if paired.PredictedFPR(0, 10) != 0 || paired.PredictedFPR(-3, 10) != 0 {
		t.Error("a filter without keys has false positives")
	}
	for _, n := range []int{1, 2, 51, 52, 1000, 40_000_000} {
		for _, bpk := range []float64{0.5, 1, 10, 100} {
			for batch := range batches {
				got := paired.PredictedFPR(n, bpk, paired.WithBatchBlocks(batch), paired.WithRoundDown())
				if !(got > 0 && got <= 1) {
					t.Errorf("%d keys, %v bits/key, batches of %d: %v", n, bpk, batch, got)
				}
			}
		}
	}
}

// TestMoreKeysThanAFilterHolds goes to the size of the format and beyond.
func TestMoreKeysThanAFilterHolds(t *testing.T) {
	const n = 1 << 30 // keys, 128 MiB for each bit
	if got := paired.PredictedFPR(n, 31); !(got > 0 && got < 1e-4) {
		t.Errorf("a filter of almost 4 GiB: %v", got)
	}
	for _, n := range []int{n + n/30, 1<<31 - 1, math.MaxInt} {
		if got := paired.PredictedFPR(n, 33); !math.IsNaN(got) {
			t.Errorf("%d keys: %v", n, got)
		}
	}
	if got := paired.BitsPerKeyFor(n, 1e-4); !(got > 10 && got < 31.999) || paired.PredictedFPR(n, got) > 1e-4 {
		t.Errorf("%d keys: %v bits/key", n, got)
	}
	if got := paired.BitsPerKeyFor(n, 1e-9); !math.IsInf(got, 1) {
		t.Errorf("%d keys at a rate that takes more than 4 GiB: %v bits/key", n, got)
	}
}

// TestBitsPerKeyForIsTheLeast asks for the rates of all settings: none may need
// more bits than the setting that gives it.
func TestBitsPerKeyForIsTheLeast(t *testing.T) {
	for _, n := range []int{100, 1000, 100_000} {
		for bpk := 1.0; bpk < 60; bpk += 3.0723 {
			fpr := paired.PredictedFPR(n, bpk)
			if got := paired.BitsPerKeyFor(n, fpr); got > bpk+0.001 || paired.PredictedFPR(n, got) > fpr {
				t.Errorf("%d keys: rate %.4g of %v bits/key: %v", n, fpr, bpk, got)
			}
		}
	}
}

func TestBitsPerKeyForAWantedRate(t *testing.T) {
	for _, n := range []int{1000, 1_000_000} {
		for _, fpr := range []float64{0.5, 0.01, 1e-5} {
			bpk := paired.BitsPerKeyFor(n, fpr)
			if got := paired.PredictedFPR(n, bpk); !(got <= fpr) {
				t.Errorf("%d keys, rate %v: %v bits/key give %v", n, fpr, bpk, got)
			}
		}
	}
	if got := paired.BitsPerKeyFor(1000, 1); got != 1 {
		t.Errorf("any rate: %v bits/key", got)
	}
	if got := paired.BitsPerKeyFor(1_000_000, 0); !math.IsInf(got, 1) {
		t.Errorf("rate 0: %v bits/key", got)
	}
}

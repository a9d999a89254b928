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
	if got := paired.PredictedFPR(1000, 10, paired.WithBatchBlocks(64)); !math.IsNaN(got) {
		t.Errorf("batches of 64: %v", got)
	}
	if paired.PredictedFPR(0, 10) != 0 || paired.PredictedFPR(-3, 10) != 0 {
		t.Error("a filter without keys has false positives")
	}
	for _, n := range []int{1, 2, 51, 52, 1000, math.MaxInt32} {
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

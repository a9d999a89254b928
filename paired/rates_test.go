package paired_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/paired"
)

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

func TestOptionsThatAreRefused(t *testing.T) {
	refused := map[string]simdbloom.Option{"concurrency 0": simdbloom.WithConcurrency(0)}
	for _, n := range []int{-128, 0, 1, 16, 31, 33, 64, 127, 256} {
		refused[fmt.Sprintf("batches of %d", n)] = paired.WithBatchBlocks(n)
	}
	for name, option := range refused {
		if _, err := paired.NewBuilder(10, keyhash.XX64, option); err == nil {
			t.Errorf("%s: NewBuilder took it", name)
		}
		rate, bpk := paired.PredictedFPR(1000, 10, option), paired.BitsPerKeyFor(1000, 0.01, option)
		if !math.IsNaN(rate) || !math.IsNaN(bpk) {
			t.Errorf("%s: rate %v, %v bits/key", name, rate, bpk)
		}
	}
}

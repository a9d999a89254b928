package linear_test

import (
	"bytes"
	"math"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/naive"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/linear"
)

// TestFasterLookups: the filters are those that are planned for a load of one key per slot, their first layers hold more keys, and
// their rate is the predicted one.
func TestFasterLookups(t *testing.T) {
	for _, n := range []int{1, 20, 300, 3000, 40_000} {
		hashes := vectors.Hashes(uint64(n), n)
		for _, bitsPerKey := range []float64{5, 8.5, 12, 17, 30} {
			if n > 3000 && (testing.Short() || bitsPerKey != 8.5 && bitsPerKey != 17) {
				continue // the naive builder takes long
			}
			data := contract.Linear.Build(t, bitsPerKey, hashes, linear.WithFasterLookups(), simdbloom.WithVerification())
			const load = 64
			want := naive.LinearBy(naive.LinearLine, hashes, uint64(1000*bitsPerKey), math.MaxUint64, load)
			if !bytes.Equal(data, want.Bytes()) {
				t.Errorf("%d keys, %v bits/key: other bytes than the naive builder's", n, bitsPerKey)
			}
			f := contract.Linear.Opened(t, data)
			if predicted := linear.PredictedFPR(n, bitsPerKey, linear.WithFasterLookups()); n >= 300 && f.EstimatedFPR() > 1.25*predicted {
				t.Errorf("%d keys, %v bits/key: a rate of %v, predicted %v", n, bitsPerKey, f.EstimatedFPR(), predicted)
			}
			if usual := contract.Linear.Opened(t, contract.Linear.Build(t, bitsPerKey, hashes)); n == 40_000 && later(f) > 0.6*later(usual) {
				t.Errorf("%v bits/key: %.3f of the lines are in later layers, %.3f without the option", bitsPerKey, later(f), later(usual))
			}
		}
	}
}

// later returns the share of a filter's lines that are not in the first layer.
func later(f *simdbloom.Filter) float64 {
	sum := 0
	layers := linear.Layers(f)
	for _, lines := range layers {
		sum += lines
	}
	return 1 - float64(layers[0])/float64(sum)
}

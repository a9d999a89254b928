package linear_test

import (
	"bytes"
	"math"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/geometry"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/naive"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/linear"
)

// TestFasterLookups: the filters are those that are planned for a load of one key per slot, their first layers hold
// more keys, and their rate is the predicted one.
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
	layers := geometry.Layers(f)
	for _, lines := range layers {
		sum += lines
	}
	return 1 - float64(layers[0])/float64(sum)
}

// TestFasterSizes: KeysFor and BitsPerKeyFor know the option, too.
func TestFasterSizes(t *testing.T) {
	faster := linear.WithFasterLookups()
	size := func(bitsPerKey float64, n int) int {
		b := contract.Linear.Builder(t, bitsPerKey, faster)
		b.AddHashes(vectors.Hashes(1, n))
		return b.SizeBytes()
	}
	for _, bitsPerKey := range []float64{5, 7.5, 10, 23.4} {
		for _, bytes := range []int{201, 2051, 20_000, 100_000} {
			if n := linear.KeysFor(bytes, bitsPerKey, faster); n < 1 || size(bitsPerKey, n) > bytes || size(bitsPerKey, n+1) <= bytes {
				t.Errorf("%v bits/key, %d bytes: %d keys", bitsPerKey, bytes, n)
			}
		}
	}
	for _, n := range []int{0, 10, 1000, 100_000} {
		for _, fpr := range []float64{0.5, 0.01, 1e-3, 1e-5, 1.0 / (1 << 32)} {
			bits := linear.BitsPerKeyFor(n, fpr, faster)
			if rate := linear.PredictedFPR(n, bits, faster); !(rate <= fpr) {
				t.Errorf("%d keys, rate %v: %v bits/key give %v", n, fpr, bits, rate)
			}
			if room := int(float64(n)*(bits+0.0005)/8) + 201; size(bits, n) > room {
				t.Errorf("%d keys, rate %v: %v bits/key are raised to %d bytes", n, fpr, bits, size(bits, n))
			}
		}
		for bitsPerKey := 10.5; n > 0 && bitsPerKey < 33; bitsPerKey += 2.3723 {
			fpr := linear.PredictedFPR(n, bitsPerKey, faster)
			if got := linear.BitsPerKeyFor(n, fpr, faster); got > bitsPerKey+0.001 || linear.PredictedFPR(n, got, faster) > fpr {
				t.Errorf("%d keys: rate %.5g of %v bits/key: %v", n, fpr, bitsPerKey, got)
			}
		}
	}
	for _, wrong := range []simdbloom.Option{simdbloom.WithConcurrency(0), simdbloom.WithMaxBytes(200), simdbloom.WithSizeBytes(650)} {
		if n, bits := linear.KeysFor(1<<20, 10, wrong), linear.BitsPerKeyFor(1000, 0.01, wrong); n != 0 || !math.IsNaN(bits) {
			t.Errorf("an option that NewBuilder refuses: %d keys, %v bits/key", n, bits)
		}
	}
}

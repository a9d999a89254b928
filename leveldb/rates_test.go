package leveldb_test

import (
	"math"
	"testing"

	"github.com/simdbloom/simdbloom/leveldb"
)

func TestRatesAtTheEdges(t *testing.T) {
	for _, n := range []int{1, 2, 6, 7, 255, 4080, 40_000_000} {
		for _, bitsPerKey := range []float64{0.5, 1, 2, 3, 10, 51, 85} {
			if got := leveldb.PredictedFPR(n, bitsPerKey); !(got > 0 && got <= 1) && !(math.IsNaN(got) && bitsPerKey > 50) {
				t.Errorf("%d keys, %v bits per key: %v", n, bitsPerKey, got)
			}
		}
	}
	if got := leveldb.PredictedFPR(math.MaxInt, 10); !math.IsNaN(got) {
		t.Errorf("more keys than fit: %v", got)
	}
}

func TestBitsPerKeyFor(t *testing.T) {
	for _, n := range []int{100, 5000, 1_000_000} {
		for _, fpr := range []float64{1, 0.5, 0.01, 1e-3} {
			got := leveldb.BitsPerKeyFor(n, fpr)
			if !(leveldb.PredictedFPR(n, got) <= fpr) || got > 1 && leveldb.PredictedFPR(n, got-1) <= fpr {
				t.Errorf("%d keys, rate %v: %v bits per key", n, fpr, got)
			}
		}
	}
	if got := leveldb.BitsPerKeyFor(1000, 0); !math.IsNaN(got) {
		t.Errorf("rate 0: %v", got)
	}
	if got := leveldb.BitsPerKeyFor(1000, math.NaN()); !math.IsNaN(got) {
		t.Errorf("rate NaN: %v", got)
	}
	if got := leveldb.BitsPerKeyFor(0, 0); got != 1 {
		t.Errorf("no keys: %v", got)
	}
}

// TestBitsPerKeyForTheirOwnRate has numbers of bits below 44, from which the probes stay the same, and above.
func TestBitsPerKeyForTheirOwnRate(t *testing.T) {
	for _, bitsPerKey := range []float64{10, 46, 97} {
		if got := leveldb.BitsPerKeyFor(32, leveldb.PredictedFPR(32, bitsPerKey)); got != bitsPerKey {
			t.Errorf("the rate of %v bits per key: %v", bitsPerKey, got)
		}
	}
}

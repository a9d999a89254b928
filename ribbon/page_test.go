package ribbon_test

import (
	"math"
	"testing"

	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/splitmix"
	"github.com/simdbloom/simdbloom/ribbon"
)

// storedBits is the number of bits that a key takes in a filter of n keys.
func storedBits(t *testing.T, n int, bitsPerKey float64) float64 {
	t.Helper()
	b := contract.Ribbon.Builder(t, bitsPerKey)
	for i := range n {
		b.AddHash(splitmix.Value(1, uint64(i)))
	}
	return 8 * float64(b.SizeBytes()) / float64(n)
}

// TestMemory: filters take 4 to 7 % more than the logarithm of the rate, as docs/choosing.md says.
func TestMemory(t *testing.T) {
	for _, n := range []int{10_000, 100_000, 1_000_000, 10_000_000} {
		if testing.Short() && n > 1_000_000 {
			continue
		}
		for _, bitsPerKey := range []float64{10, 16, 23.4} {
			if more := storedBits(t, n, bitsPerKey)/-math.Log2(ribbon.PredictedFPR(n, bitsPerKey)) - 1; more < 0.04 || more > 0.0715 {
				t.Errorf("%d keys at %v bits/key: %.1f %% more than the least", n, bitsPerKey, 100*more)
			}
		}
	}
}

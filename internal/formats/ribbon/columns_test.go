package ribbon

import (
	"math"
	"testing"

	"github.com/simdbloom/simdbloom/fallback"
)

// TestColumnsForRates: a rate of 1 in 2^n takes n columns, of which a filter has no more than 32, and between two of
// these the mean of both has the rate.
func TestColumnsForRates(t *testing.T) {
	for n := 1; n < fallback.MostRibbonColumns; n++ {
		if got := columnsFor(math.Ldexp(1, n)); got != float64(n) {
			t.Errorf("1 in 2^%d: %v columns", n, got)
		}
		mean := 2 / (math.Ldexp(1, -n) + math.Ldexp(1, -n-1))
		if got := columnsFor(mean); math.Abs(got-float64(n)-0.5) > 1e-6 {
			t.Errorf("1 in %v: %v columns", mean, got)
		}
	}
	for _, oneIn := range []float64{math.MaxUint32, 1 << 32, 1e300, math.Inf(1)} {
		if got := columnsFor(oneIn); got != fallback.MostRibbonColumns {
			t.Errorf("1 in %v: %v columns", oneIn, got)
		}
	}
}

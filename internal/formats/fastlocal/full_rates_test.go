package fastlocal

import "testing"

// TestRatesAreAtMostOne: the rates of full filters, where rounding could make them more.
func TestRatesAreAtMostOne(t *testing.T) {
	for _, keys := range []uint64{127_875_131, 146_143_007, 167_020_580, 249_313_521, 1 << 40} {
		if rate := PredictedFPR(6_400_000, 30, keys); !(rate > 0.999 && rate <= 1) {
			t.Errorf("%d keys: %v", keys, rate)
		}
	}
}

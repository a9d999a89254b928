package figures_test

import (
	"math"
	"testing"

	"github.com/simdbloom/simdbloom/cmd/simdbloom/internal/figures"
)

// TestRate: also of nearly empty filters, whose rates are far below 2^-63.
func TestRate(t *testing.T) {
	for rate, want := range map[float64]string{
		0: "0", 0.73: "0.73", 0.03: "0.03 (1 in 33.3)", 1e-3: "0.001 (1 in 1,000)", 3.64e-12: "3.64e-12 (1 in 275,000,000,000)",
		2e-18: "2e-18 (1 in 500,000,000,000,000,000)", 1e-19: "1e-19 (1 in 1e+19)", 2.7e-29: "2.7e-29 (1 in 3.7e+28)",
	} {
		if got := figures.Rate(rate); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestNumbers: three digits, and signs of thousands and of units.
func TestNumbers(t *testing.T) {
	for got, want := range map[string]string{
		figures.Thousands(0): "0", figures.Thousands(-12): "-12", figures.Thousands(999): "999", figures.Thousands(1000): "1,000",
		figures.Thousands(-100): "-100", figures.Thousands(-1000): "-1,000", figures.Thousands(123456789): "123,456,789",
		figures.Count(0, "key"): "0 keys", figures.Count(1, "key"): "1 key", figures.Count(2000, "key"): "2,000 keys",
		figures.Bytes(1): "1 byte", figures.Bytes(999): "999 bytes", figures.Bytes(1000): "1.00 kB", figures.Bytes(9_994): "9.99 kB",
		figures.Bytes(9_995): "10.0 kB", figures.Bytes(99_949): "99.9 kB", figures.Bytes(99_950): "100 kB", figures.Bytes(999_499): "999 kB",
		figures.Bytes(999_500): "1.00 MB", figures.Bytes(2e9): "2.00 GB", figures.Bytes(3e12): "3.00 TB", figures.Bytes(9e18): "9000 PB",
		figures.OneIn(1. / 7): "1 in 7.00", figures.OneIn(1. / 999): "1 in 999", figures.OneIn(1. / 123456): "1 in 123,000", figures.OneIn(math.Nextafter(1e-18, 0)): "1 in 1e+18", figures.OneIn(1. / 1234): "1 in 1,230",
		figures.Rate(0.5): "0.5", figures.Rate(1): "1", figures.Rate(0.123456): "0.123 (1 in 8.10)",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	if got := figures.SixDigits(1. / 3); got != 0.333333 {
		t.Error(got)
	}
}

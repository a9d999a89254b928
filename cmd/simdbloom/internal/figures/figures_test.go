package figures_test

import (
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

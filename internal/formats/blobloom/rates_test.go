package blobloom_test

import (
	"bytes"
	"testing"

	"github.com/simdbloom/simdbloom/internal/formats/blobloom"
)

// TestRatesOfMoreProbes: each further probe multiplies the rate by the share of set bits, or by a little more, since
// probes may look at the same bit.
func TestRatesOfMoreProbes(t *testing.T) {
	block := bytes.Repeat([]byte{0x7f}, 64)
	for last, probes := blobloom.EstimatedFPR(block, 1), 2; probes <= 30; probes++ {
		rate := blobloom.EstimatedFPR(block, probes)
		if share := rate / last; !(share > 0.86 && share < 0.9) {
			t.Errorf("%d probes: %v times the rate of one less", probes, share)
		}
		last = rate
	}
}

package blobloom_test

import (
	"math/rand/v2"
	"testing"

	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/formats/blobloom"
)

// TestRatesOfRandomBits has as many probes as builders choose, and as many as a dump has whose probes look at the same
// bits and are counted.
func TestRatesOfRandomBits(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 1))
	body := make([]byte, 1<<14)
	for i := range body {
		body[i] = ^byte(1<<random.Uint32N(8)) | byte(random.Uint32())
	}
	const lookups = 1 << 16
	for _, probes := range []int{1, 7, 29, 30} {
		found := 0.0
		for range lookups {
			if fallback.BlobloomContains(body, probes, random.Uint64()) {
				found++
			}
		}
		if rate := blobloom.EstimatedFPR(body, probes) * lookups / found; !(rate > 0.95 && rate < 1.05) {
			t.Errorf("%d probes: %v times the rate that was measured", probes, rate)
		}
	}
}

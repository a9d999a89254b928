package falsepos

import (
	"math"
	"testing"
)

func TestInterval(t *testing.T) {
	for _, c := range []struct {
		hits, tries int
		low, high   float64 // from tables of Wilson's interval
	}{{0, 10, 0, 0.2775}, {5, 10, 0.2366, 0.7634}, {10, 10, 0.7225, 1}, {100, 10_000, 0.00823, 0.01215}} {
		low, high := Interval(c.hits, c.tries)
		if math.Abs(low-c.low) > 1e-4 || math.Abs(high-c.high) > 1e-4 {
			t.Errorf("%d of %d: %.5f to %.5f, want %.5f to %.5f", c.hits, c.tries, low, high, c.low, c.high)
		}
	}
}

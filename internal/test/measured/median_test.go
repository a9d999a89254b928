package measured

import (
	"slices"
	"testing"
)

func TestMedian(t *testing.T) {
	for _, c := range []struct {
		of   []float64
		want float64
	}{{[]float64{4}, 4}, {[]float64{5, 1}, 3}, {[]float64{5, 1, 9, 2, 3}, 3}, {[]float64{8, 1, 2, 4}, 3}} {
		before := slices.Clone(c.of)
		if got := Median(c.of); got != c.want || !slices.Equal(c.of, before) {
			t.Errorf("%v: %v, want %v; afterwards %v", before, got, c.want, c.of)
		}
	}
}

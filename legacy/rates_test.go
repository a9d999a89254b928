package legacy_test

import (
	"math"
	"testing"

	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/legacy"
)

// TestRates has numbers of lines near powers of two and far from them. At 2^16-1 lines, the
// rate is six times that of other numbers.
func TestRates(t *testing.T) {
	for bitsPerKey, more := range map[float64][]float64{5: {16_385}, 10: {1, 257, 16_385, 65_535, 65_601}, 24: {65_535}} {
		for _, lines := range append([]float64{255, 10_001}, more...) {
			n := int(lines * 512 / bitsPerKey)
			if n > 100_000 && testing.Short() {
				continue
			}
			b := builder(t, bitsPerKey)
			b.AddHashes(vectors.Narrowed(vectors.Hashes(uint64(n), n)))
			f := open(t, finish(t, b))
			estimated, predicted := f.EstimatedFPR(), legacy.PredictedFPR(n, bitsPerKey)
			few := 0.5 / math.Sqrt(lines) // lines differ by chance
			if off := math.Abs(estimated/predicted - 1); f.NumLines() != int(lines) || off > 0.04+few {
				t.Errorf("%v bits/key, %d keys in %d lines: predicted %.4g, is %.4g", bitsPerKey, n, f.NumLines(), predicted, estimated)
			}
			if bitsPerKey == 10 && lines == 65_535 && predicted < 0.06 {
				t.Errorf("2^16-1 lines have a rate of %.4g", predicted)
			}
		}
	}
}

func TestRatesAtTheEdges(t *testing.T) {
	for _, c := range []struct {
		n          int
		bitsPerKey float64
		options    []legacy.Option
		least      float64
		most       float64
	}{
		{0, 10, nil, 0, 0},
		{-1, 10, nil, 0, 0},
		{1, 100, nil, 0, 1e-3},
		{1 << 24, 1, []legacy.Option{legacy.WithMaxBytes(69)}, 1, 1},
		{math.MaxInt32, 100, nil, 0.5, 1}, // 512 MiB at most
		{1000, 0, []legacy.Option{legacy.WithPebble()}, 0.8, 0.9},
	} {
		if got := legacy.PredictedFPR(c.n, c.bitsPerKey, c.options...); !(got >= c.least && got <= c.most) {
			t.Errorf("%d keys, %v bits/key: %v, not %v to %v", c.n, c.bitsPerKey, got, c.least, c.most)
		}
	}
	for _, bitsPerKey := range []float64{0, 0.4, -1, math.NaN(), math.Inf(1)} {
		if got := legacy.PredictedFPR(1000, bitsPerKey); !math.IsNaN(got) {
			t.Errorf("%v bits/key: %v", bitsPerKey, got)
		}
	}
	for data, want := range map[string]float64{"": 0, "\x00\x00\x00\x00\x00": 0, "\x00\x00\x00\x00\x00\x00": 1} {
		if got := open(t, []byte(data)).EstimatedFPR(); got != want {
			t.Errorf("%x: %v", data, got)
		}
	}
}

package legacy_test

import (
	"math"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/geometry"
	"github.com/simdbloom/simdbloom/internal/test/contract"
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
			f := open(t, contract.Legacy.Build(t, bitsPerKey, contract.Legacy.Hashes(uint64(n), n)))
			estimated, predicted := f.EstimatedFPR(), legacy.PredictedFPR(n, bitsPerKey)
			few := 0.5 / math.Sqrt(lines) // lines differ by chance
			if off := math.Abs(estimated/predicted - 1); int(geometry.Of(f).Lines) != int(lines) || off > 0.04+few {
				t.Errorf("%v bits/key, %d keys in %d lines: predicted %.4g, is %.4g", bitsPerKey, n, int(geometry.Of(f).Lines), predicted, estimated)
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
		options    []simdbloom.Option
		least      float64
		most       float64
	}{
		{1, 100, nil, 0, 1e-3},
		{1 << 24, 1, []simdbloom.Option{simdbloom.WithMaxBytes(69)}, 1, 1},
		{math.MaxInt32, 100, nil, 0.5, 1}, // 512 MiB at most
		{1000, 0, []simdbloom.Option{legacy.WithPebble()}, 0.8, 0.9},
	} {
		if got := legacy.PredictedFPR(c.n, c.bitsPerKey, c.options...); !(got >= c.least && got <= c.most) {
			t.Errorf("%d keys, %v bits/key: %v, not %v to %v", c.n, c.bitsPerKey, got, c.least, c.most)
		}
	}
	if got := legacy.PredictedFPR(math.MaxInt, 100, legacy.WithPebble()); !math.IsNaN(got) {
		t.Errorf("more keys than a filter holds: %v, not NaN", got)
	}
	for data, want := range map[string]float64{"": 0, "\x00\x00\x00\x00\x00": 0, "\x00\x00\x00\x00\x00\x00": 1} {
		if got := open(t, []byte(data)).EstimatedFPR(); got != want {
			t.Errorf("%x: %v", data, got)
		}
	}
}

// TestBitsPerKeyFor has rates that some setting has, and rates that none has.
func TestBitsPerKeyFor(t *testing.T) {
	for n, rates := range map[int][]float64{1000: {1, 0.3, 0.01}, 20_000: {0.05}} {
		for _, fpr := range rates {
			got := legacy.BitsPerKeyFor(n, fpr)
			if !(legacy.PredictedFPR(n, got) <= fpr) || got != math.Round(got) || got > 1 && legacy.PredictedFPR(n, got-1) <= fpr {
				t.Errorf("%d keys, rate %v: %v bits/key", n, fpr, got)
			}
		}
	}
	if got := legacy.BitsPerKeyFor(0, 0); got != 1 {
		t.Errorf("no keys: %v bits/key", got)
	}
	for n, fpr := range map[int]float64{1000: 0, 1001: math.NaN(), 1 << 24: 1. / 257, 1002: -1, 1003: math.Ldexp(1003, -33)} {
		if got := legacy.BitsPerKeyFor(n, fpr); !math.IsNaN(got) {
			t.Errorf("%d keys, rate %v: %v bits/key", n, fpr, got)
		}
	}
}

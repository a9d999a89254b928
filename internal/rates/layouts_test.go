package rates

import (
	"errors"
	"math"
	"testing"

	"github.com/simdbloom/simdbloom/internal/building"
)

// TestLeastBitsPerKey has rates that fall while the number of probes stays the same, and rise or fall where it changes,
// such as at the last number of bits.
func TestLeastBitsPerKey(t *testing.T) {
	const most = 4000
	probes := func(millibits int) int { return millibits / 500 }
	for _, rise := range []float64{-200, 0, 300, 700} {
		rate := func(millibits int) float64 { return 5000 - float64(millibits) + rise*float64(probes(millibits)) }
		for millibits := 900; millibits <= most+100; millibits += 50 {
			for _, fpr := range []float64{rate(millibits) - 0.5, rate(millibits), math.NaN()} {
				want := 1000
				for want <= most && !(rate(want) <= fpr) {
					want++
				}
				got := LeastBitsPerKey(fpr, most, probes, rate)
				if want > most && !math.IsNaN(got) || want <= most && got != float64(want)/1000 {
					t.Errorf("rises by %v, rate %v: %v, want %d thousandths", rise, fpr, got, want)
				}
			}
		}
	}
}

// TestRatesOfLayouts has filters of at most ten blocks, whose rates follow from their size.
func TestRatesOfLayouts(t *testing.T) {
	const keys, most = 100, 10 * 64
	l := &building.Layout{BlockBytes: 64, MaxBodyBytes: most, NumProbes: func(int) int { return 6 }}
	o := &building.Options{Concurrency: 1}
	rate := func(body uint64, _ int, n uint64) float64 {
		if n == 0 {
			t.Fatal("a rate of no keys")
		}
		return 1 / float64(body)
	}
	full := 8.0 * most / keys
	for bitsPerKey, want := range map[float64]float64{full - 5.12: 1. / (most - 64), full: 1. / most, full + 0.01: math.NaN(), -1: math.NaN()} {
		if got := Predicted(l, keys, bitsPerKey, o, rate); got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
			t.Errorf("%v bits per key: %v, want %v", bitsPerKey, got, want)
		}
	}
	if got := BitsPerKeyFor(l, keys, 1./most, rate); got != full-5.12+0.001 {
		t.Errorf("%v bits per key have the rate of the largest filter, want %v", got, full-5.119)
	}
	for _, none := range []int{0, -1} {
		if got, bitsPerKey := Predicted(l, none, 10, o, rate), BitsPerKeyFor(l, none, 0, rate); got != 0 || bitsPerKey != 1 {
			t.Errorf("%d keys: rate %v, %v bits per key for a rate of 0", none, got, bitsPerKey)
		}
	}
	if got := IfBuilt(keys, errors.New("refused"), func(uint64) float64 { return 0.5 }); !math.IsNaN(got) {
		t.Errorf("an error: %v", got)
	}
}

// TestOfBlocks has rates of blocks by the number of keys, which are 1 at most, and are 1 for blocks that are full.
func TestOfBlocks(t *testing.T) {
	for _, c := range []struct {
		keys          uint64
		ofKey, ofNone float64
		want          float64
	}{
		{500, 0.001, 0, 0.05},
		{500, 0, 0.7, 0.7},
		{500, 0, 2, 1},
		{1 << 40, 0, 0.7, 1},
	} {
		got := OfBlocks(10*64, 64, c.keys, func(keys float64) float64 { return c.ofNone + c.ofKey*keys })
		if math.Abs(got-c.want) > 1e-9 || got > 1 {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

func TestSetBits(t *testing.T) {
	blocks := make([]byte, 64)
	for i := range blocks {
		if got := SetBits(blocks); got != uint64(8*i) {
			t.Errorf("%d bits, want %d", got, 8*i)
		}
		blocks[i] = math.MaxUint8
	}
	if got := Power(3, 4); got != 81 {
		t.Errorf("3 to the power of 4: %v", got)
	}
}

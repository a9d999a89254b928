package contract

import (
	"math"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/policy"
)

func (f Format) testPredictedRateIsThatOfTheBits(t *testing.T) {
	if f.OwnRates {
		t.Skip("tests of the package compare rates")
	}
	const n = 200_000
	hashes := f.Hashes(11, n)
	for _, bpk := range []float64{0.5, 1, 2, 5, 8, 10, 16, 20, 23.4, 25.502, 36} {
		estimated := f.Opened(t, f.Build(t, bpk, hashes)).EstimatedFPR()
		if predicted := f.PredictedFPR(n, bpk); math.Abs(predicted/estimated-1) > 0.05 {
			t.Errorf("%v bits/key: predicted %.4g, estimated from the bits %.4g", bpk, predicted, estimated)
		}
	}
	// With few keys it takes many filters: the rate of one deviates by up to 70 %, and
	// those with the highest rates may be missing among 50.
	const filters = 300
	numbers := []int{1, 2, 5, 20, 52, 128, 333}
	if emulated { // the arithmetic is the same
		numbers = []int{5, 52}
	}
	for _, n := range numbers {
		for _, bpk := range []float64{1, 5, 10} {
			sum, squares := 0.0, 0.0
			for i := range filters {
				own := f.Opened(t, f.Build(t, bpk, f.Hashes(uint64(1000*n+i), n))).EstimatedFPR()
				sum += own
				squares += own * own
			}
			mean := sum / filters
			deviation := math.Sqrt(math.Max(0, squares/filters-mean*mean) / filters)
			if predicted := f.PredictedFPR(n, bpk); math.Abs(predicted-mean) > 0.02*mean+3*deviation {
				t.Errorf("%d keys, %v bits/key: predicted %.4g, mean of estimates %.4g ±%.2g", n, bpk, predicted, mean, deviation)
			}
		}
	}
}

// testRateThatTheHashBounds builds with enough bits per key to exclude false positives by
// chance. The remaining ones are keys that share 32 bits of hash with a key in the lines that
// a lookup reads, or that are next to one in the probe sequence.
func (f Format) testRateThatTheHashBounds(t *testing.T) {
	if f.Lines == 0 {
		t.Skip("the rate does not depend on it")
	}
	const n, bitsPerKey = 50_000, 100
	const same = p32 * 512 / bitsPerKey
	least, most := same*float64(f.Lines), 2*same*float64(f.Lines)
	predicted := f.PredictedFPR(n, bitsPerKey)
	estimated := f.Opened(t, f.Build(t, bitsPerKey, f.Hashes(11, n))).EstimatedFPR()
	for name, rate := range map[string]float64{"predicted": predicted, "estimated": estimated} {
		if !(rate > least && rate < most) {
			t.Errorf("%s %.3g, keys with the same bits alone make %.3g", name, rate, least)
		}
	}
}

// p32 is the chance that a hash has 32 given bits.
const p32 = 1. / (1 << 32)

func (f Format) testPredictedRateAtTheEdges(t *testing.T) {
	for _, bpk := range []float64{0.4, 0, -1, math.NaN(), math.Inf(1)} {
		if got := f.PredictedFPR(1000, bpk); !math.IsNaN(got) {
			t.Errorf("%v bits/key: %v", bpk, got)
		}
	}
	if f.PredictedFPR(0, 10) != 0 || f.PredictedFPR(-3, 10) != 0 {
		t.Error("a filter without keys has false positives")
	}
	for _, n := range []int{1, 2, 51, 52, 1000, 40_000_000} {
		for _, bpk := range []float64{0.5, 1, 10, 100} {
			if got := f.PredictedFPR(n, bpk); !(got > 0 && got <= 1) {
				t.Errorf("%d keys, %v bits/key: %v", n, bpk, got)
			}
		}
	}
}

// testMoreKeysThanFit goes up to the format's largest size and beyond.
func (f Format) testMoreKeysThanFit(t *testing.T) {
	if f.Unlimited {
		t.Skip("filters may be larger")
	}
	const n = 1 << 30 // keys, 128 MiB for each bit
	if got := f.PredictedFPR(n, 31); !(got > 0 && got < 1e-4) {
		t.Errorf("a filter of almost 4 GiB: %v", got)
	}
	for _, n := range []int{n + n/30, 1<<31 - 1, math.MaxInt} {
		if got := f.PredictedFPR(n, 33); !math.IsNaN(got) {
			t.Errorf("%d keys: %v", n, got)
		}
	}
	if got := f.BitsPerKeyFor(n, 1e-4); !(got > 10 && got < 31.999) || f.PredictedFPR(n, got) > 1e-4 {
		t.Errorf("%d keys: %v bits/key", n, got)
	}
	if got := f.BitsPerKeyFor(n, 1e-9); !math.IsNaN(got) {
		t.Errorf("%d keys at a rate that takes more than 4 GiB: %v bits/key", n, got)
	}
}

// testBitsPerKeyForIsTheLeast calls BitsPerKeyFor with the rates of many settings: the result
// must not exceed the bits per key of the setting.
func (f Format) testBitsPerKeyForIsTheLeast(t *testing.T) {
	if f.OwnRates {
		t.Skip("tests of the package compare rates")
	}
	for _, n := range []int{100, 1000, 100_000} {
		for bpk := f.Least; bpk < 60; bpk += 11.3723 {
			fpr := f.PredictedFPR(n, bpk)
			got := f.BitsPerKeyFor(n, fpr)
			if f.Format == simdbloom.Paired { // among those of one size, the result has the lowest rate
				if f.sizeOf(t, n, got) > f.sizeOf(t, n, bpk) || f.PredictedFPR(n, got) > fpr {
					t.Errorf("%d keys: rate %.4g of %v bits/key: %v, which is larger", n, fpr, bpk, got)
				}
				continue
			}
			if got > bpk+0.001 || f.PredictedFPR(n, got) > fpr {
				t.Errorf("%d keys: rate %.4g of %v bits/key: %v", n, fpr, bpk, got)
			}
		}
	}
}

// sizeOf returns the size of a filter of n keys.
func (f Format) sizeOf(t *testing.T, n int, bitsPerKey float64) int {
	b := f.Builder(t, bitsPerKey)
	for i := range uint64(n) {
		b.AddHash(i)
	}
	return b.SizeBytes()
}

func (f Format) testBitsPerKeyForAWantedRate(t *testing.T) {
	if p, err := policy.WithFPR(f.Format, 0.01); err != nil || p.PredictedFPR(2000) > 0.01 {
		t.Errorf("a policy of a wanted rate: %v, %v", p, err)
	}
	if f.OwnRates {
		t.Skip("tests of the package compare rates")
	}
	for _, n := range []int{100, 5000, 1_000_000} {
		for _, fpr := range []float64{0.5, 0.01, 1e-3, 1e-5, 1e-7} {
			bpk := f.BitsPerKeyFor(n, fpr)
			if math.IsNaN(bpk) && f.PredictedFPR(n, 100) > fpr {
				continue // no setting has it
			}
			if got := f.PredictedFPR(n, bpk); !(got <= fpr) {
				t.Errorf("%d keys, rate %v: %v bits/key give %v", n, fpr, bpk, got)
			}
		}
	}
	if got := f.BitsPerKeyFor(1000, 1); !(got > 0 && got <= f.Least) && !(f.Format == simdbloom.Paired && f.sizeOf(t, 1000, got) == f.LeastBytes) {
		t.Errorf("any rate: %v bits/key, want at most %v", got, f.Least)
	}
	if got := f.BitsPerKeyFor(1_000_000, 0); !math.IsNaN(got) {
		t.Errorf("rate 0: %v bits/key", got)
	}
	if got := f.BitsPerKeyFor(1000, math.NaN()); !math.IsNaN(got) {
		t.Errorf("rate NaN: %v bits/key", got)
	}
}

package leveldb_test

import (
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/simdbloom/simdbloom/leveldb"
)

// emulated says that everything takes many times as long.
var emulated = os.Getenv("SIMDBLOOM_TEST_EXEC") != ""

// measured returns the false-positive rate of random hashes, its standard deviation, and the
// mean of what the filters estimate themselves.
func measured(t *testing.T, n int, bitsPerKey float64, filters, queries int) (rate, deviation, estimated float64) {
	t.Helper()
	r := rand.New(rand.NewPCG(uint64(n), uint64(bitsPerKey)))
	b, err := leveldb.NewBuilder(bitsPerKey)
	if err != nil {
		t.Fatal(err)
	}
	hashes, hits := make([]uint32, 4096), make([]bool, 4096)
	sum, squares := 0.0, 0.0
	for range filters {
		for range n {
			b.AddHash(r.Uint32())
		}
		data, err := b.Finish()
		if err != nil {
			t.Fatal(err)
		}
		f := open(t, data)
		found, asked := 0, 0
		for asked < queries/filters {
			for i := range hashes {
				hashes[i] = r.Uint32()
			}
			f.ContainsHashes(hashes, hits)
			for _, hit := range hits {
				if hit {
					found++
				}
			}
			asked += len(hashes)
		}
		own := float64(found) / float64(asked)
		sum += own
		squares += own * own
		estimated += f.EstimatedFPR() / float64(filters)
	}
	rate = sum / float64(filters)
	return rate, math.Sqrt((squares/float64(filters) - rate*rate) / float64(filters)), estimated
}

// TestPredictedRates has numbers of bits with the factors 3 and 5, and without, and filters
// whose third probes share bits. Besides three standard deviations it allows what the
// documentation says.
func TestPredictedRates(t *testing.T) {
	if emulated {
		t.Skip("the arithmetic is the same")
	}
	for _, c := range []struct {
		n          int
		bitsPerKey float64
		allowed    float64 // relative
	}{
		{300, 12, 0.03},
		{1000, 10, 0.02},
		{3000, 10, 0.02},
		{3001, 10, 0.02},
		{3001, 1, 0.01},
		{5001, 5, 0.01},
		{1000, 16, 0.04},
		{10_000, 10, 0.05},
		{10_000, 16, 0.03},
		{50_003, 10, 0.03},
		{100_003, 10, 0.05},
		{100_003, 16, 0.05},
		{300_000, 10, 0.05},
		{100, 16, 0.2},
	} {
		rate, deviation, estimated := measured(t, c.n, c.bitsPerKey, max(20, 3000/c.n), 4_000_000)
		predicted := leveldb.PredictedFPR(c.n, c.bitsPerKey)
		for name, computed := range map[string]float64{"predicted": predicted, "estimated": estimated} {
			if math.Abs(computed-rate) > 3*deviation+c.allowed*rate {
				t.Errorf("%d keys, %v bits per key: %s %.4g, measured %.4g ±%.2g", c.n, c.bitsPerKey, name, computed, rate, deviation)
			}
		}
	}
}

// TestRateThatTheHashBounds has more bits than a hash can tell apart.
func TestRateThatTheHashBounds(t *testing.T) {
	const n = 1_000_000
	if got, least := leveldb.PredictedFPR(n, 100), n*math.Ldexp(1, -32); got < least || got > 1.1*least {
		t.Errorf("%.4g, the hash alone makes %.4g", got, least)
	}
}

// TestRateOfTheLargestFilter has a number of bits that is above 32-bit machines' ints.
func TestRateOfTheLargestFilter(t *testing.T) {
	const n = (1<<32 - 8) / 20
	if got, least := leveldb.PredictedFPR(n, 20), n*math.Ldexp(1, -32); !(got > least && got < 1.1*least) {
		t.Errorf("%.4g, the hash alone makes %.4g", got, least)
	}
}

func TestRatesAtTheEdges(t *testing.T) {
	for _, bitsPerKey := range []float64{0.4, 0, -1, math.NaN(), math.Inf(1), math.Inf(-1)} {
		if got := leveldb.PredictedFPR(1000, bitsPerKey); !math.IsNaN(got) {
			t.Errorf("%v bits per key: %v", bitsPerKey, got)
		}
	}
	if leveldb.PredictedFPR(0, 10) != 0 || leveldb.PredictedFPR(-1, 10) != 0 {
		t.Error("a filter without keys has false positives")
	}
	for _, n := range []int{1, 2, 6, 7, 255, 4080, 40_000_000} {
		for _, bitsPerKey := range []float64{0.5, 1, 2, 3, 10, 51, 85} {
			if got := leveldb.PredictedFPR(n, bitsPerKey); !(got > 0 && got <= 1) && !(math.IsNaN(got) && bitsPerKey > 50) {
				t.Errorf("%d keys, %v bits per key: %v", n, bitsPerKey, got)
			}
		}
	}
	if got := leveldb.PredictedFPR(math.MaxInt, 10); !math.IsNaN(got) {
		t.Errorf("more keys than fit: %v", got)
	}
}

func TestBitsPerKeyFor(t *testing.T) {
	for _, n := range []int{100, 5000, 1_000_000} {
		for _, fpr := range []float64{1, 0.5, 0.01, 1e-3} {
			got := leveldb.BitsPerKeyFor(n, fpr)
			if !(leveldb.PredictedFPR(n, got) <= fpr) || got > 1 && leveldb.PredictedFPR(n, got-1) <= fpr {
				t.Errorf("%d keys, rate %v: %v bits per key", n, fpr, got)
			}
		}
	}
	if got := leveldb.BitsPerKeyFor(1000, 0); !math.IsInf(got, 1) {
		t.Errorf("rate 0: %v", got)
	}
	if got := leveldb.BitsPerKeyFor(1000, math.NaN()); !math.IsNaN(got) {
		t.Errorf("rate NaN: %v", got)
	}
	if got := leveldb.BitsPerKeyFor(0, 0); got != 1 {
		t.Errorf("no keys: %v", got)
	}
}

func TestEstimatedRates(t *testing.T) {
	for data, want := range map[string]float64{
		"": 0, "\x00\x06": 0, "\x00\x00": 1, "\x00\x1f": 1, "\xff\x06": 1, "\xff\xff\xff\x1e": 1,
	} {
		if got := open(t, []byte(data)).EstimatedFPR(); got != want {
			t.Errorf("%x: %v, not %v", data, got, want)
		}
	}
}

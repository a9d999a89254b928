package leveldb_test

import (
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/simdbloom/simdbloom/internal/building"
	rates "github.com/simdbloom/simdbloom/internal/formats/leveldb"
	"github.com/simdbloom/simdbloom/internal/hashlog"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/leveldb"
)

// emulated says that everything takes many times as long.
var emulated = os.Getenv("SIMDBLOOM_TEST_EXEC") != ""

// measured returns the false-positive rate of random hashes, its standard deviation, and the
// mean of what the filters estimate themselves.
func measured(t *testing.T, n int, bitsPerKey float64, filters, queries int) (rate, deviation, estimated float64) {
	t.Helper()
	r := rand.New(rand.NewPCG(uint64(n), uint64(bitsPerKey)))
	b := contract.LevelDB.Builder(t, bitsPerKey)
	hashes, hits := make([]uint64, 4096), make([]bool, 4096)
	sum, squares := 0.0, 0.0
	for range filters {
		for range n {
			b.AddHash(uint64(r.Uint32()))
		}
		f := contract.LevelDB.Opened(t, contract.LevelDB.Finish(t, b))
		found, asked := 0, 0
		for asked < queries/filters {
			for i := range hashes {
				hashes[i] = uint64(r.Uint32())
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

// TestPredictedIsTheFrontDoors, whose sizes and probes it has.
func TestPredictedIsTheFrontDoors(t *testing.T) {
	for n, body := range map[uint64]uint64{1: 8, 7: 9, 1000: 1250, 100_003: 125_004} {
		if got, want := rates.Predicted(n, body, 6), leveldb.PredictedFPR(int(n), 10); got != want {
			t.Errorf("%d keys: %v, package leveldb's is %v", n, got, want)
		}
	}
}

// TestEstimatesAreNearPredictions has numbers of probes and of bits beside those from which the third probe counts.
func TestEstimatesAreNearPredictions(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 9))
	for _, c := range []struct {
		n          int
		bitsPerKey int64
		probes     int
	}{{3001, 3, 2}, {3001, 5, 3}, {100_003, 4, 2}, {100_003, 5, 3}, {100_003, 6, 4}} {
		hashes := make([]uint64, c.n)
		for i := range hashes {
			hashes[i] = uint64(r.Uint32())
		}
		body := rates.BodyBytes(uint64(c.n), c.bitsPerKey)
		data := rates.AppendFilter(nil, body+rates.TrailerBytes, c.bitsPerKey, hashes)
		want, got := rates.Predicted(uint64(c.n), body, c.probes), rates.Estimated(data[:body], c.probes)
		if int(data[body]) != c.probes || !(got > 0.96*want && got < 1.04*want) {
			t.Errorf("%d keys, %d bits per key, %d probes: estimated %.4g, predicted %.4g", c.n, c.bitsPerKey, data[body], got, want)
		}
	}
}

// TestSizesAtTheLimits has the largest filter, and numbers of bits beyond 64 bits, which are not taken for few.
func TestSizesAtTheLimits(t *testing.T) {
	log := hashlog.Counted(1)
	for bitsPerKey, fits := range map[float64]bool{8 * rates.MostBodyBytes: true, 8*rates.MostBodyBytes + 8: false} {
		scheme, err := rates.NewScheme(bitsPerKey, &building.Options{Concurrency: 1})
		if size, allowed := scheme.Size(&log); err != nil || allowed != fits || float64(size) != bitsPerKey/8+rates.TrailerBytes {
			t.Errorf("a key of %v bits: %d bytes, allowed %v, %v", bitsPerKey, size, allowed, err)
		}
	}
	if below, least := rates.KeysFor(8, 10), rates.KeysFor(9, 10); below != 0 || least != 6 {
		t.Errorf("%d keys in 8 bytes, %d in 9", below, least)
	}
	for _, keys := range []uint64{1 << 59, 1 << 60, math.MaxUint64} {
		if got := rates.BodyBytes(keys, 16); got <= rates.MostBodyBytes {
			t.Errorf("%d keys at 16 bits: %d bytes", keys, got)
		}
	}
}

func TestEstimatedRates(t *testing.T) {
	for _, c := range []struct {
		body   string
		probes int
		want   float64
	}{
		{"\x00", 6, 0},
		{"\x00", 0, 1},
		{"\xff", 6, 1},
		{"\xff\xff\xff", 30, 1},
		{"\xff\xff\xff\xff\xff\xff\xff\xff\xff", 1, 1},
	} {
		if got := rates.Estimated([]byte(c.body), c.probes); got != c.want {
			t.Errorf("%x, %d probes: %v, not %v", c.body, c.probes, got, c.want)
		}
	}
	// One probe of few bits: the share of these, whatever else there is.
	for at := range 80 {
		body := make([]byte, 80)
		body[at] = 0x81
		if got, want := rates.Estimated(body, 1), 2./640; got < 0.99*want || got > 1.01*want {
			t.Errorf("2 of 640 bits, in byte %d: %v", at, got)
		}
	}
}

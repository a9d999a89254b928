package policy_test

import (
	"errors"
	"math"
	"strings"
	"sync"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/policy"
)

var rated = []simdbloom.Format{
	simdbloom.FastLocal, simdbloom.Paired, simdbloom.Linear, simdbloom.Ribbon, simdbloom.SplitBlock, simdbloom.Blobloom, simdbloom.Legacy, simdbloom.LevelDB,
}

// TestWithRate: filters of all numbers of keys have the rate, by prediction and by lookups, and are read by the name.
func TestWithRate(t *testing.T) {
	for _, format := range rated {
		const fpr = 0.01
		p, err := policy.WithFPR(format, fpr)
		if err != nil {
			t.Fatal(err)
		}
		again, err := policy.Parse(p.String())
		if err != nil || again.String() != p.String() || again.Name() != p.Name() || p.Format() != format {
			t.Fatalf("%s: %v, %v", p, again, err)
		}
		reader, err := policy.ForName(p.Name())
		if err != nil {
			t.Fatal(err)
		}
		numbers := []int{1, 2, 10, 100, 500, 3000, 20_000, 150_000, 1_000_000}
		if testing.Short() {
			numbers = numbers[:7]
		}
		if testing.Short() && format == simdbloom.Legacy { // whose rates are samples of two million lookups
			numbers = []int{1, 500, 20_000}
		}
		for _, n := range numbers {
			hashes := hashesFor(p, uint64(n), n)
			b := p.NewBuilder(simdbloom.WithVerification())
			b.AddHashes(hashes)
			size := b.SizeBytes()
			data, err := b.Finish()
			if err != nil || len(data) > size {
				t.Fatal(err)
			}
			if predicted := p.PredictedFPR(n); !(predicted <= fpr && (n < 500 || predicted > fpr/4)) {
				t.Errorf("%s, %d keys: predicted %v", p, n, predicted)
			}
			if room := p.KeysFor(size); (room < n-n/50 || n < 3000 && p.SizeBytes(room) > size) && format != simdbloom.Ribbon {
				t.Errorf("%s, %d keys: %d bytes have room for %d", p, n, size, room)
			}
			if n < 500 {
				continue
			}
			const lookups = 50_000
			found := 0
			for _, hash := range hashesFor(p, vectors.NegativeSeed, lookups) {
				if reader.MayContainHash(data, hash) {
					found++
				}
			}
			if rate := float64(found) / lookups; rate > fpr*1.25+4*math.Sqrt(fpr/lookups) {
				t.Errorf("%s, %d keys: %.5f", p, n, rate)
			}
		}
	}
}

// hashesFor returns hashes of as many bits as the policy's key hash has.
func hashesFor(p *policy.Policy, seed uint64, n int) []uint64 {
	hashes := vectors.Hashes(seed, n)
	if p.Hash().Bits() == 32 {
		for i := range hashes {
			hashes[i] >>= 32
		}
	}
	return hashes
}

// TestWithFPRTakesTheBatch: few keys take few bytes.
func TestWithFPRTakesTheBatch(t *testing.T) {
	for text, most := range map[string]int{"simdbloom.Paired:fpr=0.001": 133, "simdbloom.Paired:fpr=1e-5": 200, "speedb.PairedBloomFilter:fpr=0.001": 2052} {
		b := parse(t, text).NewBuilder()
		b.AddHashes(vectors.Hashes(1, 30))
		if size := b.SizeBytes(); size > most {
			t.Errorf("%s: %d bytes of 30 keys", text, size)
		}
	}
}

// TestRateOfFewKeys: a few keys have other bits per key than a million.
func TestRateOfFewKeys(t *testing.T) {
	const keys, fpr = 64, 1e-7
	p, err := policy.WithFPR(simdbloom.FastLocal, fpr)
	if err != nil {
		t.Fatal(err)
	}
	few := policy.FastLocal(bloom.BitsPerKeyFor(keys, fpr)).SizeBytes(keys)
	if size, other := p.SizeBytes(keys), policy.FastLocal(p.BitsPerKey()).SizeBytes(keys); size != few || size == other {
		t.Errorf("%d bytes, want %d, and not %d", size, few, other)
	}
	if room := p.KeysFor(few); room < keys || p.SizeBytes(room) != few || p.SizeBytes(room+1) <= few {
		t.Errorf("room for %d keys in the bytes of %d", room, keys)
	}
}

func TestImpossibleRates(t *testing.T) {
	for _, format := range rated {
		for _, fpr := range []float64{0, 1, -0.1, 1.5, math.NaN(), math.Inf(1), 1e-300} {
			if p, err := policy.WithFPR(format, fpr); err == nil {
				t.Errorf("%v: %s", fpr, p)
			}
		}
	}
	for _, text := range []string{"", "0", "1", "NaN", "x", "-0.5", "0.1:2", "+Inf", "1e-400"} {
		if p, err := policy.Parse("simdbloom.FastLocal:fpr=" + text); err == nil || text == "x" && !strings.Contains(err.Error(), "must be a number") {
			t.Errorf("%q: %v, %v", text, p, err)
		}
	}
	if _, err := policy.Parse("simdbloom.Nothing:fpr=0.1"); !errors.Is(err, simdbloom.ErrUnknown) {
		t.Error(err)
	}
	if _, err := policy.WithFPR(simdbloom.Reserved, 0.1); !errors.Is(err, simdbloom.ErrUnknown) {
		t.Error(err)
	}
}

// TestRateOfAnObject: options may follow, and a level's FastLocal filters have the rate, too.
func TestRateOfAnObject(t *testing.T) {
	p := parse(t, "{id=ribbonfilter:fpr=0.001;bloom_before_level=2;}")
	for _, option := range []simdbloom.Option{policy.WithLevel(1), policy.WithLevel(3)} {
		if rate := p.PredictedFPR(20_000, option); !(rate > 0.0007 && rate <= 0.001) {
			t.Error(rate)
		}
	}
	if got := parse(t, "ribbonfilter:fpr=0.001:2"); got.PredictedFPR(20_000, policy.WithLevel(1)) != p.PredictedFPR(20_000, policy.WithLevel(1)) {
		t.Error(got)
	}
}

func TestOneRateForManyGoroutines(t *testing.T) {
	p := parse(t, "simdbloom.Paired:fpr=0.002")
	var running sync.WaitGroup
	for range 8 {
		running.Add(1)
		go func() {
			defer running.Done()
			for n := 100; n < 3000; n += 331 {
				b := p.NewBuilder()
				b.AddHashes(vectors.Hashes(1, n))
				if data, err := b.Finish(); err != nil || !p.MayContainHash(data, vectors.Hashes(1, 1)[0]) {
					t.Error(err)
				}
			}
		}()
	}
	running.Wait()
}

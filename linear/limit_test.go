package linear_test

import (
	"bytes"
	"math"
	"strconv"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/naive"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/linear"
)

// TestEveryLimit goes from a line to more than enough.
func TestEveryLimit(t *testing.T) {
	for _, keys := range []int{1, 20, 100, 400} {
		hashes := vectors.Hashes(uint64(keys), keys)
		for _, bitsPerKey := range []float64{0.5, 9, 20} {
			for limit := 201; limit < keys*3+400; limit += 1 + limit/23 {
				got := contract.Linear.Build(t, bitsPerKey, hashes, simdbloom.WithMaxBytes(limit), simdbloom.WithVerification())
				f := contract.Linear.Opened(t, got)
				if hits := f.AppendHits(nil, hashes); len(hits) != keys || len(got) > limit {
					t.Fatalf("%d keys at %v bits/key in %d bytes: %d bytes, %d found", keys, bitsPerKey, limit, len(got), len(hits))
				}
				want := naive.LinearBy(naive.LinearLine, hashes, uint64(1000*bitsPerKey), uint64(limit-136)/65, naive.LinearLoad)
				if !bytes.Equal(got, want.Bytes()) {
					t.Fatalf("%d keys at %v bits/key in %d bytes: other bytes than the naive builder's", keys, bitsPerKey, limit)
				}
			}
		}
	}
}

// TestRatesWithinALimit compares the predicted rate and that of the filter with lookups.
func TestRatesWithinALimit(t *testing.T) {
	const keys = 100_000
	hashes, absent := vectors.Hashes(3, keys), vectors.Hashes(vectors.NegativeSeed, 50_000)
	for _, bitsPerKey := range []float64{0.1, 0.5, 1, 2, 3.9, 5, 6, 6.7, 7.1, 7.5, 10, 20} {
		limit := int(keys*bitsPerKey/8) + 136
		f := contract.Linear.Opened(t, contract.Linear.Build(t, 100, hashes, simdbloom.WithMaxBytes(limit)))
		measured := float64(len(f.AppendHits(nil, absent))) / float64(len(absent))
		predicted, estimated := linear.PredictedFPR(keys, 100, simdbloom.WithMaxBytes(limit)), f.EstimatedFPR()
		t.Logf("%v bits/key: predicted %.4g, estimated %.4g, measured %.4g", bitsPerKey, predicted, estimated, measured)
		noise := 4 * math.Sqrt(max(measured, 1/float64(len(absent)))/float64(len(absent)))
		if math.Abs(estimated-measured) > 0.02*measured+noise || math.Abs(predicted-measured) > 0.1*measured+noise+0.001 {
			t.Errorf("%v bits/key: predicted %.4g, estimated %.4g, measured %.4g", bitsPerKey, predicted, estimated, measured)
		}
	}
	if got := linear.PredictedFPR(1, 10, simdbloom.WithMaxBytes(201)); got != math.Ldexp(1, -32) {
		t.Errorf("a key in a line: %v", got)
	}
	if got := linear.PredictedFPR(math.MaxInt, 100, simdbloom.WithMaxBytes(1<<20)); !(got > 0.99 && got <= 1) {
		t.Errorf("all keys that can be counted: %v", got)
	}
}

// TestPredictedWithinALimit compares the predicted rate with that of the filter's headers.
func TestPredictedWithinALimit(t *testing.T) {
	const keys = 20_000
	hashes := vectors.Hashes(4, keys)
	for _, bitsPerKey := range []float64{0.5, 3, 6, 7.1} {
		limit := simdbloom.WithMaxBytes(int(keys*bitsPerKey/8) + 136)
		estimated := contract.Linear.Opened(t, contract.Linear.Build(t, 100, hashes, limit)).EstimatedFPR()
		if predicted := linear.PredictedFPR(keys, 100, limit); math.Abs(predicted-estimated) > 0.04*estimated {
			t.Errorf("%v bits/key: predicted %.4g, estimated %.4g", bitsPerKey, predicted, estimated)
		}
	}
}

// TestSizes compares SizeBytes with filters, key by key. It allocates nothing.
func TestSizes(t *testing.T) {
	for _, bitsPerKey := range []float64{0.5, 7.4, 23.4, 1000} {
		b := contract.Linear.Builder(t, bitsPerKey)
		keys := uint64(0)
		if allocs := testing.AllocsPerRun(1000, func() {
			b.AddHash(keys)
			keys++
			_, _, lines := naive.LinearPlan(keys, naive.LinearAsked(keys, uint64(1000*bitsPerKey)), naive.LinearLoad)
			if want := 65*lines + 8*min(lines, 16) + 8; uint64(b.SizeBytes()) != want {
				t.Fatalf("%d keys at %v bits/key: SizeBytes %d, want %d", keys, bitsPerKey, b.SizeBytes(), want)
			}
		}); allocs != 0 {
			t.Errorf("%v allocations", allocs)
		}
	}
}

// TestTooLarge needs keys for 2 GiB on a machine of 32 bits, and no machine of 64 bits has
// memory for so many.
func TestTooLarge(t *testing.T) {
	if strconv.IntSize > 32 || testing.Short() {
		t.Skip("only where a slice has less than 2 GiB")
	}
	b := contract.Linear.Builder(t, 1000)
	const keys = 18_000_000
	for seed := range uint64(18) {
		b.AddHashes(vectors.Hashes(seed, keys/18))
	}
	if b.Len() != keys || b.SizeBytes() != math.MaxInt {
		t.Errorf("%d keys, SizeBytes %d", b.Len(), b.SizeBytes())
	}
	contract.TestTooLarge(t, b)
}

// TestKeysBeyondTheFormat: more bytes than the largest filter has make room for no more keys.
func TestKeysBeyondTheFormat(t *testing.T) {
	const largest = 38 // 2^38 bytes, and a 64th of that for headers
	for _, bitsPerKey := range []float64{5, 10, 100} {
		most := linear.KeysFor(math.MaxInt, bitsPerKey)
		for shift := largest + 1; shift < strconv.IntSize-1; shift++ {
			n := linear.KeysFor(1<<shift, bitsPerKey)
			share := float64(n) * max(bitsPerKey, 7.34) / math.Ldexp(8, largest) / (65.0 / 64)
			if n != most || share < 0.97 || share > 1.01 {
				t.Errorf("%v bits/key, 2^%d bytes: %d keys, in all bytes %d", bitsPerKey, shift, n, most)
			}
		}
	}
}

// TestBitsPerKeyWithinALimit: the least bits per key that have the rate within the limit, which is below 7.35 bits per
// key in one case.
func TestBitsPerKeyWithinALimit(t *testing.T) {
	const keys = 10_000
	for _, bytes := range []int{7000, 16_000} {
		limit := simdbloom.WithMaxBytes(bytes)
		best := linear.PredictedFPR(keys, 100, simdbloom.WithMaxBytes(bytes))
		for _, fpr := range []float64{1, 0.5, 0.1, 0.01, best * 1.001, best, best * 0.999, 1e-6, 0} {
			got := linear.BitsPerKeyFor(keys, fpr, limit)
			if fpr < best {
				if !math.IsNaN(got) {
					t.Errorf("%d bytes, rate %v, which does not fit: %v bits/key", bytes, fpr, got)
				}
				continue
			}
			if rate := linear.PredictedFPR(keys, got, limit); !(rate <= fpr) || got > 8*float64(bytes)/keys {
				t.Errorf("%d bytes, rate %v: %v bits/key give %v", bytes, fpr, got, rate)
			}
			if plain := linear.BitsPerKeyFor(keys, fpr); got > plain {
				t.Errorf("%d bytes, rate %v: %v bits/key, and %v without the limit", bytes, fpr, got, plain)
			}
		}
	}
}

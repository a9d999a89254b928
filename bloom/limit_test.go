package bloom_test

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/internal/test/naive"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
)

// limited returns a builder of filters of at most n bytes.
func limited(t *testing.T, bitsPerKey float64, n int) *bloom.Builder {
	t.Helper()
	b, err := bloom.NewBuilder(bitsPerKey, keyhash.XX64, bloom.WithMaxBytes(n))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// finished returns what SizeBytes announces and Finish gives.
func finished(t *testing.T, b *bloom.Builder) []byte {
	t.Helper()
	size := b.SizeBytes()
	data, err := b.Finish()
	if err != nil || len(data) != size {
		t.Fatalf("%d bytes, %v; SizeBytes was %d", len(data), err, size)
	}
	return data
}

// rocksDBsProbes returns k for the bits per key that the given number of blocks has.
func rocksDBsProbes(blocks, keys int) (k int) {
	real := min(uint64(blocks)*512_000/uint64(keys), 100_000)
	k = 1
	for _, step := range vectors.NumProbes("rocksdb_fastlocal") {
		if uint64(step[0]) <= real {
			k = step[1]
		}
	}
	return k
}

// cut returns a filter of at most n bytes of keys that would take more.
func cut(hashes []uint64, n int) []byte {
	blocks := 0
	for (blocks+1)*64+5 <= n {
		blocks++
	}
	return naive.FastLocalOf(blocks, hashes, rocksDBsProbes(blocks, len(hashes)))
}

// TestEveryLimit goes from a block to the size without a limit, and beyond.
func TestEveryLimit(t *testing.T) {
	for _, keys := range []int{0, 1, 2, 3, 10, 50, 52, 100, 333, 1000} {
		hashes := vectors.Hashes(uint64(keys), keys)
		for _, bpk := range []float64{0.5, 3, 10, 23.4, 100} {
			plain := builder(t, bpk, keyhash.XX64)
			plain.AddHashes(hashes)
			asked := finished(t, plain)
			var want []byte
			for n := 69; n <= len(asked)+66; n++ {
				switch {
				case n >= len(asked):
					want = asked
				case n == 69 || (n-5)%64 == 0:
					want = cut(hashes, n)
				}
				b := limited(t, bpk, n)
				b.AddHashes(hashes)
				got := finished(t, b)
				if !bytes.Equal(got, want) || len(got) > n {
					t.Fatalf("%d keys at %v bits/key in %d bytes: %d bytes, want %d or others", keys, bpk, n, len(got), len(want))
				}
				if hits := open(t, got, keyhash.XX64).AppendHits(nil, hashes); len(hits) != keys {
					t.Fatalf("%d keys at %v bits/key in %d bytes: %d found", keys, bpk, n, len(hits))
				}
			}
		}
	}
}

// TestLimitOfManyKeys is about far too few bytes, and about the boundary.
func TestLimitOfManyKeys(t *testing.T) {
	const keys, bpk = 100_000, 10
	hashes := vectors.Hashes(5, keys)
	plain := builder(t, bpk, keyhash.XX64)
	plain.AddHashes(hashes)
	asked := finished(t, plain)
	for _, n := range []int{69, 132, 133, 1000, 12_500, 50_000, 99_999, len(asked) - 1} {
		b := limited(t, bpk, n)
		b.AddHashes(hashes)
		got := finished(t, b)
		if !bytes.Equal(got, cut(hashes, n)) {
			t.Errorf("other bytes within %d", n)
		}
		if hits := open(t, got, keyhash.XX64).AppendHits(nil, hashes); len(hits) != keys {
			t.Errorf("%d keys found within %d bytes", len(hits), n)
		}
	}
	b := limited(t, bpk, len(asked))
	b.AddHashes(hashes)
	if !bytes.Equal(finished(t, b), asked) {
		t.Error("other bytes where the filter just fits")
	}
}

func TestLimitsThatAreRefused(t *testing.T) {
	for _, n := range []int{math.MinInt, -1, 0, 5, 64, 68} {
		_, err := bloom.NewBuilder(10, keyhash.XX64, bloom.WithMaxBytes(n))
		if err == nil || !strings.HasPrefix(err.Error(), "bloom: ") || !strings.Contains(err.Error(), fmt.Sprint(n)) {
			t.Errorf("%d bytes: %v", n, err)
		}
		if rate := bloom.PredictedFPRWithin(1000, 10, n); !math.IsNaN(rate) {
			t.Errorf("%d bytes: rate %v", n, rate)
		}
	}
}

func TestSizeWithinALimitAllocatesNothing(t *testing.T) {
	b := limited(t, 10, 300)
	next := uint64(0)
	if allocs := testing.AllocsPerRun(50, func() {
		b.AddHash(next)
		next++
		if want := min((int(next)*10+511)/512, 4); b.SizeBytes() != want*64+5 {
			t.Fatalf("%d keys: SizeBytes %d, want %d blocks", next, b.SizeBytes(), want)
		}
	}); allocs != 0 {
		t.Errorf("%v allocations", allocs)
	}
}

// TestProbesWithinALimit compares with filters of the same size that have up to two
// probes more or fewer, by their bits, which tell the rates without the noise of asking.
func TestProbesWithinALimit(t *testing.T) {
	const blocks = 1000
	absent := vectors.Hashes(vectors.NegativeSeed, 50_000)
	for _, bpk := range []float64{0.3, 1, 2, 3, 4.5, 6, 8, 9.9, 12, 14, 17} {
		keys := int(blocks * 512 / bpk)
		hashes := vectors.Hashes(9, keys)
		b := limited(t, 100, blocks*64+5+63)
		b.AddHashes(hashes)
		f := open(t, finished(t, b), keyhash.XX64)
		own, k := f.EstimatedFPR(), f.NumProbes()
		if predicted := bloom.PredictedFPRWithin(keys, 100, blocks*64+5); math.Abs(predicted/own-1) > 0.02 {
			t.Errorf("%v bits/key: predicted %.4g, by its bits %.4g", bpk, predicted, own)
		}
		asked := float64(len(f.AppendHits(nil, absent))) / float64(len(absent))
		if math.Abs(asked-own) > 0.01*own+4*math.Sqrt(own/float64(len(absent))) {
			t.Errorf("%v bits/key: by its bits %.4g, by lookups %.4g", bpk, own, asked)
		}
		for other := max(k-2, 1); other <= k+2; other++ {
			rate := open(t, naive.FastLocalOf(blocks, hashes, other), keyhash.XX64).EstimatedFPR()
			if own > 1.01*rate {
				t.Errorf("%v bits/key: %d probes err %.4g, %d probes %.4g", bpk, k, own, other, rate)
			}
		}
	}
}

func TestPredictedRateWithinALimit(t *testing.T) {
	for _, bpk := range []float64{0.5, 10, 100} {
		for _, keys := range []int{-1, 0, 1, 100, 12_345} {
			if got, want := bloom.PredictedFPRWithin(keys, bpk, 1<<20), bloom.PredictedFPR(keys, bpk); got != want {
				t.Errorf("%d keys at %v bits/key, which fit: %v, not %v", keys, bpk, got, want)
			}
		}
	}
	if got := bloom.PredictedFPRWithin(1000, math.NaN(), 1000); !math.IsNaN(got) {
		t.Errorf("NaN bits/key: %v", got)
	}
	last := 0.0
	for keys := 1000; keys > 0; keys *= 2 { // until the sign changes
		got := bloom.PredictedFPRWithin(keys, 10, 1000)
		if !(got > last-1e-6 && got <= 1) || keys > 1_000_000 && got != 1 {
			t.Errorf("%d keys in 1000 bytes: %v, after %v", keys, got, last)
		}
		last = got
	}
	if got := bloom.PredictedFPRWithin(math.MaxInt, 100, math.MaxInt); math.MaxInt>>32 > 0 && got != 1 {
		t.Errorf("all keys that can be counted: %v", got)
	}
}

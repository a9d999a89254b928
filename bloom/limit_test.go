package bloom_test

import (
	"bytes"
	"math"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/naive"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
)

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
			asked := contract.FastLocal.Build(t, bpk, hashes)
			var want []byte
			for n := 69; n <= len(asked)+66; n++ {
				switch {
				case n >= len(asked):
					want = asked
				case n == 69 || (n-5)%64 == 0:
					want = cut(hashes, n)
				}
				if got := contract.FastLocal.Build(t, bpk, hashes, simdbloom.WithMaxBytes(n)); !bytes.Equal(got, want) || len(got) > n {
					t.Fatalf("%d keys at %v bits/key in %d bytes: %d bytes, want %d or others", keys, bpk, n, len(got), len(want))
				}
			}
		}
	}
	const keys, bpk = 100_000, 10 // far too few bytes
	hashes := vectors.Hashes(5, keys)
	for _, n := range []int{69, 132, 133, 1000, 12_500, 50_000, 99_999, len(contract.FastLocal.Build(t, bpk, hashes)) - 1} {
		if !bytes.Equal(contract.FastLocal.Build(t, bpk, hashes, simdbloom.WithMaxBytes(n)), cut(hashes, n)) {
			t.Errorf("other bytes within %d", n)
		}
	}
}

// TestExactSizes has the number of probes that suits the bits per key there are.
func TestExactSizes(t *testing.T) {
	for _, keys := range []int{1, 52, 1000, 30_000} {
		hashes := vectors.Hashes(4, keys)
		for _, blocks := range []int{1, 2, 63, 1000} {
			want := naive.FastLocalOf(blocks, hashes, rocksDBsProbes(blocks, keys))
			for _, bpk := range []float64{1, 10, 100} {
				if got := contract.FastLocal.Build(t, bpk, hashes, simdbloom.WithSizeBytes(64*blocks+5)); !bytes.Equal(got, want) {
					t.Errorf("%d keys in %d blocks: other bytes at %v bits/key", keys, blocks, bpk)
				}
			}
		}
	}
}

// TestProbesWithinALimit compares with filters of the same size that have up to two
// probes more or fewer, by their bits, which tell the rates without the noise of lookups.
func TestProbesWithinALimit(t *testing.T) {
	const blocks = 1000
	absent := vectors.Hashes(vectors.NegativeSeed, 50_000)
	for _, bpk := range []float64{0.3, 1, 2, 3, 4.5, 6, 8, 9.9, 12, 14, 17} {
		keys := int(blocks * 512 / bpk)
		hashes := vectors.Hashes(9, keys)
		f := contract.FastLocal.Opened(t, contract.FastLocal.Build(t, 100, hashes, simdbloom.WithMaxBytes(blocks*64+5+63)))
		own, k := f.EstimatedFPR(), f.NumProbes()
		if predicted := bloom.PredictedFPR(keys, 100, simdbloom.WithMaxBytes(blocks*64+5)); math.Abs(predicted/own-1) > 0.02 {
			t.Errorf("%v bits/key: predicted %.4g, by its bits %.4g", bpk, predicted, own)
		}
		asked := float64(len(f.AppendHits(nil, absent))) / float64(len(absent))
		if math.Abs(asked-own) > 0.01*own+4*math.Sqrt(own/float64(len(absent))) {
			t.Errorf("%v bits/key: by its bits %.4g, by lookups %.4g", bpk, own, asked)
		}
		for other := max(k-2, 1); other <= k+2; other++ {
			rate := contract.FastLocal.Opened(t, naive.FastLocalOf(blocks, hashes, other)).EstimatedFPR()
			if own > 1.01*rate {
				t.Errorf("%v bits/key: %d probes have a rate of %.4g, %d probes %.4g", bpk, k, own, other, rate)
			}
		}
	}
}

func TestPredictedRateWithinALimit(t *testing.T) {
	last := 0.0
	for keys := 1000; keys > 0; keys *= 2 { // until the sign changes
		got := bloom.PredictedFPR(keys, 10, simdbloom.WithMaxBytes(1000))
		if !(got > last-1e-6 && got <= 1) || keys > 1_000_000 && got != 1 {
			t.Errorf("%d keys in 1000 bytes: %v, after %v", keys, got, last)
		}
		last = got
	}
	if got := bloom.PredictedFPR(math.MaxInt, 100, simdbloom.WithMaxBytes(math.MaxInt)); math.MaxInt>>32 > 0 && got != 1 {
		t.Errorf("all keys that can be counted: %v", got)
	}
}

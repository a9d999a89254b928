package paired_test

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom/internal/test/naive"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/paired"
)

// finished returns what SizeBytes announces and Finish gives.
func finished(t *testing.T, b *paired.Builder) []byte {
	t.Helper()
	size := b.SizeBytes()
	data, err := b.Finish()
	if err != nil || len(data) != size {
		t.Fatalf("%d bytes, %v; SizeBytes was %d", len(data), err, size)
	}
	return data
}

// build returns the filter of hashes.
func build(t *testing.T, bitsPerKey float64, hashes []uint64, options ...paired.Option) []byte {
	t.Helper()
	b := builder(t, bitsPerKey, keyhash.XX64, options...)
	b.AddHashes(hashes)
	return finished(t, b)
}

// cut returns a filter of at most n bytes, in batches of the given size, of hashes that
// would take more.
func cut(hashes []uint64, n, batch int) []byte {
	batches := 0
	for (batches+1)*batch*64+4 <= n {
		batches++
	}
	k := 2
	for _, most := range []int{4200, 7200, 10_200, 13_200, 16_200, 19_200, 22_200, 25_200, 28_200, 31_200, 34_200} {
		if uint64(batches*batch)*512_000/uint64(max(len(hashes), 1)) > uint64(most) {
			k += 2
		}
	}
	return naive.PairedOf(batches, hashes, k, batch)
}

// TestEveryLimit goes from a batch to the size without a limit, and beyond, with given
// batches.
func TestEveryLimit(t *testing.T) {
	for batch := range batches {
		unit := batch * 64
		own := paired.WithBatchBlocks(batch)
		for _, options := range [][]paired.Option{{own}, {own, paired.WithRoundDown()}} {
			for _, keys := range []int{0, 1, 2, 100, 1000, 3000} {
				hashes := vectors.Hashes(uint64(keys), keys)
				for _, bpk := range []float64{0.5, 5, 20, 100} {
					asked := build(t, bpk, hashes, options...)
					for whole := unit; whole <= len(asked)+unit; whole += unit {
						for _, n := range []int{whole + 4, whole + 5, whole + unit/2, whole + unit + 3} {
							want := asked
							if n < len(asked) {
								want = cut(hashes, n, batch)
							}
							got := build(t, bpk, hashes, append(options, paired.WithMaxBytes(n))...)
							if !bytes.Equal(got, want) || len(got) > n {
								t.Fatalf("batches of %d, %d keys at %v bits/key in %d bytes: trailers % x and % x, or other bytes",
									batch, keys, bpk, n, got[len(got)-4:], want[len(want)-4:])
							}
							if hits := open(t, got, keyhash.XX64).AppendHits(nil, hashes); len(hits) != keys {
								t.Fatalf("%d keys at %v bits/key in %d bytes: %d found", keys, bpk, n, len(hits))
							}
						}
					}
				}
			}
		}
	}
}

// TestLimitOfManyKeys is about far too few bytes, and about the boundary.
func TestLimitOfManyKeys(t *testing.T) {
	const keys, bpk = 100_000, 23.4
	hashes := vectors.Hashes(5, keys)
	for batch := range batches {
		own := paired.WithBatchBlocks(batch)
		asked := build(t, bpk, hashes, own)
		for _, n := range []int{8196, 12_500, 50_000, 199_999, len(asked) - 1} {
			got := build(t, bpk, hashes, own, paired.WithMaxBytes(n), paired.WithVerification(), paired.WithConcurrency(2))
			if !bytes.Equal(got, cut(hashes, n, batch)) {
				t.Errorf("batches of %d: other bytes within %d", batch, n)
			}
			f := open(t, got, keyhash.XX64)
			if hits := f.AppendHits(nil, hashes); len(hits) != keys {
				t.Errorf("batches of %d: %d keys found within %d bytes", batch, len(hits), n)
			}
			if err := f.Verify(); err != nil {
				t.Error(err)
			}
		}
		if !bytes.Equal(build(t, bpk, hashes, own, paired.WithMaxBytes(len(asked))), asked) {
			t.Errorf("batches of %d: other bytes where the filter just fits", batch)
		}
	}
}

// TestBatchWithinALimit has no batch given: a filter that fits has batches of 128,
// and one that does not has those with a lower rate, or a hardly higher one.
func TestBatchWithinALimit(t *testing.T) {
	const most = 1.015
	chosen := map[int]int{}
	for _, bytesMost := range []int{2052, 4100, 8195, 8196, 8197, 10_244, 16_388, 20_000, 51_204, 102_500} {
		for _, bpk := range []float64{0.9, 3, 6, 9.9, 12, 16.3, 17.5, 19, 22, 24, 30, 36} {
			keys := int(float64(bytesMost) * 8 / bpk)
			hashes := vectors.Hashes(3, keys)
			got := build(t, 100, hashes, paired.WithMaxBytes(bytesMost))
			f := open(t, got, keyhash.XX64)
			chosen[f.BatchBlocks()]++
			if !bytes.Equal(got, cut(hashes, bytesMost, f.BatchBlocks())) {
				t.Fatalf("%d keys in %d bytes: other bytes", keys, bytesMost)
			}
			if hits := f.AppendHits(nil, hashes); len(hits) != keys {
				t.Fatalf("%d keys in %d bytes: %d found", keys, bytesMost, len(hits))
			}
			own := paired.PredictedFPRWithin(keys, 100, bytesMost)
			for batch := range batches {
				if other := paired.PredictedFPRWithin(keys, 100, bytesMost, paired.WithBatchBlocks(batch)); own > most*other {
					t.Errorf("%d keys in %d bytes: %d blocks in a batch err %.5g, %d %.5g", keys, bytesMost, f.BatchBlocks(), own, batch, other)
				}
			}
		}
	}
	if chosen[32] < 15 || chosen[128] < 15 {
		t.Errorf("chosen: %v", chosen)
	}
	for _, keys := range []int{0, 1, 20, 163} { // no more than 100 bits a key
		hashes := vectors.Hashes(3, keys)
		if got := build(t, 0.5, hashes, paired.WithMaxBytes(8195)); !bytes.Equal(got, cut(hashes, 2052, 32)) {
			t.Errorf("%d keys in 8195 bytes: %d bytes", keys, len(got))
		}
		for _, n := range []int{8196, 1_000_000} {
			if got := build(t, 10, hashes, paired.WithMaxBytes(n)); !bytes.Equal(got, build(t, 10, hashes)) {
				t.Errorf("%d keys in %d bytes: %d bytes", keys, n, len(got))
			}
		}
	}
}

func TestLimitsThatAreRefused(t *testing.T) {
	for _, refused := range []struct {
		n       int
		options []paired.Option
	}{
		{math.MinInt, nil},
		{-1, nil},
		{0, nil},
		{2048, nil},
		{2051, nil},
		{2051, []paired.Option{paired.WithBatchBlocks(32)}},
		{8195, []paired.Option{paired.WithBatchBlocks(128)}},
	} {
		_, err := paired.NewBuilder(10, keyhash.XX64, append(refused.options, paired.WithMaxBytes(refused.n))...)
		if err == nil || !strings.HasPrefix(err.Error(), "paired: ") || !strings.Contains(err.Error(), fmt.Sprint(refused.n)) {
			t.Errorf("%d bytes: %v", refused.n, err)
		}
		if rate := paired.PredictedFPRWithin(1000, 10, refused.n, refused.options...); !math.IsNaN(rate) {
			t.Errorf("%d bytes: rate %v", refused.n, rate)
		}
	}
}

func TestSizeWithinALimitAllocatesNothing(t *testing.T) {
	b := builder(t, 20, keyhash.XX64, paired.WithMaxBytes(11_000))
	keys := 0
	if allocs := testing.AllocsPerRun(5000, func() {
		b.AddHash(uint64(keys))
		keys++
		want := 8196 // one batch of 128
		if keys*20/8 > 8192 {
			want = 10_244 // five of 32
		}
		if b.SizeBytes() != want {
			t.Fatalf("%d keys: SizeBytes %d, want %d", keys, b.SizeBytes(), want)
		}
	}); allocs != 0 {
		t.Errorf("%v allocations", allocs)
	}
}

// TestProbesWithinALimit compares with filters of the same size that have two probes
// more or fewer, by their bits, which tell the rates without the noise of asking.
func TestProbesWithinALimit(t *testing.T) {
	const blocks = 1024
	absent := vectors.Hashes(vectors.NegativeSeed, 50_000)
	for batch := range batches {
		size := blocks / batch
		for _, bpk := range []float64{0.3, 1, 3.1, 4.1, 4.3, 6.1, 7.4, 9.3, 10.4, 12.5, 15} {
			keys := int(blocks * 512 / bpk)
			hashes := vectors.Hashes(9, keys)
			f := open(t, build(t, 100, hashes, paired.WithBatchBlocks(batch), paired.WithMaxBytes(blocks*64+4+100)), keyhash.XX64)
			own, k := f.EstimatedFPR(), f.NumProbes()
			if predicted := paired.PredictedFPRWithin(keys, 100, blocks*64+4, paired.WithBatchBlocks(batch)); math.Abs(predicted/own-1) > 0.01 {
				t.Errorf("batches of %d, %v bits/key: predicted %.4g, by its bits %.4g", batch, bpk, predicted, own)
			}
			asked := float64(len(f.AppendHits(nil, absent))) / float64(len(absent))
			if math.Abs(asked-own) > 0.01*own+4*math.Sqrt(own/float64(len(absent))) {
				t.Errorf("batches of %d, %v bits/key: by its bits %.4g, by lookups %.4g", batch, bpk, own, asked)
			}
			for _, other := range []int{k - 2, k + 2} {
				if other < 2 {
					continue
				}
				rate := open(t, naive.PairedOf(size, hashes, other, batch), keyhash.XX64).EstimatedFPR()
				if own > rate {
					t.Errorf("batches of %d, %v bits/key: %d probes err %.4g, %d probes %.4g", batch, bpk, k, own, other, rate)
				}
			}
		}
	}
}

// TestFiltersGrowWithKeys is about the change from one batch to the other.
func TestFiltersGrowWithKeys(t *testing.T) {
	for _, n := range []int{8195, 20_000, 51_204, 300_000} {
		b, size := builder(t, 100, keyhash.XX64, paired.WithMaxBytes(n)), 0
		for key := range uint64(n) {
			if b.AddHash(key); b.SizeBytes() < size || b.SizeBytes() > n {
				t.Fatalf("%d keys in %d bytes: %d bytes after %d", key+1, n, b.SizeBytes(), size)
			}
			size = b.SizeBytes()
		}
	}
}

func TestPredictedRateWithinALimit(t *testing.T) {
	for _, bpk := range []float64{0.5, 10, 100} {
		for _, keys := range []int{-1, 0, 1, 100, 12_345} {
			got, want := paired.PredictedFPRWithin(keys, bpk, 1<<20), paired.PredictedFPR(keys, bpk)
			if option := paired.PredictedFPR(keys, bpk, paired.WithMaxBytes(1<<20)); got != want || option != want {
				t.Errorf("%d keys at %v bits/key, which fit: %v and %v, not %v", keys, bpk, got, option, want)
			}
		}
	}
	for _, n := range []int{2052, 10_000} {
		last := 0.0
		for keys := 1000; keys > 0; keys *= 2 { // until the sign changes
			got := paired.PredictedFPRWithin(keys, 10, n)
			if !(got > last-1e-6 && got <= 1) || keys > 10_000_000 && got != 1 {
				t.Errorf("%d keys in %d bytes: %v, after %v", keys, n, got, last)
			}
			last = got
		}
	}
	if got := paired.PredictedFPRWithin(math.MaxInt, 100, math.MaxInt); math.MaxInt>>32 > 0 && got != 1 {
		t.Errorf("all keys that can be counted: %v", got)
	}
}

// TestBitsPerKeyWithinALimit: beyond the limit all bits per key are the same.
func TestBitsPerKeyWithinALimit(t *testing.T) {
	const keys, n = 10_000, 16_388
	limit := paired.WithMaxBytes(n)
	best := paired.PredictedFPRWithin(keys, 100, n)
	for _, fpr := range []float64{0.5, 0.1, 0.01, best * 1.001, best, best * 0.999, 1e-5, 0} {
		got := paired.BitsPerKeyFor(keys, fpr, limit)
		if fpr < best {
			if !math.IsInf(got, 1) {
				t.Errorf("rate %v, which does not fit: %v bits/key", fpr, got)
			}
			continue
		}
		if rate := paired.PredictedFPR(keys, got, limit); !(rate <= fpr) || got > 13.2 {
			t.Errorf("rate %v: %v bits/key give %v", fpr, got, rate)
		}
		if plain := paired.BitsPerKeyFor(keys, fpr); got > plain {
			t.Errorf("rate %v: %v bits/key, and %v without the limit", fpr, got, plain)
		}
	}
	if got := paired.BitsPerKeyFor(keys, 1, paired.WithMaxBytes(2052)); got != 1 {
		t.Errorf("any rate in 2052 bytes: %v bits/key", got)
	}
}

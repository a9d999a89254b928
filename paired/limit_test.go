package paired_test

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/geometry"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/naive"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/paired"
)

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
	for _, f := range []contract.Format{contract.Paired32, contract.Paired32Down, contract.Paired128, contract.Paired128Down} {
		batch := f.UnitBytes / 64
		for _, keys := range []int{0, 1, 2, 100, 1000, 3000} {
			hashes := vectors.Hashes(uint64(keys), keys)
			for _, bpk := range []float64{0.5, 5, 20, 100} {
				asked := f.Build(t, bpk, hashes)
				for whole := f.UnitBytes; whole <= len(asked)+f.UnitBytes; whole += f.UnitBytes {
					for _, n := range []int{whole + 4, whole + 5, whole + f.UnitBytes/2, whole + f.UnitBytes + 3} {
						want := asked
						if n < len(asked) {
							want = cut(hashes, n, batch)
						}
						if got := f.Build(t, bpk, hashes, simdbloom.WithMaxBytes(n)); !bytes.Equal(got, want) || len(got) > n {
							t.Fatalf("%s, %d keys at %v bits/key in %d bytes: trailers % x and % x, or other bytes",
								f.Name, keys, bpk, n, got[len(got)-4:], want[len(want)-4:])
						}
					}
				}
			}
		}
	}
}

// TestExactSizes has the number of probes that suits the bits per key there are.
func TestExactSizes(t *testing.T) {
	for batch, f := range formats {
		for _, keys := range []int{1, 100, 1000, 30_000} {
			hashes := vectors.Hashes(4, keys)
			for _, batches := range []int{1, 2, 7} {
				n := batches*f.UnitBytes + 4
				want := cut(hashes, n, batch)
				for _, bpk := range []float64{1, 10, 100} {
					if got := f.Build(t, bpk, hashes, simdbloom.WithSizeBytes(n)); !bytes.Equal(got, want) {
						t.Errorf("%d keys in %d bytes: other bytes at %v bits/key", keys, n, bpk)
					}
				}
			}
		}
	}
	// Without WithBatchBlocks a batch has 128 blocks.
	hashes := vectors.Hashes(4, 1000)
	if got := anyBatch.Build(t, 10, hashes, simdbloom.WithSizeBytes(8196)); !bytes.Equal(got, cut(hashes, 8196, 128)) {
		t.Error("other bytes where the batch is not given")
	}
	if _, err := paired.NewBuilder(10, keyhash.XX64, simdbloom.WithSizeBytes(2052)); err == nil || !strings.Contains(err.Error(), "2052") {
		t.Errorf("2052 bytes where the batch is not given: %v", err)
	}
}

// TestLimitOfManyKeys is about far too few bytes, and about the boundary.
func TestLimitOfManyKeys(t *testing.T) {
	const keys, bpk = 100_000, 23.4
	hashes := vectors.Hashes(5, keys)
	for batch, format := range formats {
		asked := format.Build(t, bpk, hashes)
		for _, n := range []int{8196, 12_500, 50_000, 199_999, len(asked) - 1} {
			got := format.Build(t, bpk, hashes, simdbloom.WithMaxBytes(n), simdbloom.WithVerification(), simdbloom.WithConcurrency(2))
			if !bytes.Equal(got, cut(hashes, n, batch)) {
				t.Errorf("batches of %d: other bytes within %d", batch, n)
			}
			f := anyBatch.Opened(t, got)
			if hits := f.AppendHits(nil, hashes); len(hits) != keys {
				t.Errorf("batches of %d: %d keys found within %d bytes", batch, len(hits), n)
			}
			if err := paired.Verify(f); err != nil {
				t.Error(err)
			}
		}
		if !bytes.Equal(format.Build(t, bpk, hashes, simdbloom.WithMaxBytes(len(asked))), asked) {
			t.Errorf("batches of %d: other bytes where the filter just fits", batch)
		}
	}
}

// TestBatchWithinALimit has no batch given: a filter that does not fit is FastLocal's below 4 KiB, has batches of 32
// below 256 KiB, and beyond those with a lower rate, or a hardly higher one.
func TestBatchWithinALimit(t *testing.T) {
	const most = 1.015
	chosen := map[int]int{}
	for _, bytesMost := range []int{69, 2052, 4100, 4101, 8195, 20_000, 262_147, 262_148, 266_244, 270_336, 276_000} {
		for _, bpk := range []float64{6, 9.9, 16.3, 17.5, 19, 24, 30, 36} {
			keys := int(float64(bytesMost) * 8 / bpk)
			hashes := vectors.Hashes(3, keys)
			got := anyBatch.Build(t, 100, hashes, simdbloom.WithMaxBytes(bytesMost))
			f := anyBatch.Opened(t, got)
			batch := geometry.Of(f).BatchBlocks
			if bytesMost < 4101 && batch != 0 || bytesMost >= 4101 && bytesMost < 262_148 && batch != 32 {
				t.Fatalf("%d keys in %d bytes: batches of %d", keys, bytesMost, batch)
			}
			if batch == 0 {
				if !bytes.Equal(got, contract.FastLocal.Build(t, 100, hashes, simdbloom.WithMaxBytes(bytesMost))) {
					t.Fatalf("%d keys in %d bytes: not FastLocal's", keys, bytesMost)
				}
				continue
			}
			if !bytes.Equal(got, cut(hashes, bytesMost, batch)) {
				t.Fatalf("%d keys in %d bytes: other bytes", keys, bytesMost)
			}
			if hits := f.AppendHits(nil, hashes); len(hits) != keys {
				t.Fatalf("%d keys in %d bytes: %d found", keys, bytesMost, len(hits))
			}
			if bytesMost < 262_148 {
				continue
			}
			chosen[batch]++
			own := paired.PredictedFPR(keys, 100, simdbloom.WithMaxBytes(bytesMost))
			for batch := range batches {
				if other := paired.PredictedFPR(keys, 100, simdbloom.WithMaxBytes(bytesMost), paired.WithBatchBlocks(batch)); own > most*other {
					t.Errorf("%d keys in %d bytes: %d blocks in a batch have a rate of %.5g, %d %.5g", keys, bytesMost, geometry.Of(f).BatchBlocks, own, batch, other)
				}
			}
		}
	}
	if chosen[32] < 4 || chosen[128] < 4 {
		t.Errorf("chosen: %v", chosen)
	}
}

func TestSizeWithinALimitAllocatesNothing(t *testing.T) {
	b := anyBatch.Builder(t, 20, simdbloom.WithMaxBytes(11_000))
	keys := 0
	if allocs := testing.AllocsPerRun(5000, func() {
		b.AddHash(uint64(keys))
		keys++
		want := ((keys*20+7)/8+63)/64*64 + 5 // FastLocal's blocks
		if want >= 4096 {
			want = min((keys*20/8+2047)/2048*2048, 10_240) + 4 // batches of 32
		}
		if b.SizeBytes() != want {
			t.Fatalf("%d keys: SizeBytes %d, want %d", keys, b.SizeBytes(), want)
		}
	}); allocs != 0 {
		t.Errorf("%v allocations", allocs)
	}
}

// TestProbesWithinALimit compares with filters of the same size that have two probes
// more or fewer, by their bits, which tell the rates without the noise of lookups.
func TestProbesWithinALimit(t *testing.T) {
	const blocks = 1024
	absent := vectors.Hashes(vectors.NegativeSeed, 50_000)
	for batch := range batches {
		size := blocks / batch
		for _, bpk := range []float64{0.3, 1, 3.1, 4.1, 4.3, 6.1, 7.4, 9.3, 10.4, 12.5, 15} {
			keys := int(blocks * 512 / bpk)
			hashes := vectors.Hashes(9, keys)
			f := anyBatch.Opened(t, anyBatch.Build(t, 100, hashes, paired.WithBatchBlocks(batch), simdbloom.WithMaxBytes(blocks*64+4+100)))
			own, k := f.EstimatedFPR(), f.NumProbes()
			if predicted := paired.PredictedFPR(keys, 100, simdbloom.WithMaxBytes(blocks*64+4), paired.WithBatchBlocks(batch)); math.Abs(predicted/own-1) > 0.01 {
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
				rate := anyBatch.Opened(t, naive.PairedOf(size, hashes, other, batch)).EstimatedFPR()
				if own > rate {
					t.Errorf("batches of %d, %v bits/key: %d probes have a rate of %.4g, %d probes %.4g", batch, bpk, k, own, other, rate)
				}
			}
		}
	}
}

// TestFiltersGrowWithKeys is about the change from one batch to the other.
func TestFiltersGrowWithKeys(t *testing.T) {
	for _, n := range []int{69, 4100, 4101, 8195, 51_204, 262_147, 262_148, 300_000} {
		b, size := anyBatch.Builder(t, 100, simdbloom.WithMaxBytes(n)), 0
		for key := range uint64(n) {
			if b.AddHash(key); b.SizeBytes() < size || b.SizeBytes() > n {
				t.Fatalf("%d keys in %d bytes: %d bytes after %d", key+1, n, b.SizeBytes(), size)
			}
			size = b.SizeBytes()
		}
	}
}

func TestPredictedRateWithinALimit(t *testing.T) {
	for _, n := range []int{2052, 10_000} {
		last := 0.0
		for keys := 4000; keys > 0; keys *= 2 { // until the sign changes
			got := paired.PredictedFPR(keys, 10, simdbloom.WithMaxBytes(n))
			if !(got > last-1e-6 && got <= 1) || keys > 10_000_000 && got != 1 {
				t.Errorf("%d keys in %d bytes: %v, after %v", keys, n, got, last)
			}
			last = got
		}
	}
	if got := paired.PredictedFPR(math.MaxInt, 100, simdbloom.WithMaxBytes(math.MaxInt)); math.MaxInt>>32 > 0 && got != 1 {
		t.Errorf("all keys that can be counted: %v", got)
	}
}

// TestBitsPerKeyWithinALimit: beyond the limit all bits per key are the same.
func TestBitsPerKeyWithinALimit(t *testing.T) {
	const keys, n = 10_000, 16_388
	limit := simdbloom.WithMaxBytes(n)
	best := paired.PredictedFPR(keys, 100, simdbloom.WithMaxBytes(n))
	for _, fpr := range []float64{0.5, 0.1, 0.01, best * 1.001, best, best * 0.999, 1e-5, 0} {
		got := paired.BitsPerKeyFor(keys, fpr, limit)
		if fpr < best {
			if !math.IsNaN(got) {
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
	if got := paired.BitsPerKeyFor(keys, 1, simdbloom.WithMaxBytes(2052), paired.WithBatchBlocks(32)); got != 1 {
		t.Errorf("any rate in 2052 bytes: %v bits/key", got)
	}
}

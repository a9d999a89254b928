package paired_test

import (
	"bytes"
	"math"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/internal/geometry"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/paired"
)

// The sizes at which a builder that chooses the batches has other ones.
const fewBytes, manyBytes = 4 << 10, 256 << 10

// TestRoomWithinALimit: a limit does not matter for the number of keys that bytes have room for.
func TestRoomWithinALimit(t *testing.T) {
	if got, want := paired.KeysFor(1<<16, 10, simdbloom.WithMaxBytes(5000)), paired.KeysFor(1<<16, 10); got != want {
		t.Errorf("%d keys, want %d", got, want)
	}
}

// TestBatchesBySize: few keys have a FastLocal filter, and the readers of paired filters read it. No filter has twice
// the bytes that its bits per key take, and none shrinks when keys are added.
func TestBatchesBySize(t *testing.T) {
	for _, bpk := range []float64{1, 6, 10, 16, 23.4, 40, 100} {
		last := 0
		for n := 0; n < 200_000; n += 1 + n/7 {
			hashes := vectors.Hashes(uint64(n), n)
			data := anyBatch.Build(t, bpk, hashes, simdbloom.WithVerification())
			asked := float64(n) * bpk / 8
			if over := float64(len(data)) - asked; over > 69 && over > asked/2+69 || over < -8192 || len(data) < last-1 {
				t.Fatalf("%d keys at %v bits/key: %d bytes after %d", n, bpk, len(data), last)
			}
			last = len(data)
			f := anyBatch.Opened(t, data)
			want := 128
			switch fastLocal := contract.FastLocal.Build(t, bpk, hashes); {
			case len(fastLocal) <= fewBytes:
				want = 0
				if !bytes.Equal(data, fastLocal) {
					t.Fatalf("%d keys at %v bits/key: other bytes than FastLocal's", n, bpk)
				}
			case int(asked) < manyBytes:
				want = 32
			}
			if got := geometry.Of(f).BatchBlocks; got != want || paired.Verify(f) != nil {
				t.Errorf("%d keys at %v bits/key: batches of %d, want %d", n, bpk, got, want)
			}
			stored := new(simdbloom.Filter)
			text, err := f.MarshalBinary()
			if err == nil {
				err = stored.UnmarshalBinary(text)
			}
			if err != nil || stored.Name() != f.Name() || stored.Format() != f.Format() {
				t.Fatal(stored, err)
			}
			for _, hash := range hashes[:min(n, 50)] {
				if !f.ContainsHash(hash) || !paired.MayContainHash(data, hash) || !stored.ContainsHash(hash) {
					t.Fatalf("%d keys at %v bits/key: a key is missing", n, bpk)
				}
			}
			for _, hash := range vectors.Hashes(vectors.NegativeSeed, 200) {
				if paired.MayContainHash(data, hash) != f.ContainsHash(hash) || stored.ContainsHash(hash) != f.ContainsHash(hash) {
					t.Fatalf("%d keys at %v bits/key: another answer from the bytes", n, bpk)
				}
			}
			if n := paired.KeysFor(len(data), bpk); n < len(hashes) || paired.KeysFor(len(data)-1, bpk) >= len(hashes) && len(hashes) > 0 {
				t.Errorf("%d keys at %v bits/key: KeysFor(%d) is %d", len(hashes), bpk, len(data), n)
			}
			if predicted, own := paired.PredictedFPR(n, bpk), f.EstimatedFPR(); n > 2000 && bpk > 1 && bpk < 30 && math.Abs(predicted/own-1) > 0.4 {
				t.Errorf("%d keys at %v bits/key: predicted %.3g, from its bits %.3g", n, bpk, predicted, own)
			}
		}
	}
}

// TestWhereBatchesBegin has the measurements that fewBytes and manyBytes come from: go test ./paired -run
// WhereBatchesBegin -v. Rates are PredictedFPR's, which lookups confirm (docs/accuracy.md).
func TestWhereBatchesBegin(t *testing.T) {
	const steps = 8
	// means returns, over sizes from the given one to 2 KiB more, or 8 KiB: the bytes of a filter in whole batches, for
	// each byte that is asked for, and how many bytes another kind of filter needs for its rate, for each of its own.
	means := func(from, batch int, bpk float64, forRate func(n int, fpr float64) float64) (size, other float64) {
		for i := range steps {
			asked := float64(from) + (float64(i)+0.5)/steps*float64(64*batch)
			n := int(asked * 8 / bpk)
			bytes := (int(asked)/(64*batch)+1)*64*batch + 4
			rate := paired.PredictedFPR(n, bpk, paired.WithBatchBlocks(batch), simdbloom.WithSizeBytes(bytes))
			size += float64(bytes) / asked / steps
			other += forRate(n, rate) * float64(n) / 8 / float64(bytes) / steps
		}
		return size, other
	}
	for _, bpk := range []float64{10, 16, 20, 23.4} {
		for _, from := range []int{fewBytes / 2, fewBytes, 2 * fewBytes} {
			size, other := means(from, 32, bpk, bloom.BitsPerKeyFor)
			t.Logf("%v bits/key, from %d bytes on: batches of 32 take %.2f of the bytes, FastLocal %.2f of theirs for their rate", bpk, from, size, other)
			if from == fewBytes && (other < 1 || bpk >= 20 && size > other+0.05) || from < fewBytes && size < other {
				t.Errorf("%v bits/key: batches should not begin at %d bytes", bpk, from)
			}
		}
	}
	for _, bpk := range []float64{10, 23.4, 30} {
		for _, from := range []int{manyBytes / 8, manyBytes, 4 * manyBytes} {
			size, _ := means(from, 128, bpk, func(int, float64) float64 { return 0 })
			own, _ := means(from, 32, bpk, func(int, float64) float64 { return 0 })
			n := int(float64(from) * 8 / bpk)
			of32 := paired.PredictedFPR(n, bpk, paired.WithBatchBlocks(32), simdbloom.WithSizeBytes(from+4))
			of128 := paired.PredictedFPR(n, bpk, paired.WithBatchBlocks(128), simdbloom.WithSizeBytes(from+4))
			t.Logf("%v bits/key, from %d bytes on: batches of 128 take %.4f of those of 32, and at one size %.3f of their rate", bpk, from, size/own, of128/of32)
			if over := size / own; from == manyBytes && over > 1.015 || from < manyBytes && over < 1.05 {
				t.Errorf("%v bits/key: batches of 128 should not begin at %d bytes", bpk, from)
			}
		}
	}
}

// TestRatesOfEqualSizes: what fits a size anyway lowers the rate.
func TestRatesOfEqualSizes(t *testing.T) {
	for _, options := range [][]simdbloom.Option{nil, {paired.WithBatchBlocks(32)}, {paired.WithBatchBlocks(128)}} {
		for _, n := range []int{1, 10, 300, 1000, 5000} {
			for _, fpr := range []float64{0.1, 0.01, 1e-4} {
				got := paired.BitsPerKeyFor(n, fpr, options...)
				rate := paired.PredictedFPR(n, got, options...)
				size := func(bpk float64) int {
					b, err := paired.NewBuilder(bpk, keyhash.XX64, options...)
					if err != nil {
						t.Fatal(err)
					}
					b.AddHashes(vectors.Hashes(1, n))
					return b.SizeBytes()
				}
				if !(rate <= fpr) {
					t.Errorf("%d keys, rate %v: %v bits/key have %v", n, fpr, got, rate)
				}
				for bpk := 1.0; bpk <= 100; bpk += 1.7 {
					if other := paired.PredictedFPR(n, bpk, options...); size(bpk) == size(got) && other < rate || size(bpk) < size(got) && other <= fpr {
						t.Errorf("%d keys, rate %v: %v bits/key have %v, %v bits/key %v", n, fpr, got, rate, bpk, other)
					}
				}
			}
		}
	}
}

// TestProbesOfEitherBatches: where lines fit batches of either size, both are looked up. Half of one probe is none.
func TestProbesOfEitherBatches(t *testing.T) {
	for probes := byte(1); probes <= 4; probes++ {
		data := append(make([]byte, 8192), 1, probes, 0, 0)
		for block := range 128 {
			data[64*block] = byte(block ^ 1) // its pair
		}
		f := contract.Must(simdbloom.Open(simdbloom.Paired, data, keyhash.XXPH3))
		if hits := len(f.AppendHits(nil, vectors.Hashes(1, 1000))); (hits == 1000) != (probes == 1) || hits < 1000 && hits > 100 {
			t.Errorf("%d probes: %d of 1000 absent hashes are found", probes, hits)
		}
	}
}

package sliced_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/sliced"
)

// TestSizesFor builds filters of the sizes: each has at most the rate, up to chance, and few more bytes than are
// needed.
func TestSizesFor(t *testing.T) {
	for _, format := range []simdbloom.Format{simdbloom.FastLocal, simdbloom.SplitBlock, simdbloom.Blobloom} {
		of := contract.Formats()[slices.IndexFunc(contract.Formats(), func(f contract.Format) bool { return f.Format == format })]
		sizes := make(map[int]bool)
		spare, n := 0.0, 0.0
		for keys := 1000; keys < 16_000; keys += keys / 12 {
			for _, fpr := range []float64{0.05, 0.01, 0.001} {
				size, err := sliced.SizeFor(format, keys, fpr)
				if err != nil {
					t.Fatal(err)
				}
				sizes[size] = true
				if least := of.BitsPerKeyFor(keys, fpr) * float64(keys) / 8; float64(size) > 1.16*least+64 {
					t.Errorf("%v, %d keys: %d bytes, and %.0f are needed", format, keys, size, least)
				} else {
					spare, n = spare+float64(size)/least-1, n+1
				}
				b := contract.Must(simdbloom.NewBuilder(format, 10, keyhash.XX64, simdbloom.WithSizeBytes(size)))
				b.AddHashes(vectors.Hashes(1, keys))
				if f := contract.Must(b.Filter()); f.SizeBytes() != size || f.EstimatedFPR() > 1.3*fpr {
					t.Errorf("%v, %d keys: %d bytes with a rate of %v, want %d and %v", format, keys, f.SizeBytes(), f.EstimatedFPR(), size, fpr)
				}
			}
		}
		t.Logf("%v: %d sizes, %.1f %% more than needed", format, len(sizes), 100*spare/n)
		if len(sizes) > 8*7 || spare/n > 0.08 {
			t.Errorf("%v: %d sizes, %.1f %% more than needed", format, len(sizes), 100*spare/n)
		}
	}
}

func TestSizesThatDoNotExist(t *testing.T) {
	for _, c := range []struct {
		format simdbloom.Format
		keys   int
		fpr    float64
	}{
		{simdbloom.Paired, 10, 0.01},
		{simdbloom.Reserved, 10, 0.01},
		{simdbloom.FastLocal, -1, 0.01},
		{simdbloom.FastLocal, 10, 0},
		{simdbloom.FastLocal, 10, 1},
		{simdbloom.FastLocal, 10, math.NaN()},
		{simdbloom.FastLocal, math.MaxInt, 0.01},
		{simdbloom.SplitBlock, 1_000_000, 1e-300},
	} {
		size, err := sliced.SizeFor(c.format, c.keys, c.fpr)
		if tooLarge := c.keys >= 1_000_000; err == nil || size != 0 || errors.Is(err, simdbloom.ErrTooLarge) != tooLarge {
			t.Errorf("%v: %d, %v", c, size, err)
		}
	}
	if size, err := sliced.SizeFor(simdbloom.FastLocal, 0, 0.5); size != 69 || err != nil {
		t.Errorf("without keys: %d, %v", size, err)
	}
	m := contract.Must(bloom.NewMutable(1000, 10, keyhash.XX64, simdbloom.WithSizeBytes(64*20+5)))
	if size, err := sliced.SizeFor(simdbloom.FastLocal, 1000, m.PredictedFPR(1000)); size != m.SizeBytes() || err != nil {
		t.Errorf("the rate of %d bytes: %d, %v", m.SizeBytes(), size, err)
	}
}

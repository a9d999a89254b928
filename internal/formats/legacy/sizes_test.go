package legacy_test

import (
	"math"
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/formats/legacy"
	"github.com/simdbloom/simdbloom/internal/formats/rocksdb"
	"github.com/simdbloom/simdbloom/internal/hashlog"
)

// TestSizesGrow doubles numbers of keys up to the largest: more of them never have a smaller filter.
func TestSizesGrow(t *testing.T) {
	for _, o := range []*building.Options{{Concurrency: 1}, {Concurrency: 1, Pebble: true, Given: building.GivenPebble}} {
		for _, bitsPerKey := range []float64{1, 3, 16, 100} {
			last := uint64(0)
			for n := 1; n > 0; n *= 2 {
				size, err := legacy.SizeOf(n, bitsPerKey, o)
				if err != nil || size < last {
					t.Errorf("Pebble is %v, %v bits per key, %d keys: %d bytes after %d, %v", o.Pebble, bitsPerKey, n, size, last, err)
				}
				last = size
			}
		}
		if _, err := legacy.SizeOf(1000, math.NaN(), o); err == nil {
			t.Error("NaN bits per key: no error")
		}
	}
}

// TestSizesAtTheLimits has the largest filter of Pebble's, the next one, and exact sizes, which may be larger for
// Pebble than RocksDB's.
func TestSizesAtTheLimits(t *testing.T) {
	const keys, largest = 32, 1<<30 - 16 // bits of each
	log := hashlog.Counted(keys)
	for bitsPerKey, fits := range map[float64]bool{largest: true, largest + 1: false} {
		scheme, err := legacy.NewScheme(bitsPerKey, &building.Options{Concurrency: 1, Pebble: true, Given: building.GivenPebble})
		size, allowed := scheme.Size(&log)
		if err != nil || allowed != fits || fits && size != asm.MaxBodyBytes+rocksdb.TrailerBytes {
			t.Errorf("%d keys of %v bits: %d bytes, allowed %v, %v", keys, bitsPerKey, size, allowed, err)
		}
	}
	exactly := building.Options{Concurrency: 1, Limit: building.Exactly(1<<30 + asm.BlockBytes + rocksdb.TrailerBytes)}
	ofPebble := exactly
	ofPebble.Pebble, ofPebble.Given = true, building.GivenPebble
	_, refused := legacy.NewScheme(10, &exactly)
	if _, err := legacy.NewScheme(10, &ofPebble); err != nil || refused == nil {
		t.Errorf("a GiB: %v for Pebble, %v for RocksDB", err, refused)
	}
}

// TestPredictedStaysTheSame: a rate is found with random numbers, always the same ones.
func TestPredictedStaysTheSame(t *testing.T) {
	const want = 0.15575548945
	if got := legacy.PredictedFPR(40_000, 10, &building.Options{Concurrency: 1, Limit: building.AtMost(20_000)}); math.Abs(got-want) > 1e-9 {
		t.Errorf("%.11f, want %v", got, want)
	}
}

package linear_test

import (
	"bytes"
	"math"
	"runtime"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/naive"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/linear"
)

// TestBytes: filters of one section and of two, of one layer and of several, have the naive builder's bytes, whatever
// the same builder built before.
func TestBytes(t *testing.T) {
	for _, c := range []struct {
		most, load uint64
		options    []simdbloom.Option
	}{
		{math.MaxUint64, naive.LinearLoad, nil},
		{math.MaxUint64, 64, []simdbloom.Option{linear.WithFasterLookups()}},
		{20, naive.LinearLoad, []simdbloom.Option{simdbloom.WithMaxBytes(136 + 20*65)}},
	} {
		for _, millibits := range []uint64{7500, 9000, 23_400} {
			b := contract.Linear.Builder(t, float64(millibits)/1000, append(c.options, simdbloom.WithVerification())...)
			for _, n := range []int{0, 1, 20, 500, 600, 700, 84, 1200, 0, 2000, 2000, 2001, 2415, 2423, 21} {
				hashes := vectors.Hashes(uint64(n), n)
				b.AddHashes(hashes)
				want := contract.LinearBuilt(hashes, millibits, c.most, c.load)
				if !bytes.Equal(contract.Linear.Finish(t, b), want) {
					t.Fatalf("%d keys, %d millibits, load %d, at most %d lines: other bytes", n, millibits, c.load, c.most)
				}
			}
		}
	}
}

// TestBytesOfManyTries: of filters that need another number of lines in the first layer, or shorter fingerprints.
func TestBytesOfManyTries(t *testing.T) {
	for seed := range uint64(12) {
		hashes := vectors.Hashes(seed, 10_000)
		if want := contract.LinearBuilt(hashes, 8000, math.MaxUint64, naive.LinearLoad); !bytes.Equal(contract.Linear.Build(t, 8, hashes), want) {
			t.Errorf("seed %d: other bytes", seed)
		}
	}
}

// TestBytesOfManyKeys: they do not depend on the number of goroutines, and on whether hashes are in lists.
func TestBytesOfManyKeys(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(3))
	all := vectors.Hashes(5, 12_000)
	for _, c := range []struct {
		keys       int
		bitsPerKey float64
		limit      simdbloom.Option
	}{{12_000, 7.4, nil}, {12_000, 30, nil}, {12_000, 7.4, simdbloom.WithMaxBytes(136 + 3*65)}, {2100, 7.4, simdbloom.WithMaxBytes(136 + 5*65)}} {
		hashes := all[:c.keys]
		want := contract.Linear.Build(t, c.bitsPerKey, hashes, c.limit, simdbloom.WithVerification())
		for _, concurrency := range []int{1, 3} {
			for _, from := range []uint64{0, 1, 1 << 13} {
				b := contract.Linear.Builder(t, c.bitsPerKey, c.limit, simdbloom.WithConcurrency(concurrency), building.WithListsFrom(from), simdbloom.WithVerification())
				b.AddHashes(hashes)
				if !bytes.Equal(contract.Linear.Finish(t, b), want) {
					t.Errorf("%v bits per key, %d goroutines, lists from %d bytes: other bytes", c.bitsPerKey, concurrency, from)
				}
			}
		}
	}
}

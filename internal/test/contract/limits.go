package contract

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/building"
)

// testOptions has options that the format does not have, and options that are given twice.
func (f Format) testOptions(t *testing.T) {
	for name, option := range rareOptions {
		for _, g := range Formats() { // others refuse this one's
			want := g.prefix() + "the format has no option " + name
			if b, err := g.builder(10, g.Hash, option); !g.has(name) && (b != nil || err == nil || err.Error() != want) {
				t.Errorf("%s: %v, want %q", name, err, want)
			}
		}
	}
	for _, options := range [][]simdbloom.Option{
		{simdbloom.WithMaxBytes(-1), simdbloom.WithMaxBytes(f.LeastBytes)},
		{simdbloom.WithSizeBytes(-1), simdbloom.WithMaxBytes(f.LeastBytes)},
		{simdbloom.WithConcurrency(0), simdbloom.WithConcurrency(1)},
	} {
		if _, err := f.builder(10, f.Hash, options...); err != nil {
			t.Errorf("the last option does not count: %v", err)
		}
	}
}

// testLists: whether hashes are in lists, and how many goroutines there are, changes no byte.
func (f Format) testLists(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(3))
	hashes := f.Hashes(12, 30_000)
	for _, bitsPerKey := range []float64{3, 20} {
		want := f.Build(t, bitsPerKey, hashes)
		for _, concurrency := range []int{1, 3} {
			for _, from := range []uint64{1, 1 << 12, 1 << 14} {
				got := f.Build(t, bitsPerKey, hashes, simdbloom.WithConcurrency(concurrency), building.WithListsFrom(from))
				if !bytes.Equal(got, want) {
					t.Errorf("%v bits/key, %d goroutines, lists from %d bytes: other bytes", bitsPerKey, concurrency, from)
				}
			}
		}
	}
}

// testLimits has limits from the smallest filter to beyond the size without one.
func (f Format) testLimits(t *testing.T) {
	for _, n := range []int{math.MinInt, -1, 0, f.LeastBytes - 1} {
		_, err := f.builder(10, f.Hash, simdbloom.WithMaxBytes(n))
		if err == nil || !strings.HasPrefix(err.Error(), f.prefix()) || !strings.Contains(err.Error(), fmt.Sprint(n)) {
			t.Errorf("at most %d bytes: %v", n, err)
		}
		if rate := f.PredictedFPR(1000, 10, simdbloom.WithMaxBytes(n)); !math.IsNaN(rate) {
			t.Errorf("at most %d bytes: a rate of %v", n, rate)
		}
	}
	for _, keys := range []int{0, 1, 3, 52, 333, 1000, 30_000} {
		hashes := f.Hashes(uint64(keys), keys)
		for _, bpk := range []float64{0.5, 10, 23.4, 100} {
			whole := f.Build(t, bpk, hashes)
			limits := []int{len(whole) - 1, len(whole), len(whole) + 1, f.Builder(t, bpk).SizeBytes(), math.MaxInt}
			for _, share := range []int{0, 1, 10, 50, 90} { // percent, within a unit of both sides
				limits = append(limits, f.LeastBytes+len(whole)*share/100+share%7)
			}
			for _, most := range limits {
				if most < f.LeastBytes {
					continue
				}
				data := f.Build(t, bpk, hashes, simdbloom.WithMaxBytes(most), simdbloom.WithVerification())
				if len(data) > most {
					t.Errorf("%d keys at %v bits/key: %d bytes, at most %d are allowed", keys, bpk, len(data), most)
				}
				if most >= len(whole) && !f.SizeIsMost && !bytes.Equal(data, whole) {
					t.Errorf("%d keys at %v bits/key: other bytes in %d, where the filter fits", keys, bpk, most)
				}
				if hits := f.Opened(t, data).AppendHits(nil, hashes); len(hits) != keys {
					t.Errorf("%d keys at %v bits/key in %d bytes: %d found", keys, bpk, most, len(hits))
				}
			}
		}
	}
	for _, keys := range []int{-1, 0, 1, 100, 12_345} {
		if got, want := f.PredictedFPR(keys, 10, simdbloom.WithMaxBytes(1<<20)), f.PredictedFPR(keys, 10); got != want {
			t.Errorf("%d keys, which fit: a rate of %v, not %v", keys, got, want)
		}
	}
	if got := f.PredictedFPR(1000, math.NaN(), simdbloom.WithMaxBytes(10_000)); !math.IsNaN(got) {
		t.Errorf("NaN bits/key: a rate of %v", got)
	}
	b := f.Builder(t, 10, simdbloom.WithMaxBytes(f.LeastBytes))
	if allocs := testing.AllocsPerRun(50, func() {
		b.AddHash(uint64(b.Len() + 1))
		if size := b.SizeBytes(); size > f.LeastBytes {
			t.Errorf("%d keys: SizeBytes %d", b.Len(), size)
		}
	}); allocs != 0 {
		t.Errorf("SizeBytes: %v allocations", allocs)
	}
}

// testExactSizes has all kinds of numbers of keys in a given number of bytes.
func (f Format) testExactSizes(t *testing.T) {
	if !f.has("WithSizeBytes") {
		t.Skip("the format has none")
	}
	exact := f.Exact
	for _, units := range []int{1, 2, 5, 33} {
		size := units*exact.unit + exact.more
		for _, keys := range []int{0, 1, 100, 5000, 100_000} {
			f.testExactSize(t, size, keys)
		}
		for _, n := range []int{size - 1, size + 1, size - exact.more, size + exact.unit/2} {
			if (n-exact.more)%exact.unit == 0 {
				continue // it is allowed
			}
			_, err := f.builder(10, f.Hash, simdbloom.WithSizeBytes(n))
			if err == nil || !strings.HasPrefix(err.Error(), f.prefix()) || !strings.Contains(err.Error(), fmt.Sprint(n)) {
				t.Errorf("exactly %d bytes: %v", n, err)
			}
			if n > size && !strings.Contains(err.Error(), fmt.Sprintf("such as %d and %d", size, size+exact.unit)) {
				t.Errorf("exactly %d bytes: the error does not say which are near: %v", n, err)
			}
		}
	}
	for _, n := range []int{math.MinInt, -1, 0, f.LeastBytes - 1} {
		if _, err := f.builder(10, f.Hash, simdbloom.WithSizeBytes(n)); err == nil {
			t.Errorf("exactly %d bytes: no error", n)
		}
	}
	if beyond := exact.most + uint64(exact.unit); beyond <= math.MaxInt {
		if _, err := f.builder(10, f.Hash, simdbloom.WithSizeBytes(int(beyond))); err == nil || !strings.Contains(err.Error(), fmt.Sprint("at most ", exact.most)) {
			t.Errorf("more than the format's largest size: %v", err)
		}
		b, err := f.builder(10, f.Hash, simdbloom.WithSizeBytes(int(exact.most)))
		if err != nil || b.SizeBytes() != 0 && uint64(b.SizeBytes()) != exact.most {
			t.Errorf("the format's largest size: %v", err)
		}
	}
}

func (f Format) testExactSize(t *testing.T, size, keys int) {
	for _, bpk := range []float64{1, 10, 100} {
		hashes := f.Hashes(uint64(keys), keys)
		data := f.Build(t, bpk, hashes, simdbloom.WithSizeBytes(size), simdbloom.WithVerification())
		if keys == 0 {
			want := size
			if f.Format == simdbloom.Ribbon || f.Format == simdbloom.Legacy {
				want = 0
			}
			if len(data) != want {
				t.Errorf("without keys: %d bytes, not %d", len(data), want)
			}
			continue
		}
		opened := f.Opened(t, data)
		if len(data) != size || len(opened.AppendHits(nil, hashes)) != keys || opened.Format() != f.Format && opened.Format() != simdbloom.FastLocal {
			t.Fatalf("%d keys at %v bits/key: %d bytes, not %d, or keys are missing", keys, bpk, len(data), size)
		}
		if bpk < 100 {
			continue
		}
		// The probes are those of the bits per key that there are.
		limited := f.Opened(t, f.Build(t, 100, hashes, simdbloom.WithMaxBytes(size)))
		if limited.SizeBytes() == size && limited.EstimatedFPR() < opened.EstimatedFPR()*0.9 {
			t.Errorf("%d keys in %d bytes: a rate of %v, WithMaxBytes' has %v", keys, size, opened.EstimatedFPR(), limited.EstimatedFPR())
		}
	}
}

// testKeysFor builds filters of KeysFor's number of keys, and of one key more.
func (f Format) testKeysFor(t *testing.T) {
	for _, n := range []int{math.MinInt, -1, 0, 1, 8} {
		if got := f.KeysFor(n, 10); got != 0 {
			t.Errorf("%d bytes have room for %d keys", n, got)
		}
	}
	size := func(keys int, bpk float64) int {
		b := f.Builder(t, bpk)
		b.AddHashes(f.Hashes(8, keys))
		return b.SizeBytes()
	}
	for _, bytes := range []int{70, 133, 1000, 4103, 9000, 50_000, 77_777} {
		for _, bpk := range []float64{1, 7.9, 10, 23.4, 100} {
			n := f.KeysFor(bytes, bpk)
			if f.Format == simdbloom.Ribbon { // an estimate
				if got := size(n, bpk); n > 0 && float64(got) > 1.1*float64(bytes)+100 {
					t.Errorf("%d bytes at %v bits/key: %d keys take %d", bytes, bpk, n, got)
				}
				continue
			}
			if n > 0 && size(n, bpk) > bytes {
				t.Errorf("%d bytes at %v bits/key: %d keys take %d", bytes, bpk, n, size(n, bpk))
			}
			if got := size(n+1, bpk); got <= bytes {
				t.Errorf("%d bytes at %v bits/key: %d keys, but one more takes %d", bytes, bpk, n, got)
			}
		}
	}
	last := 0
	for bytes := 1; bytes > 0; bytes *= 2 { // until the sign changes
		n := f.KeysFor(bytes, 10)
		if n < last {
			t.Errorf("%d bytes: %d keys, half of them %d", bytes, n, last)
		}
		last = n
	}
}

// tooLarge requires that a builder's filter is larger than allowed, and that nothing is lost.
func tooLarge(t *testing.T, b *simdbloom.Builder) {
	t.Helper()
	n := b.Len()
	dst, err := b.AppendFinish([]byte("dst"))
	data, err2 := b.Finish()
	opened, err3 := b.Filter()
	for _, err := range []error{err, err2, err3} {
		if !errors.Is(err, simdbloom.ErrTooLarge) {
			t.Fatal(err)
		}
	}
	if !slices.Equal(dst, []byte("dst")) || data != nil || opened != nil || b.Len() != n {
		t.Errorf("%q, %d bytes, %d keys of %d left", dst, len(data), b.Len(), n)
	}
}

// TestTooLarge requires that a builder with some keys reports that their filter is too large, until
// it is reset.
func TestTooLarge(t *testing.T, b *simdbloom.Builder) {
	t.Helper()
	tooLarge(t, b)
	tooLarge(t, b)
	b.Reset()
	if _, err := b.Finish(); err != nil {
		t.Errorf("after Reset: %v", err)
	}
}

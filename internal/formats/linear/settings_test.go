package linear

import (
	"errors"
	"math"
	"testing"

	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/hashlog"
)

func TestMillibits(t *testing.T) {
	for bitsPerKey, want := range map[float64]uint64{
		0.5: 500, 2.0625: 2063, 1: 1000, 23.4: 23_400, 10.00049: 10_000, 999.9994: 999_999, 1000: 1_000_000, 1001: 1_000_000,
		math.MaxFloat64: 1_000_000,
	} {
		if got, err := millibitsOf(bitsPerKey); got != want || err != nil {
			t.Errorf("%v bits/key: %d, %v; want %d", bitsPerKey, got, err, want)
		}
	}
	for _, bitsPerKey := range []float64{0, 0.49, math.Inf(1), math.NaN()} {
		if _, err := NewScheme(bitsPerKey, &building.Options{Concurrency: 1}); err == nil {
			t.Errorf("%v bits/key: no error", bitsPerKey)
		}
	}
}

// TestMoreLinesThanFit needs no keys: no machine has memory for enough.
func TestMoreLinesThanFit(t *testing.T) {
	if lines := (setting{millibits: 10_000, load: UsualLoad}).lines(1 << 40); lines <= MaxLines {
		t.Errorf("%d lines of 2^40 keys", lines)
	}
	if lines := (setting{millibits: 10_000}).lines(0); lines != 0 {
		t.Errorf("%d lines of no keys", lines)
	}
	if size := mostBytes(MaxLines); size != math.MaxUint32*65+136 {
		t.Errorf("the largest filter has %d bytes", size)
	}
	const most = math.MaxInt32
	o := building.Options{Concurrency: 1}
	if rate := PredictedFPR(most, 10, &o); math.Abs(rate-1.38e-3) > 1e-5 {
		t.Errorf("%d keys at 10 bits/key: %v", most, rate)
	}
	if n := math.MaxInt; n > most {
		if rate := PredictedFPR(n, 10, &o); !math.IsNaN(rate) {
			t.Errorf("%d keys: %v", n, rate)
		}
		if bits := BitsPerKeyFor(n, 0.5, &o); !math.IsNaN(bits) {
			t.Errorf("%d keys: %v bits per key", n, bits)
		}
	}
}

// TestMostMemory: a filter asks once for the bytes of all lines that it may have and the longest trailer of so many, up
// to 2^32-1 lines, and its error is the builder's.
func TestMostMemory(t *testing.T) {
	full := errors.New("no memory")
	all := building.AtMost(math.MaxInt)
	most := min(uint64(math.MaxInt-136)/65, MaxLines)
	for _, c := range []struct {
		keys    int
		limit   building.Limit
		lines   uint64
		allowed bool
	}{
		{0, all, 0, true}, {1000, all, 20, true}, {math.MaxInt, all, most, true}, {math.MaxInt, building.Limit{}, 0, false},
	} {
		s := &scheme{setting: setting{10_000, c.limit, UsualLoad}}
		log := hashlog.Counted(c.keys)
		size, allowed := s.Size(&log)
		want := 65*c.lines + 8*min(c.lines, fallback.MaxLinearLayers) + 8
		if math.MaxInt == math.MaxInt32 && !c.allowed {
			continue // so few keys have room
		}
		if allowed != c.allowed || allowed && size != want {
			t.Errorf("%d keys: %d bytes, %v, want %d, %v", c.keys, size, allowed, want, c.allowed)
		}
		_, err := s.Build(&log, 1, func(bytes uint64, allowed bool) ([]byte, error) {
			if bytes != size || allowed != c.allowed {
				t.Errorf("%d keys: asks for %d bytes, %v, and not %d", c.keys, bytes, allowed, size)
			}
			return make([]byte, 0, 8), full
		})
		if err != full {
			t.Errorf("%d keys: %v", c.keys, err)
		}
	}
	s, o := setting{5000, building.Limit{}, UsualLoad}, building.Options{Concurrency: 1}
	if n := uint64(KeysFor(math.MaxInt, 5, &o)); math.MaxInt > math.MaxInt32 && (s.lines(n) > MaxLines || s.lines(n+1) <= MaxLines) {
		t.Errorf("room for %d keys in %d lines, and for one more in %d", n, s.lines(n), s.lines(n+1))
	}
	if n := KeysFor(math.MaxInt, 10, &o); math.MaxInt > math.MaxInt32 && uint64(n) != 52*MaxLines {
		t.Errorf("room for %d keys of 10 bits in all lines", n)
	}
}

// TestParts: as many as goroutines for which there are a thousand keys each, four times as many if these are in lists,
// and more where parts would exceed a cache, but no more than lists, nor than lines.
func TestParts(t *testing.T) {
	for _, c := range []struct{ lists, keys, goroutines, lines, parts int }{
		{1, 100, 1, 1000, 1},
		{1, 100_000, 1, 1000, 1},
		{1, 100_000, 3, 1000, 3},
		{1, 1500, 3, 1000, 2},
		{1, 1000, 3, 1000, 1},
		{1, 100_000, 3, 2, 2},
		{512, 100, 1, 1000, 1},
		{512, 100, 3, 1000, 1},
		{512, 100_000, 1, 1000, 3},
		{512, 100_000, 3, 1000, 12},
		{8, 100_000, 3, 1000, 8},
		{512, 1 << 20, 3, 1000, 32},
		{512, 1 << 30, 3, 1000, 512},
		{512, 1 << 30, 3, 100, 100},
	} {
		s := section{headers: make([]byte, c.lines)}
		if got := s.parts(c.lists, uint64(c.keys), c.goroutines); got != c.parts {
			t.Errorf("%+v: %d parts", c, got)
		}
	}
}

// TestMostInOrder: 2^17 hashes, or those whose lines fit the option's bytes.
func TestMostInOrder(t *testing.T) {
	s := &scheme{setting: setting{10_000, building.Limit{}, UsualLoad}}
	if n := s.MostInOrder(1); n != 1<<17 {
		t.Errorf("%d hashes", n)
	}
	s.listsFrom = 65*1000 + 64
	if n := uint64(s.MostInOrder(1)); s.setting.lines(n) != 1000 || s.setting.lines(n+1) != 1001 {
		t.Errorf("%d hashes in %d lines, with one more in %d", n, s.setting.lines(n), s.setting.lines(n+1))
	}
}

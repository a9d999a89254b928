package formats_test

import (
	"math"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/formats"
	"github.com/simdbloom/simdbloom/internal/hashlog"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/linear"
	"github.com/simdbloom/simdbloom/paired"
	"github.com/simdbloom/simdbloom/splitblock"
)

// TestBitsPerKeyForRate: up to 64 keys, and numbers of five binary digits, have just what they need, others at most
// what the next of these needs, or a little more where sizes are rounded. Rates that no filter has are doubled until
// one has.
func TestBitsPerKeyForRate(t *testing.T) {
	for _, of := range []contract.Format{contract.FastLocal, contract.SplitBlock} {
		bits := func(n int, fpr float64) float64 {
			return formats.BitsPerKeyForRate(asm.Format(of.Format), n, fpr, &building.Options{})
		}
		for _, fpr := range []float64{0.02, 0.003} {
			for n, near := range map[int]int{
				-1: 1, 0: 1, 1: 1, 2: 2, 3: 3, 50: 50, 63: 63, 64: 64, 65: 68, 67: 68, 68: 68, 69: 72, 124: 124, 125: 128, 128: 128,
				129: 136, 1000: 1024, 1024: 1024, 1025: 1088, 1088: 1088,
			} {
				exact, got := of.BitsPerKeyFor(near, fpr), bits(n, fpr)
				if math.IsNaN(exact) {
					continue // of few keys
				}
				if n == near && got != exact || got < exact || got > exact*1.15 {
					t.Errorf("%s, %d keys, %v: %v bits per key, %d have %v", of.Name, n, fpr, got, near, exact)
				}
				if rate := of.PredictedFPR(max(n, 1), got); rate > fpr {
					t.Errorf("%s, %d keys, %v: %v with %v bits per key", of.Name, n, fpr, rate, got)
				}
				if again := bits(n, fpr); again != got {
					t.Errorf("%s, %d keys, %v: %v bits per key, and %v", of.Name, n, fpr, got, again)
				}
			}
		}
		const n, none = 1024, 1e-12
		if !math.IsNaN(of.BitsPerKeyFor(n, none)) {
			continue
		}
		fpr := none
		for math.IsNaN(of.BitsPerKeyFor(n, fpr)) {
			fpr *= 2
		}
		if got, want := bits(n, none), of.BitsPerKeyFor(n, fpr); got != want {
			t.Errorf("%s, no filter has the rate: %v bits per key, want %v, of the rate %v", of.Name, got, want, fpr)
		}
	}
}

// TestBitsPerKeyForRateOptions: no keys have the bits per key of one, too many the most, and options count that change
// rates.
func TestBitsPerKeyForRateOptions(t *testing.T) {
	for _, format := range formats.All() {
		bits := func(n int) float64 { return formats.BitsPerKeyForRate(format, n, 0.02, &building.Options{}) }
		if none, one := bits(0), bits(1); none != one || bits(-1) != one {
			t.Errorf("%s: %v bits per key without keys, %v of one", formats.NameOf(format), none, one)
		}
		if got := bits(math.MaxInt); math.MaxInt > math.MaxInt32 && got != building.MostBitsPerKey {
			t.Errorf("%s: %v bits per key of more keys than any filter has", formats.NameOf(format), got)
		}
	}
	rate := splitblock.PredictedFPR(68, 100) // 66 keys have a higher one with any bits per key
	got := formats.BitsPerKeyForRate(asm.SplitBlock, 66, rate, &building.Options{})
	if _, err := formats.SchemeOf(asm.SplitBlock, got, &building.Options{Concurrency: 1}); err != nil || got < building.MostBitsPerKey {
		t.Errorf("66 keys, %v: %v bits per key, %v", rate, got, err)
	}
	if many := uint64(33_000_000_000); many < math.MaxInt { // with 1 bit per key, a rate near 1
		for _, fpr := range []float64{0.3, 0.5} {
			if got := formats.BitsPerKeyForRate(asm.SplitBlock, int(many), fpr, &building.Options{}); got != building.MostBitsPerKey {
				t.Errorf("%d keys, %v: %v bits per key of a filter that is too large", many, fpr, got)
			}
		}
	}
	const n, fpr = 1024, 0.001
	batches, faster := paired.WithBatchBlocks(32), linear.WithFasterLookups()
	for _, c := range []struct {
		format asm.Format
		option simdbloom.Option
		want   float64
	}{
		{asm.Paired, batches, paired.BitsPerKeyFor(n, fpr, batches)},
		{asm.Paired, simdbloom.WithConcurrency(2), paired.BitsPerKeyFor(n, fpr)},
		{asm.Paired, simdbloom.WithSizeBytes(2052), paired.BitsPerKeyFor(n, fpr)},
		{asm.Linear, faster, linear.BitsPerKeyFor(n, fpr, faster)},
	} {
		if got := formats.BitsPerKeyForRate(c.format, n, fpr, building.Apply([]simdbloom.Option{c.option})); got != c.want {
			t.Errorf("%s: %v bits per key by the option, want %v", formats.NameOf(c.format), got, c.want)
		}
	}
}

// TestSchemesByRate: a filter by a rate has the bits per key of its own number of keys, whatever was built before.
// Options that the format refuses are an error, also with an exact size.
func TestSchemesByRate(t *testing.T) {
	const fpr = 0.001
	for _, format := range []asm.Format{asm.FastLocal, asm.SplitBlock, asm.Ribbon} {
		s := contract.Must(formats.SchemeOf(format, 0, &building.Options{Concurrency: 1, FPR: fpr}))
		for _, n := range []int{64, 100_000, 64, 1000} {
			bits, log := formats.BitsPerKeyForRate(format, n, fpr, &building.Options{}), hashlog.Counted(n)
			want, _ := contract.Must(formats.SchemeOf(format, bits, &building.Options{Concurrency: 1})).Size(&log)
			if got, allowed := s.Size(&log); got != want || !allowed {
				t.Errorf("%s: %d bytes of %d keys, want %d: %v", formats.NameOf(format), got, n, want, allowed)
			}
		}
		for _, limit := range []building.Limit{{}, building.Exactly(2052)} {
			if _, err := formats.SchemeOf(format, 0, &building.Options{FPR: fpr, Limit: limit}); err == nil {
				t.Errorf("%s: builders of no goroutine, %v", formats.NameOf(format), limit)
			}
		}
	}
}

// TestCheckFPR: a rate is between 0 and 1, neither of them, and filters of a thousand keys have it. Other formats than
// those with a package are an error.
func TestCheckFPR(t *testing.T) {
	for fpr, right := range map[float64]bool{
		0.01: true, 0.999: true, 0: false, 1: false, -1: false, 1.5: false, 1e-300: false, math.NaN(): false, math.Inf(1): false,
	} {
		if err := formats.CheckFPR(asm.FastLocal, fpr, &building.Options{}); (err == nil) != right {
			t.Errorf("%v: %v", fpr, err)
		}
	}
	for _, fpr := range []float64{0, 1, math.NaN()} {
		if err := formats.CheckFPR(asm.Linear, fpr, &building.Options{}); err == nil || !strings.Contains(err.Error(), "above 0 and below 1") {
			t.Errorf("%v: %v", fpr, err)
		}
	}
	if err := formats.CheckFPR(asm.Empty, 0.01, &building.Options{}); err == nil {
		t.Error("empty filters are built by a rate")
	}
	for n := range 256 { // any number may stand for a format
		format := asm.Format(n)
		built := simdbloom.Format(n) != simdbloom.Reserved && format != asm.Empty && formats.Of(format).Package != ""
		for _, fpr := range []float64{0, 0.01} {
			if _, err := formats.SchemeOf(format, 10, &building.Options{FPR: fpr, Concurrency: 1}); (err == nil) != built {
				t.Errorf("format %d: %v", n, err)
			}
		}
		adds := format == asm.FastLocal || format == asm.SplitBlock || format == asm.Blobloom
		if a, err := formats.AdderOf(format); (a != nil) != adds || (err == nil) != adds {
			t.Errorf("keys are added to format %d: %v, %v", n, a != nil, err)
		}
	}
	for _, fpr := range []float64{-1, 2} {
		if s, err := formats.SchemeOf(asm.FastLocal, 10, &building.Options{FPR: fpr}); s != nil || err == nil {
			t.Errorf("%v: %v, %v", fpr, s, err)
		}
	}
}

// TestEstimatedFPRWithoutBits: an empty filter has no false positive, and one that may contain everything no other.
func TestEstimatedFPRWithoutBits(t *testing.T) {
	for all, want := range map[bool]float64{false: 0, true: 1} {
		kernel := asm.NewConstant(all)
		if got := formats.EstimatedFPR(&kernel); got != want {
			t.Errorf("every hash is %v: a rate of %v", all, got)
		}
	}
}

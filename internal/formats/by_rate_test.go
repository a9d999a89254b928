package formats_test

import (
	"math"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/formats"
	"github.com/simdbloom/simdbloom/internal/test/contract"
)

// TestBitsPerKeyForRate: up to 64 keys, and numbers of five binary digits, have just what they need, others at most what
// the next of these needs, or a little more where sizes are rounded. Rates that no filter has are doubled until one has.
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

package contract

import (
	_ "embed"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/formats"
)

// Recorded are the formats' sizes and rates, a line each: a name, and numbers. go test ./internal/test/contract -update
// writes them.
//
//go:embed testdata/figures.txt
var Recorded string

// TestFigures compares sizes and rates with those that are recorded: what was promised with one version stays so.
// Builders that are given a rate have the package's bits per key.
func TestFigures(t *testing.T, f Format) {
	const few, fpr = 60, 0.02
	if got, want := formats.BitsPerKeyForRate(asm.Format(f.Format), few, fpr, building.Apply(f.Options)), f.BitsPerKeyFor(few, fpr); got != want {
		t.Errorf("%s, %d keys: %v bits per key for a rate of %v, want %v", f.Name, few, got, fpr, want)
	}
	recorded := map[string]string{}
	for line := range strings.Lines(Recorded) {
		name, numbers, _ := strings.Cut(strings.TrimSpace(line), ": ")
		recorded[name] = numbers
	}
	for _, line := range f.Figures(t) {
		if name, numbers, _ := strings.Cut(line, ": "); !areNear(numbers, recorded[name]) {
			t.Errorf("%s, recorded are %s", line, recorded[name])
		}
	}
}

// areNear compares numbers: the last digits differ between processors.
func areNear(some, others string) bool {
	a, b := strings.Fields(some), strings.Fields(others)
	for i := range a {
		if len(a) != len(b) {
			return false
		}
		x, err := strconv.ParseFloat(a[i], 64)
		y, err2 := strconv.ParseFloat(b[i], 64)
		if err != nil || err2 != nil || a[i] != b[i] && !(math.Abs(x-y) <= 1e-6*math.Abs(y)) {
			return false
		}
	}
	return len(a) > 0
}

// Figures returns the lines of a format: of numbers of keys, bits per key and limits, the size, the predicted rate and
// that of a filter.
func (f Format) Figures(t testing.TB) (lines []string) {
	bits, keys := []float64{0.7, 3, 7.35, 10, 23.4, 60}, []int{1, 60, 700, 5000, 30_000_000}
	if f.Narrow { // whose rates take milliseconds
		bits, keys = []float64{0.7, 10, 23.4}, []int{60, 5000}
	}
	for _, bitsPerKey := range bits {
		for _, n := range keys {
			limit := max(f.LeastBytes, int(float64(n)*bitsPerKey/12))
			for _, options := range [][]simdbloom.Option{nil, {simdbloom.WithMaxBytes(limit)}} {
				numbers := []any{f.PredictedFPR(n, bitsPerKey, options...)}
				if n <= 5000 {
					opened := f.Opened(t, f.Build(t, bitsPerKey, f.Hashes(uint64(n), n), options...))
					numbers = append(numbers, float64(opened.SizeBytes()), float64(opened.NumProbes()))
					if !f.Sampled || n == 5000 && bitsPerKey == 10 {
						numbers = append(numbers, opened.EstimatedFPR())
					}
				}
				name := fmt.Sprintf("%s, %d keys, %v bits, limit %v:", f.Name, n, bitsPerKey, options != nil)
				lines = append(lines, name+fmt.Sprintf(strings.Repeat(" %.9g", len(numbers)), numbers...))
			}
		}
		rate := f.PredictedFPR(700, bitsPerKey)
		lines = append(lines, fmt.Sprintf("%s, of the rate of %v bits: %.9g %d %d", f.Name, bitsPerKey, f.BitsPerKeyFor(700, rate*1.01), f.KeysFor(10_000, bitsPerKey), f.KeysFor(10_000_000, bitsPerKey)))
	}
	return lines
}

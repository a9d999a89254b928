package ribbon_test

import (
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/splitmix"
	"github.com/simdbloom/simdbloom/ribbon"
)

// storedBits is the number of bits that a key takes in a filter of n keys.
func storedBits(t *testing.T, n int, bitsPerKey float64) float64 {
	t.Helper()
	b := contract.Ribbon.Builder(t, bitsPerKey)
	for i := range n {
		b.AddHash(splitmix.Value(1, uint64(i)))
	}
	return 8 * float64(b.SizeBytes()) / float64(n)
}

// TestMemory: filters take 4 to 7 % more than the logarithm of the rate, as docs/choosing.md says.
func TestMemory(t *testing.T) {
	for _, n := range []int{10_000, 100_000, 1_000_000, 10_000_000} {
		if testing.Short() && n > 1_000_000 {
			continue
		}
		for _, bitsPerKey := range []float64{10, 16, 23.4} {
			if more := storedBits(t, n, bitsPerKey)/-math.Log2(ribbon.PredictedFPR(n, bitsPerKey)) - 1; more < 0.04 || more > 0.0715 {
				t.Errorf("%d keys at %v bits/key: %.1f %% more than the least", n, bitsPerKey, 100*more)
			}
		}
	}
}

// TestChoicesOnThePage checks Ribbon's column in docs/choosing.md: the rates that fit some memory,
// and the memory for some rates.
func TestChoicesOnThePage(t *testing.T) {
	text, err := os.ReadFile("../docs/choosing.md")
	if err != nil {
		t.Fatal(err)
	}
	lastCell := func(row, want string) {
		_, after, _ := strings.Cut(string(text), "\n| "+row+" |")
		line, _, _ := strings.Cut(after, "\n")
		if !strings.HasSuffix(strings.ReplaceAll(line, ",", ""), " "+want+" |") {
			t.Errorf("docs/choosing.md, %q: %s, and Ribbon's is %s", row, line, want)
		}
	}
	for row, bitsPerKey := range map[string]float64{
		"false positives of 10M keys at 10 bits/key": 10, "at 16 bits/key": 16, "at 20 bits/key": 20, "at 23.4 bits/key": 23.4,
	} {
		const n, most = 10_000_000, 100 // the limit alone decides
		rate := ribbon.PredictedFPRWithin(n, most, int(bitsPerKey*n/8))
		unit := math.Pow(10, math.Floor(-math.Log10(rate))-2)
		lastCell(row, fmt.Sprintf("1 in %.0f", math.Round(1/rate/unit)*unit))
	}
	for row, rate := range map[string]float64{
		"bits/key for 1 in 100, a million keys": 1e-2, "for 1 in 1,000": 1e-3, "for 1 in 10,000": 1e-4, "for 1 in 100,000": 1e-5,
	} {
		const n = 1_000_000
		lastCell(row, fmt.Sprintf("%.2f", storedBits(t, n, ribbon.BitsPerKeyFor(n, rate))))
	}
}

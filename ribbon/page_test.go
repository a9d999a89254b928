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

// TestMemoryOnThePage checks the table of docs/ribbon.md with larger and smaller filters.
func TestMemoryOnThePage(t *testing.T) {
	text, err := os.ReadFile("../docs/ribbon.md")
	if err != nil {
		t.Fatal(err)
	}
	for n, keys := range map[int]string{10_000: "10,000", 100_000: "100,000", 1_000_000: "1,000,000", 10_000_000: "10,000,000"} {
		if testing.Short() && n > 1_000_000 {
			continue
		}
		row, least, most := "| "+keys, math.Inf(1), 0.
		for _, bitsPerKey := range []float64{10, 16, 23.4} {
			stored := storedBits(t, n, bitsPerKey)
			more := 100 * (stored/-math.Log2(ribbon.PredictedFPR(n, bitsPerKey)) - 1)
			least, most = min(least, more), max(most, more)
			row += fmt.Sprintf(" | %.2f", stored)
		}
		if row += fmt.Sprintf(" | %.1f to %.1f %% |", least, most); !strings.Contains(string(text), "\n"+row+"\n") {
			t.Errorf("docs/ribbon.md has no row %s", row)
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

package linear_test

import (
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/linear"
)

// rowsOfThePage returns the rows of docs/linear.md's tables that begin with a number and have
// as many cells as wanted.
func rowsOfThePage(t *testing.T, cells int) (numbers []int, rows [][]string) {
	t.Helper()
	page, err := os.ReadFile("../docs/linear.md")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.SplitSeq(string(page), "\n") {
		row := strings.Split(strings.Trim(line, "| "), " | ")
		number, err := strconv.Atoi(strings.ReplaceAll(row[0], ",", ""))
		if err == nil && len(row) == cells {
			numbers, rows = append(numbers, number), append(rows, row[1:])
		}
	}
	return numbers, rows
}

// TestStepsOnThePage checks the table with the least bits per key for each rate.
func TestStepsOnThePage(t *testing.T) {
	lengths, rows := rowsOfThePage(t, 8)
	if len(rows) != 22 {
		t.Fatalf("%d rows, want one for each length of fingerprints, 22", len(rows))
	}
	for i, r := range lengths {
		rate := math.Ldexp(1, -r)
		if want := fmt.Sprint("1 in ", uint64(1)<<r); strings.ReplaceAll(rows[i][0], ",", "") != want {
			t.Errorf("R=%d: %s, want %s", r, rows[i][0], want)
		}
		for k, n := range []int{1000, 10_000, 1_000_000, 100_000_000} {
			least := linear.BitsPerKeyFor(n, rate)
			if want := fmt.Sprintf("%.2f", math.Ceil(100*least-1e-6)/100); rows[i][2+k] != want {
				t.Errorf("R=%d, %d keys: %s bits/key, want %s", r, n, rows[i][2+k], want)
			}
		}
		more := 100 * (linear.BitsPerKeyFor(1_000_000, rate)/float64(r) - 1)
		if want := fmt.Sprintf("%.1f %%", more); rows[i][6] != want {
			t.Errorf("R=%d: %s more, want %s", r, rows[i][6], want)
		}
	}
}

// TestSmallFiltersOnThePage builds the filters of the table of small ones.
func TestSmallFiltersOnThePage(t *testing.T) {
	keys, rows := rowsOfThePage(t, 5)
	if len(rows) != 7 {
		t.Fatalf("%d rows, want 7", len(rows))
	}
	for i, n := range keys {
		for k, bitsPerKey := range []float64{8, 10, 16, 23.4} {
			data := contract.Linear.Build(t, bitsPerKey, vectors.Hashes(5, n))
			if want := fmt.Sprintf("%d, R = %d", len(data), linear.FingerprintBits(contract.Linear.Opened(t, data))); rows[i][k] != want {
				t.Errorf("%d keys at %v bits/key: %s, want %s", n, bitsPerKey, rows[i][k], want)
			}
		}
	}
}

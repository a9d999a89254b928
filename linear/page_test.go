package linear_test

import (
	"fmt"
	"math"
	"os"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom/fallback"
	plans "github.com/simdbloom/simdbloom/internal/formats/linear"
	"github.com/simdbloom/simdbloom/linear"
)

// checkTable compares the rows of the page's table that begins with a heading with the wanted ones.
func checkTable(t *testing.T, heading string, want [][]string) {
	t.Helper()
	_, table, _ := strings.Cut(page(t), "\n| "+heading+" | ")
	table, _, _ = strings.Cut(table, "\n\n")
	var got [][]string
	for i, line := range strings.Split(table, "\n") {
		if i > 1 { // behind the headings
			got = append(got, strings.Split(strings.Trim(line, "| "), " | "))
		}
	}
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || !slices.Equal(got[i], want[i]) {
			t.Fatalf("row %d of the table of %s; want\n%v\nin\n%v", i, heading, want, got)
		}
	}
}

func page(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../docs/linear.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestSizesOnThePage checks the table with the least bits per key for some lengths of fingerprints.
func TestSizesOnThePage(t *testing.T) {
	var rows [][]string
	for _, r := range []int{7, 8, 9, 10, 12, 14, 16, 20, 24, 32} {
		row := []string{fmt.Sprint(r), fmt.Sprint(fallback.LinearSlotsOf(r))}
		const n = 1_000_000
		lines := 1 + sort.Search(n, func(i int) bool {
			p := plans.Of(n, uint64(i+1), plans.UsualLoad)
			return p.Lines == uint64(i+1) && p.Bits >= r
		})
		rows = append(rows, append(row, fmt.Sprintf("%.2f", float64(lines)*plans.LineBits/n)))
	}
	checkTable(t, "R", rows)
}

// TestPlansOnThePage checks the table of fingerprints by bits per key.
func TestPlansOnThePage(t *testing.T) {
	var rows [][]string
	for _, bitsPerKey := range []float64{8, 10, 12, 16, 20, 23.4, 30} {
		const n = 1_000_000
		p := plans.Of(n, plans.Asked(n, uint64(math.Round(1000*bitsPerKey))), plans.UsualLoad)
		row := []string{fmt.Sprint(bitsPerKey), fmt.Sprintf("%d, %d", p.Bits, p.Cut)}
		one := 1 / linear.PredictedFPR(n, bitsPerKey)
		unit := math.Pow10(int(math.Log10(one)) - 2) // three digits
		rows = append(rows, append(row, "1 in "+thousands(int(math.Round(one/unit)*unit))))
	}
	checkTable(t, "bits/key", rows)
}

// TestOverhead: memory over the least possible, at each quarter of a bit. docs/accuracy.md has these figures.
func TestOverhead(t *testing.T) {
	const n = 1_000_000
	sum, worst, settings := 0.0, 0.0, 0
	for bitsPerKey := 7.5; bitsPerKey <= 32; bitsPerKey += 0.25 {
		p := plans.Of(n, plans.Asked(n, uint64(1000*bitsPerKey)), plans.UsualLoad)
		overhead := float64(p.Lines*plans.LineBits) / n / -math.Log2(p.FPR(n))
		sum, worst, settings = sum+overhead, max(worst, overhead), settings+1
	}
	mean := sum / float64(settings)
	if mean > 1.07 || worst > 1.11 {
		t.Errorf("mean %v, worst %v", mean, worst)
	}
}

func thousands(n int) string {
	text := strconv.Itoa(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

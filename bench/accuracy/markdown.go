package main

import (
	"fmt"
	"io"
	"math"
	"strings"
)

// markdownTable is a table with its first row for the headings.
type markdownTable [][]string

func (t *markdownTable) add(cells ...string) { *t = append(*t, cells) }

func (t markdownTable) write(w io.Writer) {
	for i, cells := range t {
		fmt.Fprintf(w, "| %s |\n", strings.Join(cells, " | "))
		if i == 0 {
			fmt.Fprintf(w, "|%s\n", strings.Repeat("---:|", len(cells)))
		}
	}
}

// rateCell is a measured rate with its standard deviation.
func (e *experiment) rateCell() string {
	if e.positives == 0 {
		return fmt.Sprintf("< %.1e", 3/e.queries()) // with 95 % confidence
	}
	return fmt.Sprintf("%.3g ±%s", e.measured(), percent(e.deviation(), "%.2g"))
}

// offCell says how far a rate is from the measured one, if that tells anything.
func (e *experiment) offCell(rate float64) string {
	if e.positives < 100 {
		return ""
	}
	return percent(rate/e.measured()-1, "%+.1f")
}

func percent(x float64, format string) string { return fmt.Sprintf(format+" %%", 100*x) }

// oneIn is how many keys there are for one false positive, to three digits.
func oneIn(rate float64) string {
	if rate == 0 {
		return ""
	}
	unit := math.Max(1, math.Pow(10, math.Floor(-math.Log10(rate))-2))
	return thousands(int64(math.Round(1/rate/unit) * unit))
}

// thousands is a number with a comma before every third digit.
func thousands(n int64) string {
	digits := fmt.Sprint(n)
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}

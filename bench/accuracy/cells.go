package main

import (
	"fmt"
	"math"

	"github.com/simdbloom/simdbloom/bench/internal/markdown"
)

// countedHeadings are those of countedCells.
var countedHeadings = []string{"stored", "false positives", "measured", "that is 1 in", "predicted", "estimated"}

// countedCells are what was counted, and how far the rates are from it that functions give.
func (e *experiment) countedCells() []string {
	return []string{
		fmt.Sprintf("%.2f", e.storedBits()), markdown.Thousands(e.positives), e.rateCell(), oneIn(e.measured()),
		e.offCell(e.predicted), e.offCell(e.estimated),
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
	return markdown.Thousands(int64(math.Round(1/rate/unit) * unit))
}

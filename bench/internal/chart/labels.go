package chart

import (
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
)

// apartLabels shows every label of the axis of X, or every second one and so on, so that none touch each other, also in
// a wider font than the one that they are measured with.
type apartLabels struct {
	plot.Ticker
	axis *plot.Axis
}

// Ticks returns all ticks: some without a label.
func (l apartLabels) Ticks(least, most float64) []plot.Tick {
	all := l.Ticker.Ticks(least, most)
	for every := 1; ; every++ {
		ticks := slices.Clone(all)
		labels := 0
		for i := range ticks {
			if ticks[i].Label == "" {
				continue
			}
			if labels%every > 0 {
				ticks[i].Label = ""
			}
			labels++
		}
		if every >= labels || l.fit(ticks) {
			return ticks
		}
	}
}

func (l apartLabels) fit(ticks []plot.Tick) bool {
	const length = 0.65 * width // of the axis, where names and texts beside it take most
	end := vg.Length(-width)
	for _, tick := range ticks {
		if tick.Label == "" {
			continue
		}
		at, half := vg.Length(l.axis.Norm(tick.Value))*length, style(tick.Label).Width(tick.Label)*8/7/2
		if at-half < end {
			return false
		}
		end = at + half
	}
	return true
}

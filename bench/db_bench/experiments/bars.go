package experiments

import (
	"fmt"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/simdbloom/simdbloom/bench/internal/chart"
	"github.com/simdbloom/simdbloom/bench/internal/results"
	"github.com/simdbloom/simdbloom/internal/test/markdown"
)

// bar is a line of a bar chart: its length is the median of the values, which are drawn as points.
type bar struct {
	name   string
	format string // which gives the color
	values results.Values
}

// barChart draws bars from the top down.
func barChart(title, x string, bars []bar) ([]byte, error) {
	c := chart.New(title, x, "")
	var ticks plot.ConstantTicks
	most := 0.0
	for i, b := range bars {
		at := float64(len(bars) - 1 - i)
		ticks = append(ticks, plot.Tick{Value: at, Label: b.name})
		const gap = 0.3
		thickness := vg.Length(chart.Height) / vg.Length(len(bars)+2) * (1 - gap)
		whole, err := plotter.NewBarChart(plotter.Values{b.values.Median()}, thickness)
		if err != nil {
			return nil, err
		}
		whole.Horizontal, whole.XMin, whole.Color, whole.LineStyle.Width = true, at, chart.Color(b.format), 0
		_, longest := b.values.Spread()
		most = max(most, longest)
		var points plotter.XYs
		for _, value := range b.values {
			points = append(points, plotter.XY{X: value, Y: at})
		}
		rounds, err := plotter.NewScatter(points)
		if err != nil {
			return nil, err
		}
		rounds.Shape, rounds.Radius = draw.RingGlyph{}, 3
		c.Add(whole, rounds)
	}
	xTicks := fromZero(most)
	c.X.Tick.Marker, c.X.Min, c.X.Max = xTicks, 0, xTicks[len(xTicks)-1].Value
	c.Y.Tick.Marker = ticks
	c.Y.Tick.Length = 0
	c.Y.LineStyle.Width = 0
	c.Y.Min, c.Y.Max = -0.5, float64(len(bars))-0.5
	return c.SVG()
}

// fromZero are three to eight ticks at multiples of 1, 2 or 5 of a power of ten, from zero to at least most.
func fromZero(most float64) (ticks plot.ConstantTicks) {
	const fewest = 2.4
	if !(most > 0) {
		most = 1
	}
	decade := math.Pow10(int(math.Floor(math.Log10(most))))
	step := decade / 5
	for _, larger := range []float64{decade / 2, decade} {
		if most/larger >= fewest {
			step = larger
		}
	}
	for i := 0; ; i++ {
		at := float64(i) * step
		label := fmt.Sprintf("%.3g", at)
		if at >= 1000 {
			label = markdown.Thousands(at)
		}
		ticks = append(ticks, plot.Tick{Value: at, Label: label})
		if at >= most {
			return ticks
		}
	}
}

package experiments

import (
	"fmt"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg/draw"

	"github.com/simdbloom/simdbloom/bench/internal/chart"
	"github.com/simdbloom/simdbloom/bench/internal/results"
	"github.com/simdbloom/simdbloom/internal/test/markdown"
)

// row is a line of a dot chart: a dot at the median of the values, on a line over all of them.
type row struct {
	name   string
	format string // which gives the color
	values results.Values
}

// dotChart draws rows from the top down.
func dotChart(title, x string, rows []row) ([]byte, error) {
	c := chart.New(title, x, "")
	var names plot.ConstantTicks
	least, most := math.Inf(1), 0.0
	for i, r := range rows {
		at := float64(len(rows) - 1 - i)
		names = append(names, plot.Tick{Value: at, Label: r.name})
		from, to := r.values.Spread()
		least, most = min(least, from), max(most, to)
		spread, err := plotter.NewLine(plotter.XYs{{X: from, Y: at}, {X: to, Y: at}})
		if err != nil {
			return nil, err
		}
		median, err := plotter.NewScatter(plotter.XYs{{X: r.values.Median(), Y: at}})
		if err != nil {
			return nil, err
		}
		spread.Color, spread.Width = chart.Color(r.format), 3
		median.Color, median.Shape, median.Radius = spread.Color, draw.CircleGlyph{}, 6
		c.Add(spread, median)
	}
	values := over(least, most)
	c.X.Tick.Marker, c.X.Min, c.X.Max = values, values[0].Value, values[len(values)-1].Value
	c.Y.Tick.Marker = names
	c.Y.Tick.Length = 0
	c.Y.LineStyle.Width = 0
	c.Y.Min, c.Y.Max = -0.5, float64(len(rows))-0.5
	return c.SVG()
}

// over are three to nine ticks at multiples of 1, 2 or 5 of a power of ten, around least and most. They begin at zero
// if least is less than half of most.
func over(least, most float64) (ticks plot.ConstantTicks) {
	const fewest = 2.4
	if !(most > 0) {
		least, most = 0, 1
	}
	if least < most/2 {
		least = 0
	}
	span := most - least
	if span < most/1e3 { // one value
		span = most / 10
	}
	decade := math.Pow10(int(math.Floor(math.Log10(span))))
	step := decade / 5
	for _, larger := range []float64{decade / 2, decade} {
		if span/larger >= fewest {
			step = larger
		}
	}
	for i := math.Floor(least / step); ; i++ {
		at := i * step
		label := fmt.Sprintf("%.3g", at)
		if at >= 1000 {
			label = markdown.Thousands(at)
		}
		ticks = append(ticks, plot.Tick{Value: at, Label: label})
		if at >= most && len(ticks) > 2 {
			return ticks
		}
	}
}

// Package chart draws lines over two axes as an SVG: their names stand at their ends, and the colors follow
// the browser's light or dark mode.
package chart

import (
	"bytes"
	"errors"
	"html"
	"image/color"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Height of a chart, in points.
const Height = 400

const (
	width, height = 560, Height
	textSize      = 15 // which can be read in a picture of 400 pixels
	radius        = 4  // of markers
	gridWidth     = 0.75
	margin        = 1.1 // beside the series of a logarithmic axis
)

// styles are the colors and markers of filters' lines, which can be told from each other on white and on black paper.
// All markers are filled: outlines vanish in small pictures.
var styles = map[string]struct {
	color color.Color
	glyph draw.GlyphDrawer
}{
	"FastLocal": {color.RGBA{0x22, 0x8b, 0xe6, 0xff}, draw.CircleGlyph{}},
	"Paired":    {color.RGBA{0xe8, 0x59, 0x0c, 0xff}, draw.BoxGlyph{}},
	"Linear":    {color.RGBA{0x2b, 0x9a, 0x4b, 0xff}, triangle},
	"Ribbon":    {color.RGBA{0xd6, 0x33, 0x84, 0xff}, diamond},
	"Pebble":    {color.RGBA{0x84, 0x5e, 0xf7, 0xff}, draw.CircleGlyph{}},
	"Legacy":    {color.RGBA{0x84, 0x5e, 0xf7, 0xff}, draw.CircleGlyph{}},
	"LevelDB":   {color.RGBA{0x86, 0x8e, 0x96, 0xff}, draw.BoxGlyph{}},

	"SplitBlock":      {color.RGBA{0xf0, 0x8c, 0x00, 0xff}, draw.CircleGlyph{}},
	"parquet-go":      {color.RGBA{0x10, 0x98, 0xad, 0xff}, draw.BoxGlyph{}},
	"binary fuse":     {color.RGBA{0xa5, 0x71, 0x4e, 0xff}, arrowhead},
	"bits-and-blooms": {color.RGBA{0x86, 0x8e, 0x96, 0xff}, draw.BoxGlyph{}},

	// Ways to look a key up in many filters.
	"loop":              {color.RGBA{0x86, 0x8e, 0x96, 0xff}, draw.BoxGlyph{}},
	"AppendFilters":     {color.RGBA{0x22, 0x8b, 0xe6, 0xff}, draw.CircleGlyph{}},
	"Candidates":        {color.RGBA{0xe8, 0x59, 0x0c, 0xff}, diamond},
	"sliced.AppendHits": {color.RGBA{0x2b, 0x9a, 0x4b, 0xff}, triangle},
}

var (
	paper     = color.RGBA{0xff, 0xff, 0xff, 0xff}
	gridColor = color.RGBA{0xd0, 0xd7, 0xde, 0xff}
	plain     = color.RGBA{0x86, 0x8e, 0x96, 0xff} // of series that are no filters
)

// Color is the color of a filter's series, or gray.
func Color(filter string) color.Color {
	if style, ok := styles[filterOf(filter)]; ok {
		return style.color
	}
	return plain
}

// filterOf is the filter in a series' name, which its setting may follow.
func filterOf(name string) string {
	filter, _, _ := strings.Cut(name, ", ")
	return filter
}

// Series is a line, points on or beside it, and a name. A filter's name gives the color; a comma and its setting may
// follow.
type Series struct {
	Name         string
	Line, Points plotter.XYs
}

// Chart is a plot of some series.
type Chart struct {
	*plot.Plot
	names names
	err   error // of the first series that could not be drawn
}

// withRoom adds spaces to a text, so that it fits in a wider font than the one that it is measured with.
func withRoom(text string) string { return text + strings.Repeat(" ", 2+len(text)/6) }

// Ticks puts a label at each value.
func Ticks(label func(float64) string, values ...float64) plot.ConstantTicks {
	var ticks plot.ConstantTicks
	for _, value := range values {
		ticks = append(ticks, plot.Tick{Value: value, Label: label(value) + "  "})
	}
	return ticks
}

// Plain is a label without more digits than the value has.
func Plain(value float64) string { return strconv.FormatFloat(value, 'f', -1, 64) }

// LogX makes the axis of X logarithmic, as long as the series that were added, with labels at the values in it.
func (c *Chart) LogX(label func(float64) string, values ...float64) { logarithmic(&c.X, label, values) }

// LogY is LogX for the axis of Y.
func (c *Chart) LogY(label func(float64) string, values ...float64) { logarithmic(&c.Y, label, values) }

func logarithmic(a *plot.Axis, label func(float64) string, values []float64) {
	a.Scale, a.Tick.Marker = plot.LogScale{}, Ticks(label, values...)
	if a.Min > a.Max { // there are no series
		a.Min, a.Max = values[0], values[len(values)-1]
	}
	a.Min, a.Max = a.Min/margin, a.Max*margin
}

// Powers are the powers of ten from least to most.
func Powers(least, most float64) (values []float64) {
	for at := least; at <= most; at *= 10 {
		values = append(values, at)
	}
	return values
}

// New returns a chart without series.
func New(title, x, y string) *Chart {
	plot.DefaultFont = font.Font{Typeface: "Liberation", Variant: "Sans"}
	plotter.DefaultFont = plot.DefaultFont
	c := &Chart{Plot: plot.New()}
	c.Title.Text, c.X.Label.Text, c.Y.Label.Text = title, x, y
	c.Title.Padding, c.Title.TextStyle.Font.Size = 8, textSize+2
	c.X.Label.Padding = 4
	for _, style := range []*draw.TextStyle{&c.X.Label.TextStyle, &c.Y.Label.TextStyle, &c.X.Tick.Label, &c.Y.Tick.Label} {
		style.Font.Size = textSize
	}
	grid := plotter.NewGrid()
	grid.Vertical.Color, grid.Horizontal.Color = gridColor, gridColor
	grid.Vertical.Width, grid.Horizontal.Width = gridWidth, gridWidth
	c.Add(grid)
	c.BackgroundColor = paper
	return c
}

// Series adds a line and its points, if there are any. SVG returns an error if they are invalid.
func (c *Chart) Series(s Series) {
	if len(s.Line) == 0 || c.err != nil {
		return
	}
	line, wrongLine := plotter.NewLine(s.Line)
	points, wrongPoints := plotter.NewScatter(s.Points)
	if c.err = errors.Join(wrongLine, wrongPoints); c.err != nil {
		return
	}
	points.Shape = draw.BoxGlyph{}
	if style, ok := styles[filterOf(s.Name)]; ok {
		points.Shape = style.glyph
	}
	line.Color, line.Width, line.Dashes = Color(s.Name), 2, c.dashes(s.Name)
	points.Color, points.Radius = line.Color, radius
	c.Add(line, points)
	c.names = append(c.names, s)
}

// dashes of the next series of a filter: several settings of one have one color. Ribbon's lines often lie over
// Linear's, which are seen in the gaps.
func (c *Chart) dashes(name string) []vg.Length {
	patterns := [][]vg.Length{nil, {8, 4}, {2, 3}}
	if filterOf(name) == "Ribbon" {
		patterns[0] = []vg.Length{9, 9}
	}
	earlier := 0
	for _, s := range c.names {
		if filterOf(s.Name) == filterOf(name) {
			earlier++
		}
	}
	return patterns[min(earlier, len(patterns)-1)]
}

// SVG draws the chart, with the names at the lines' ends.
func (c *Chart) SVG() ([]byte, error) {
	if c.err != nil {
		return nil, c.err
	}
	c.Add(c.names)
	c.X.Tick.Marker = apartLabels{c.X.Tick.Marker, &c.X}
	canvas := vgsvg.New(width, height)
	all := draw.New(canvas)
	all.FillPolygon(paper, []vg.Point{{}, {X: width}, {X: width, Y: height}, {Y: height}})
	c.Draw(draw.Crop(all, 8, -8, 6, -8))
	var text bytes.Buffer
	_, err := canvas.WriteTo(&text)
	return titled(text.Bytes(), c.Title.Text), err
}

// darkMode overrides the colors that an SVG of vgsvg has in its style attributes; black text has none there. Programs
// that know no media queries show the light mode, which has paper of its own.
const darkMode = `<style>
text { font-family: "Liberation Sans", Arial, Helvetica, sans-serif !important }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3 }
[style*="stroke:#000000"] { stroke: #b8c0c8 !important }
[style*="stroke:#D0D7DE"] { stroke: #484f58 !important }
[style*="fill:#FFFFFF"] { fill: #0d1117 !important }
}
</style>
`

// titled gives a drawing its title, for readers who do not see it, and makes it follow the mode of the browser.
func titled(svg []byte, title string) []byte {
	begin := bytes.Index(svg, []byte("<svg"))
	end := begin + bytes.IndexByte(svg[begin:], '>')
	return slices.Concat(svg[:end], []byte(` role="img">`+"\n<title>"+html.EscapeString(title)+"</title>\n"+darkMode), svg[end+len(">\n"):])
}

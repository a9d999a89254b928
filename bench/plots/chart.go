package main

import (
	"bytes"
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"

	"github.com/simdbloom/simdbloom/bench/internal/results"
)

// Sizes, in points.
const (
	width, height = 480, 440
	textSize      = 13
	columns       = 3 // of the legend
)

// chart is a plot with a line for each peer and a legend below.
type chart struct {
	*plot.Plot
	legends [columns]plot.Legend
	lines   int
	others  int  // lines that are not the project's own
	steps   bool // whether lines of peers with steps have them
	ownOnly bool // whether other libraries' lines are left out
}

func newChart(title, x, y string) *chart {
	plot.DefaultFont = font.Font{Typeface: "Liberation", Variant: "Sans"}
	c := &chart{Plot: plot.New()}
	c.Title.Text, c.X.Label.Text, c.Y.Label.Text = title, x, y
	c.Title.Padding = 6
	c.Title.TextStyle.Font.Size = textSize + 2
	for _, style := range []*draw.TextStyle{&c.X.Label.TextStyle, &c.Y.Label.TextStyle, &c.X.Tick.Label, &c.Y.Tick.Label} {
		style.Font.Size = textSize
	}
	for i := range c.legends {
		c.legends[i] = plot.NewLegend()
		c.legends[i].TextStyle.Font.Size = textSize - 1
		c.legends[i].Top, c.legends[i].Left = true, true
		c.legends[i].ThumbnailWidth, c.legends[i].Padding = 24, 3
	}
	grid := plotter.NewGrid()
	grid.Vertical.Color, grid.Horizontal.Color = gridColor, gridColor
	c.Add(grid)
	c.BackgroundColor = paper
	return c
}

// logarithmic makes an axis logarithmic.
func (c *chart) logarithmic(axis *plot.Axis) { axis.Scale = plot.LogScale{} }

// series is what a chart shows of a peer.
type series struct {
	line  plotter.XYs
	marks plotter.XYs
	bars  plotter.YErrors // of the marks, or nil
}

// points is a line through marks.
func points(at plotter.XYs) series { return series{line: at, marks: at} }

// add adds a peer's line, or its point, if it has any and the chart shows the peer. The project's
// own lines are thick.
func (c *chart) add(p *results.Peer, s series) error {
	if c.ownOnly && !p.Own || len(s.line) == 0 {
		return nil
	}
	style := c.styleOf(p)
	line, err := plotter.NewLine(s.line)
	if err != nil {
		return err
	}
	marks, err := plotter.NewScatter(s.marks)
	if err != nil {
		return err
	}
	line.Color, line.Width, line.Dashes = style.color, 1.25, style.dashes
	marks.Color, marks.Shape, marks.Radius = style.color, style.shape, 2.5
	if len(s.line) == 1 {
		marks.Radius = 4
	}
	if c.steps && p.Steps {
		line.StepStyle = plotter.PostStep
	}
	if p.Own {
		line.Width, marks.Radius = 3, 3.5
	}
	c.Add(line, marks)
	if s.bars != nil {
		bars, err := plotter.NewYErrorBars(struct {
			plotter.XYs
			plotter.YErrors
		}{s.marks, s.bars})
		if err != nil {
			return err
		}
		bars.Color = style.color
		c.Add(bars)
	}
	c.legends[c.lines%columns].Add(p.Name, line, marks)
	c.lines++
	return nil
}

// styleOf returns the style of a peer's line, which is to be added.
func (c *chart) styleOf(p *results.Peer) style {
	if own, ok := ownStyles[p.Name]; ok {
		return own
	}
	c.others++
	return styles[(c.others-1)%len(styles)]
}

// style tells a peer's line from others.
type style struct {
	color  color.Color
	dashes []vg.Length
	shape  draw.GlyphDrawer
}

// Colors that can be told from each other and from both white and black paper.
var (
	blue   = color.RGBA{0x22, 0x8b, 0xe6, 0xff}
	orange = color.RGBA{0xe8, 0x59, 0x0c, 0xff}
	gray   = color.RGBA{0x86, 0x8e, 0x96, 0xff}
	brown  = color.RGBA{0xa5, 0x71, 0x4e, 0xff}
	green  = color.RGBA{0x37, 0xa1, 0x4a, 0xff}
	teal   = color.RGBA{0x10, 0x98, 0xad, 0xff}
	violet = color.RGBA{0x84, 0x5e, 0xf7, 0xff}
	pink   = color.RGBA{0xd6, 0x33, 0x84, 0xff}
	olive  = color.RGBA{0x8f, 0x9a, 0x00, 0xff}

	dashed = []vg.Length{5, 3}

	ownStyles = map[string]style{
		"FastLocal": {blue, nil, draw.CircleGlyph{}},
		"Paired":    {orange, nil, draw.CircleGlyph{}},
		"Linear":    {olive, nil, draw.CircleGlyph{}},
		"Ribbon":    {olive, dashed, draw.CircleGlyph{}},
		"Legacy":    {blue, dashed, draw.CircleGlyph{}},
		"LevelDB":   {orange, dashed, draw.CircleGlyph{}},
	}
	styles = []style{
		{gray, nil, draw.BoxGlyph{}},
		{brown, nil, draw.BoxGlyph{}},
		{green, nil, draw.TriangleGlyph{}},
		{teal, nil, draw.TriangleGlyph{}},
		{violet, nil, draw.BoxGlyph{}},
		{pink, nil, draw.TriangleGlyph{}},
		{green, dashed, draw.BoxGlyph{}},
		{violet, dashed, draw.TriangleGlyph{}},
		{pink, dashed, draw.BoxGlyph{}},
		{brown, dashed, draw.TriangleGlyph{}},
	}
)

// svg draws the chart. A logarithmic scale begins and ends at a tick.
func (c *chart) svg() ([]byte, error) {
	if ticks, ok := c.Y.Tick.Marker.(logTicks); ok {
		c.Y.Min, c.Y.Max = ticks.around(c.Y.Min, c.Y.Max)
	}
	const row, margin = 16, 12
	legendHeight := vg.Length(margin + row*((c.lines+columns-1)/columns))
	canvas := vgsvg.New(width, height)
	all := draw.New(canvas)
	all.FillPolygon(paper, []vg.Point{{}, {X: width}, {X: width, Y: height}, {Y: height}})
	c.Draw(draw.Crop(all, 8, -14, legendHeight, -8))
	const side = 14
	for i := range c.legends {
		left := vg.Length(side + i*(width-side)/columns)
		c.legends[i].Draw(draw.Crop(all, left, 0, 6, legendHeight-height))
	}
	var text bytes.Buffer
	_, err := canvas.WriteTo(&text)
	return inBothModes(text.Bytes()), err
}

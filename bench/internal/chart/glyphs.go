package chart

import (
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// polygon is a filled marker: its corners, in radii around the point.
type polygon []vg.Point

var (
	triangle  = polygon{{X: -1.2, Y: -0.9}, {X: 1.2, Y: -0.9}, {X: 0, Y: 1.2}}
	diamond   = polygon{{X: 0, Y: 1.3}, {X: 1.3, Y: 0}, {X: 0, Y: -1.3}, {X: -1.3, Y: 0}}
	arrowhead = polygon{{X: -1.2, Y: 0.9}, {X: 1.2, Y: 0.9}, {X: 0, Y: -1.2}}
)

// DrawGlyph draws the marker at a point.
func (g polygon) DrawGlyph(c *draw.Canvas, style draw.GlyphStyle, at vg.Point) {
	var outline vg.Path
	for i, corner := range g {
		to := vg.Point{X: at.X + corner.X*style.Radius, Y: at.Y + corner.Y*style.Radius}
		if i == 0 {
			outline.Move(to)
		} else {
			outline.Line(to)
		}
	}
	outline.Close()
	c.SetColor(style.Color)
	c.Fill(outline)
}

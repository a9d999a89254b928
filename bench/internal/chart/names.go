package chart

import (
	"cmp"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// names are the names of series, which stand to the right of their last points, or where another series is in the way
// to the left and lower, or to the left.
type names []Series

// beside is how far a name is from its point.
const beside = radius + 2

// name is where one name stands: x is its left end.
type name struct {
	text        string
	x, y, width vg.Length
}

// Plot draws the names.
func (n names) Plot(c draw.Canvas, p *plot.Plot) {
	toX, toY := p.Transforms(&c)
	at := func(xy plotter.XY) vg.Point { return vg.Point{X: toX(xy.X), Y: toY(xy.Y)} }
	var all []*name
	for _, s := range n {
		end, width := at(s.last()), style(s.Name).Width(withRoom(s.Name))
		one := &name{text: withRoom(s.Name), width: width}
		left := end.X - radius - width
		for _, place := range []vg.Point{{X: end.X + beside, Y: end.Y}, {X: left, Y: end.Y - textSize}, {X: left, Y: end.Y}} {
			one.x, one.y = place.X, place.Y
			if !slices.ContainsFunc(n, func(s Series) bool {
				return slices.ContainsFunc(slices.Concat(s.Line, s.Points), func(xy plotter.XY) bool { return one.hides(at(xy)) })
			}) {
				break
			}
		}
		all = append(all, one)
	}
	apart(all, c.Max.Y)
	for i, s := range n {
		c.FillText(style(s.Name), vg.Point{X: all[i].x, Y: all[i].y}, all[i].text)
	}
}

// GlyphBoxes makes room for names to the right.
func (n names) GlyphBoxes(p *plot.Plot) (boxes []plot.GlyphBox) {
	for _, s := range n {
		box := style(s.Name).Rectangle(withRoom(s.Name)).Add(vg.Point{X: beside})
		boxes = append(boxes, plot.GlyphBox{X: p.X.Norm(s.last().X), Y: p.Y.Norm(s.last().Y), Rectangle: box})
	}
	return boxes
}

func (s Series) last() plotter.XY { return s.Line[len(s.Line)-1] }

func style(filter string) text.Style {
	face := plotter.DefaultFont
	face.Size = textSize
	return text.Style{Color: Color(filter), Font: face, YAlign: draw.YCenter, Handler: plot.DefaultTextHandler}
}

// hides reports whether a point would be under the name.
func (n *name) hides(at vg.Point) bool {
	const half = textSize/2 + radius
	return at.X > n.x-radius && at.X < n.x+n.width && at.Y > n.y-half && at.Y < n.y+half
}

// apart moves names up and down by as much until none overlap, and none is above the top, where the title is.
func apart(all []*name, top vg.Length) {
	const gap, most = 1.3 * textSize, 100
	order := slices.Clone(all)
	slices.SortStableFunc(order, func(a, b *name) int { return cmp.Compare(a.y, b.y) })
	for range most {
		for _, n := range order {
			n.y = min(n.y, top)
		}
		for i, upper := range order {
			for _, lower := range order[:i] {
				overlap := gap - (upper.y - lower.y)
				if overlap > 0 && upper.x < lower.x+lower.width && lower.x < upper.x+upper.width {
					upper.y, lower.y = upper.y+overlap/2, lower.y-overlap/2
				}
			}
		}
	}
}

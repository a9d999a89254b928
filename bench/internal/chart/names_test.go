package chart

import (
	"bytes"
	"slices"
	"strconv"
	"testing"

	"gonum.org/v1/plot/plotter"
)

// TestApart: names at one place end around it.
func TestApart(t *testing.T) {
	all := []*name{{y: 100, width: 50}, {y: 100, width: 50}, {y: 101, width: 50}}
	apart(all, 101)
	if top := all[len(all)-1].y; top > 102 {
		t.Errorf("a name at %v is in the title", top)
	}
	for i, upper := range all[1:] {
		if lower := all[i]; upper.y-lower.y < textSize {
			t.Errorf("names at %v and %v overlap", lower.y, upper.y)
		}
	}
}

// TestDarkMode: black text, which has no color of its own in the SVG, gets that of the mode.
func TestDarkMode(t *testing.T) {
	c := New("title", "x", "y")
	c.Series(Series{Name: "Linear", Points: plotter.XYs{{X: 1, Y: 1}}})
	svg, err := c.SVG()
	if err != nil || !bytes.Contains(svg, []byte("\ntext { fill: ")) || bytes.Contains(svg, []byte("fill:#000000")) {
		t.Errorf("%v, or black text in dark mode:\n%s", err, svg)
	}
}

// TestNamesFitInWiderFonts: where a browser has none of the SVG's fonts, it takes one that is up to a seventh wider.
func TestNamesFitInWiderFonts(t *testing.T) {
	New("title", "x", "y") // sets the font
	for _, text := range []string{"Linear", "binary fuse", "Linear, 12 bits/key", "bits-and-blooms"} {
		if given, needed := style(text).Width(withRoom(text)), style(text).Width(text)*8/7; given < needed {
			t.Errorf("%q has room for %v, and needs %v", text, given, needed)
		}
	}
}

// TestLabelsAreApart: of large numbers only every second is shown.
func TestLabelsAreApart(t *testing.T) {
	c := New("title", "x", "y")
	c.X.Min, c.X.Max = 120_000, 190_000
	ticks := Ticks(func(x float64) string { return strconv.Itoa(int(x)) }, 120_000, 130_000, 140_000, 150_000, 160_000, 170_000, 180_000, 190_000)
	var shown []float64
	for _, tick := range (apartLabels{ticks, &c.X}).Ticks(c.X.Min, c.X.Max) {
		if tick.Label != "" {
			shown = append(shown, tick.Value)
		}
	}
	if !slices.Equal(shown, []float64{120_000, 140_000, 160_000, 180_000}) {
		t.Errorf("shown: %v", shown)
	}
}

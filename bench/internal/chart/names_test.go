package chart

import (
	"bytes"
	"testing"

	"gonum.org/v1/plot/plotter"
)

// TestApart: names at one place end around it.
func TestApart(t *testing.T) {
	all := []*name{{y: 100, width: 50}, {y: 100, width: 50}, {y: 101, width: 50}}
	apart(all)
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

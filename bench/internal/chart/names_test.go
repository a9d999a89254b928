package chart

import (
	"bytes"
	"testing"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
)

// TestApart: names at one place end around it, and one beside them stays.
func TestApart(t *testing.T) {
	all := []*name{{y: 100, width: 50}, {y: 100, width: 50}, {y: 101, width: 50}, {x: 60, y: 100, width: 50}}
	apart(all)
	for i, upper := range all[1:3] {
		if lower := all[i]; upper.y-lower.y < textSize {
			t.Errorf("names at %v and %v overlap", lower.y, upper.y)
		}
	}
	if middle := (all[0].y + all[1].y + all[2].y) / 3; middle < 99 || middle > 102 {
		t.Errorf("names moved to %v", middle)
	}
	if all[3].y != 100 {
		t.Errorf("a name that nothing overlaps moved to %v", all[3].y)
	}
}

// TestHides: another series' point is under a name or beside it.
func TestHides(t *testing.T) {
	n := &name{x: 10, y: 100, width: 50}
	for at, want := range map[vg.Point]bool{{X: 30, Y: 103}: true, {X: 70, Y: 100}: false, {X: 30, Y: 120}: false} {
		if n.hides(at) != want {
			t.Errorf("%v: %v, want %v", at, !want, want)
		}
	}
}

// TestDarkMode: black text, which has no color of its own in the SVG, gets that of the mode.
func TestDarkMode(t *testing.T) {
	c := New("title", "x", "y")
	line := plotter.XYs{{X: 1, Y: 1}, {X: 2, Y: 2}}
	if err := c.Series(Series{Name: "Linear", Line: line, Points: line}); err != nil {
		t.Fatal(err)
	}
	svg, err := c.SVG()
	if err != nil || !bytes.Contains(svg, []byte("\ntext { fill: ")) || bytes.Contains(svg, []byte("fill:#000000")) {
		t.Errorf("%v, or black text in dark mode:\n%s", err, svg)
	}
}

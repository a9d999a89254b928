package asm

import (
	"testing"

	"github.com/simdbloom/simdbloom/fallback"
)

// TestLinearThresholds: a header's threshold divides products by whether its line holds their key.
func TestLinearThresholds(t *testing.T) {
	thresholds := linearThresholds.Of(fillLinearThresholds)
	for header := range 256 {
		for place := range uint64(64) {
			for _, low := range []uint64{place << 26, (place+1)<<26 - 1} {
				_, order := fallback.LinearPlace(1, uint32(low))
				if holds := fallback.LinearHolds(byte(header), order); holds != (low >= thresholds[header]) {
					t.Fatalf("header %#x, product %#x: a threshold of %#x, but %v", header, low, thresholds[header], holds)
				}
			}
		}
	}
}

// TestMainSections: both layers have nearly all keys in the same section.
func TestMainSections(t *testing.T) {
	one, two := [2]uint32{0, 9}, [2]uint32{7, 8}
	for _, c := range []struct {
		cut    int
		layers [][2]uint32
		want   int // the section, or -1
	}{
		{0, [][2]uint32{one}, -1},
		{0, [][2]uint32{one, one}, 1},
		{63, [][2]uint32{two}, -1},
		{63, [][2]uint32{two, two}, 0},
		{63, [][2]uint32{two, one, two}, -1},
		{63, [][2]uint32{one, two, two}, -1},
		{20, [][2]uint32{one, one, two}, 1},
		{59, [][2]uint32{two, two, one}, 0},
		{58, [][2]uint32{two, two, one}, -1},
		{1, [][2]uint32{two, two}, -1},
	} {
		layers, ok := fallback.NewLinearLayers(c.layers, c.cut, 9)
		if !ok {
			t.Fatal("no such layers")
		}
		l := &linearFilter{layers: layers}
		if got := l.findMains(); got != (c.want >= 0) {
			t.Errorf("cut at %d, %v: %v", c.cut, c.layers, got)
		}
		for layer, main := range l.mains {
			if c.want < 0 {
				break
			}
			section, lines, share := layers.Section(layer, c.want)
			last := (main.width-1)*main.multiplier + main.place
			if main.width != share<<26 || main.place>>32 != uint64(section.First) || last>>32 >= uint64(section.First)+lines {
				t.Errorf("cut at %d, %v: layer %d has %+v, its section %+v with %d lines", c.cut, c.layers, layer, main, section, lines)
			}
		}
	}
}

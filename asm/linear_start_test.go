package asm

import (
	"testing"

	"github.com/simdbloom/simdbloom/fallback"
)

// TestSumsCoverTails: a lookup makes at least the sums that its section's lines have, and none where the first layer
// has one section, whose lines have no tail.
func TestSumsCoverTails(t *testing.T) {
	for r := range fallback.MostLinearBits + 1 {
		for cut := range 64 {
			longer := uint32(0)
			if cut > 0 {
				longer = 100
			}
			layers, ok := fallback.NewLinearLayers([][2]uint32{{longer, 100}, {0, 1}}, cut, r)
			if !ok {
				continue
			}
			start := newLinearStart(&layers)
			for i, sums := range start.sums {
				if own := linearSumsOf(layers.Bits(i)).used; int(sums) < own || cut == 0 && i == 1 && int(sums) != own {
					t.Errorf("%d bits, cut at %d, section %d: %d sums, but %d words have a tail", r, cut, i, sums, own)
				}
			}
		}
	}
}

package linear

import (
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/fallback"
)

// EstimatedFPR returns the rate of a linear filter with layers: its headers say which share of the
// lookups ends in each section. Those that no layer answers are false positives.
func EstimatedFPR(kernel *asm.Kernel) float64 {
	layers := kernel.Shape().Linear
	if layers.Number() == 0 {
		return 0
	}
	headers := kernel.Body()[layers.NumLines()*asm.BlockBytes:]
	share, first := 1.0, 0.0 // share goes on to the layer, first ended in first sections
	for layer := range layers.Number() {
		ended := 0.0 // of the lookups that reach the layer
		for section := range 2 {
			s, lines, hashes := layers.Section(layer, section)
			if hashes == 0 {
				continue
			}
			own := float64(hashes) / 64 * shareHeld(headers[s.First:][:lines], uint64(s.Multiplier)*hashes)
			ended += own
			if section == 0 {
				first += share * own
			}
		}
		share *= 1 - ended
	}
	return rateOf([2]int{layers.Bits(0), layers.Bits(1)}, first, share)
}

// shareHeld returns the share of a section's hashes that its lines do not bump. The lines have 64 places each in
// their orders, but the last may have fewer; places has the places of all lines.
func shareHeld(headers []byte, places uint64) float64 {
	held := uint64(0)
	for i, header := range headers {
		held += max(min(64, places-64*uint64(i)), fallback.LinearPlacesBelow(header)) - fallback.LinearPlacesBelow(header)
	}
	return float64(held) / float64(places)
}

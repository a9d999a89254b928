package asm

import "github.com/simdbloom/simdbloom/fallback"

// linearStart is the sections of the first layer, as kernels for one key take them.
type linearStart struct {
	cuts        [2]uint64 // what is subtracted from the hashes of a section
	multipliers [2]uint64
	places      [2]uint64 // added to the product of the whole low half: the section's first line, less the product of the cut
}

func newLinearStart(layers *fallback.LinearLayers) (start linearStart) {
	for i := range start.cuts {
		section, _, share := layers.Section(0, i)
		start.cuts[i], start.multipliers[i] = (64-share)<<26*uint64(i), uint64(section.Multiplier)
		start.places[i] = uint64(section.First)<<32 - start.cuts[i]*start.multipliers[i]
	}
	return start
}

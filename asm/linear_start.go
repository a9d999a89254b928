package asm

import "github.com/simdbloom/simdbloom/fallback"

// linearStart is the first two layers, as kernels for one key and for a few take them.
type linearStart struct {
	layers [2]linearPlaces
	sums   [2]uint32 // one key: how many of a tail are made in the first layer's sections
}

// linearPlaces is the sections of a layer.
type linearPlaces struct {
	cuts        [2]uint64 // subtracted from the hashes of a section
	multipliers [2]uint64
	places      [2]uint64 // added to the product of the whole low half: the section's first line, less the product of the cut
}

// In the section whose lines have the shorter tail, one key needs fewer sums. To make fewer pays only if the processor
// predicts the key's section: if the smaller section has at most predictedShare 64ths of the keys for each sum that is
// saved. With 22.8 bits per key, 12 64ths save four, and one key takes 10.7 ns instead of 12.3. With 24 64ths that save
// two it would take 12.0 instead of 10.0. To save one sum never pays (Zen 4, 16 KiB).
const predictedShare = 5

func newLinearStart(layers *fallback.LinearLayers) (start linearStart) {
	for layer := range min(len(start.layers), layers.Number()) {
		of := &start.layers[layer]
		for i := range of.cuts {
			section, _, share := layers.Section(layer, i)
			of.cuts[i], of.multipliers[i] = (64-share)<<cutShift*uint64(i), uint64(section.Multiplier)
			of.places[i] = uint64(section.First)<<32 - of.cuts[i]*of.multipliers[i]
		}
	}
	for i := range start.sums {
		start.sums[i] = uint32(linearSumsOf(layers.Bits(i)).used)
	}
	_, _, share := layers.Section(0, 0)
	fewer, more := min(start.sums[0], start.sums[1]), max(start.sums[0], start.sums[1])
	if few := min(share, 64-share); few > 0 && (few > uint64(predictedShare*(more-fewer)) || more-fewer < 2) {
		start.sums = [2]uint32{more, more}
	}
	return start
}

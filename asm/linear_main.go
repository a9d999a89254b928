package asm

import (
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/tables"
)

// linearMain is the section of one of the first two layers that has all keys, or nearly all: the second one if it is
// alone, or the first one.
type linearMain struct {
	width      uint64 // low halves of its hashes are below it
	multiplier uint64
	place      uint64 // its first line, above 32 zeros
}

// mostInOther is how many 64ths of the keys may be in the other section. One key in 16 KiB takes .81 of the time with
// none (R = 8, 8.4 ns), and .80 with 1 (R = 7 and 8, 9.6 ns). To a second section that is the main one, a hash must be
// cut: with 1 64th in the first one, it would take .96, and with 5 1.1 (Emerald Rapids, AVX-512).
const mostInOther = 5

// findMains finds the main sections of the first two layers. It reports false if one has none.
func (l *linearFilter) findMains() bool {
	if l.layers.Number() < len(l.mains) {
		return false
	}
	main := 0
	if _, _, share := l.layers.Section(0, 0); share == 0 {
		main = 1
	}
	for layer := range l.mains {
		section, _, share := l.layers.Section(layer, main)
		if share < uint64(64-(1-main)*mostInOther) {
			return false
		}
		l.mains[layer] = linearMain{share << cutShift, uint64(section.Multiplier), uint64(section.First) << 32}
	}
	l.mainShape, l.thresholds = l.shapes[main], linearThresholds.Of(fillLinearThresholds)
	return true
}

const cutShift = 26 // from 64ths to low halves of hashes and products

// linearThresholds has of each header how large the low half of a product must be for its line to hold the key.
var linearThresholds tables.Table[[256]uint64]

func fillLinearThresholds(thresholds *[256]uint64) {
	for header := range thresholds {
		thresholds[header] = fallback.LinearPlacesBelow(byte(header)) << cutShift
	}
}

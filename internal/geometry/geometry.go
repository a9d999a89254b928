// Package geometry reads facts from a filter's bytes that a Filter does not have, for the command, for measurements and
// for tests.
package geometry

import (
	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/formats"
	"github.com/simdbloom/simdbloom/internal/formats/contents"
	"github.com/simdbloom/simdbloom/internal/formats/linear"
)

// Of returns the contents of a filter's bytes, which are read by its name. Numbers that its format does not have are 0.
func Of(f *simdbloom.Filter) (c contents.Contents) {
	if read := formats.ReaderNamed(asm.Format(f.Format()), formats.BatchBlocksOf(f.Name())); read != nil {
		c, _ = read(f.Bytes())
		c.Decide(f.Hash())
	}
	return c
}

// layers returns the layers of a Linear filter, none of another one.
func layers(f *simdbloom.Filter) (l fallback.LinearLayers) {
	if f.Format() == simdbloom.Linear {
		c := Of(f)
		l = linear.LayersOf(&c)
	}
	return l
}

// FingerprintBits returns the number of bits in a Linear filter's fingerprints. Some keys have one of the next longer
// length. It is 0 for other filters and without keys.
func FingerprintBits(f *simdbloom.Filter) int {
	l := layers(f)
	if l.Number() == 0 {
		return 0
	}
	return l.Bits(1)
}

// LongerFingerprints returns how many 64ths of the keys of a Linear filter have longer fingerprints, in the layers of
// many keys.
func LongerFingerprints(f *simdbloom.Filter) (share int) {
	l := layers(f)
	for layer := range l.Number() {
		_, _, hashes := l.Section(layer, 0)
		share = max(share, int(hashes))
	}
	return share
}

// Layers returns the number of lines in each layer of a Linear filter.
func Layers(f *simdbloom.Filter) (lines []int) {
	l := layers(f)
	for layer := range l.Number() {
		_, first, _ := l.Section(layer, 0)
		_, second, _ := l.Section(layer, 1)
		lines = append(lines, int(first)+int(second))
	}
	return lines
}

//go:build (amd64 || arm64) && !purego

package asm

import (
	"math"
	"testing"
)

// TestPrefetchOfAnyPlaces: nothing is read, so no place is out of range, and no words are needed.
func TestPrefetchOfAnyPlaces(t *testing.T) {
	places := []uint64{0, 7, 8, 511, 512, 1 << 20, 1 << 40, 1 << 63, math.MaxUint64 - 8, math.MaxUint64}
	for _, words := range [][]byte{nil, {}, make([]byte, 1), make([]byte, 4096)} {
		for n := range len(places) + 1 {
			PrefetchBits(words, places[:n])
			PrefetchBits(words, places[len(places)-n:])
		}
	}
}

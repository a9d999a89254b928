package linear

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/fallback"
)

// TestTrailerOfTheLargest: filters of 2^32-1 lines have a right trailer, and larger ones have none.
func TestTrailerOfTheLargest(t *testing.T) {
	for lines, want := range map[uint64]string{math.MaxUint32: "", 1 << 32: "the layers do not add up to the filter's size"} {
		trailer := AppendTrailer(nil, [][2]uint32{{0, math.MaxUint32}, {0, uint32(lines - math.MaxUint32)}}[:1+lines>>32], 0, 8)
		if _, flaw := TrailerOf(trailer, 65*lines+uint64(len(trailer))); flaw != want {
			t.Errorf("%d lines: %q", lines, flaw)
		}
	}
}

// TestReadAcceptsTheLayersThatExist: Read counts the lines of layers without making these, so it must accept the
// layers, and the size of their lines, that package fallback does, and LayersOf must return them.
func TestReadAcceptsTheLayersThatExist(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	accepted := 0
	for range 50_000 {
		multipliers := make([][2]uint32, r.IntN(5))
		for i := range multipliers {
			multipliers[i] = [2]uint32{r.Uint32N(3) * r.Uint32N(9), min(1, r.Uint32N(50)) * (1 + r.Uint32N(9))}
		}
		cut, bits := r.IntN(2)*r.IntN(66), 1+r.IntN(fallback.MostLinearBits+1)
		layers, exist := fallback.NewLinearLayers(multipliers, cut, bits)
		size := layers.NumLines() * (asm.BlockBytes + 1)
		size += max(-size, r.IntN(2)*(r.IntN(131)-65))
		data := AppendTrailer(make([]byte, size), multipliers, cut, bits)

		c, flaw := Read(data)
		want := exist && size == layers.NumLines()*(asm.BlockBytes+1)
		if (flaw == "") != want {
			t.Fatalf("%d bytes, %d bits, cut %d, layers %d: flaw %q, accepted: %v", size, bits, cut, multipliers, flaw, want)
		}
		if want {
			accepted++
			if of := LayersOf(&c); of != layers {
				t.Fatalf("%d bits, cut %d, layers %d: read as %v", bits, cut, multipliers, of)
			}
		}
	}
	if accepted < 5_000 {
		t.Errorf("only %d filters are right", accepted)
	}
}

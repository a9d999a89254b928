package asm_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/test/naive"
)

// layersOf returns the layers that a linear filter's bytes say.
func layersOf(of naive.LinearFilter) fallback.LinearLayers {
	layers, ok := fallback.NewLinearLayers(of.Multipliers, of.J, of.R)
	if !ok {
		panic("the format has no such layers")
	}
	return layers
}

// linearBody returns a filter's lines and headers.
func linearBody(of naive.LinearFilter) []byte { return slices.Concat(of.Lines, of.Headers) }

// linearShapes are layers that filters of crafted bytes may have: the cut, and the multipliers.
// Fingerprints of 32 bits have no cut.
var linearShapes = []naive.LinearFilter{
	{Multipliers: [][2]uint32{{0, 1}}},
	{J: 32, Multipliers: [][2]uint32{{6, 9}}},
	{J: 1, Multipliers: [][2]uint32{{90, 70}, {9, 9}, {0, 2}, {0, 1}}},
	{J: 63, Multipliers: [][2]uint32{{90, 70}, {0, 9}, {3, 2}}},
	{J: 20, Multipliers: slices.Repeat([][2]uint32{{5, 4}}, 16)},
	// Main sections in the first two layers: alone, and beside another one of the fewest keys and of the most.
	{Multipliers: [][2]uint32{{0, 90}, {0, 20}, {0, 3}}},
	{J: 63, Multipliers: [][2]uint32{{90, 70}, {20, 64}}},
	{J: 59, Multipliers: [][2]uint32{{90, 80}, {20, 9}, {0, 4}, {0, 1}}},
}

// craftedLinear returns a filter of a shape with lines of random bits. Thresholds are 0, low, high
// or any.
func craftedLinear(r *rand.Rand, shape naive.LinearFilter, bits, thresholds int) naive.LinearFilter {
	of := naive.LinearFilter{R: bits, J: shape.J, Multipliers: slices.Clone(shape.Multipliers)}
	if bits == fallback.MostLinearBits {
		of.J = 0
	}
	lines := uint64(0)
	for i := range of.Multipliers {
		if of.J == 0 {
			of.Multipliers[i][0] = 0
		}
		a, b := naive.LinearSections(of.Multipliers[i], of.J)
		lines += a + b
	}
	of.Lines, of.Headers = randomBody(r, int(lines)*asm.BlockBytes), randomBody(r, int(lines))
	for i, header := range of.Headers {
		seed := header & 3
		switch thresholds {
		case 0:
			of.Headers[i] = seed
		case 1:
			of.Headers[i] = byte(r.IntN(8))<<2 | seed
		case 2:
			of.Headers[i] = byte(56+r.IntN(8))<<2 | seed
		}
	}
	return of
}

// clearSlots makes all slots zero in one line of the given number. These lines hold the
// hashes whose fingerprint is zero.
func clearSlots(of naive.LinearFilter, every int) {
	for line := 0; line < len(of.Headers); line += every {
		clear(of.Lines[line*asm.BlockBytes:][:asm.BlockBytes])
	}
}

// solve gives a filter lines that hold most of the hashes. Every other line has a wrong bit, so
// that about half of its hashes are not found.
func solve(random *rand.Rand, of naive.LinearFilter, hashes []uint64) {
	layers := layersOf(of)
	var solver fallback.LinearSolver
	keys := make([]uint64, len(hashes))
	for i, hash := range hashes {
		keys[i] = fallback.LinearMix(hash)
	}
	for layer := range layers.Number() {
		lists := make(map[uint32][]uint64) // by line
		sections := [2]fallback.LinearSection{}
		sections[0], _, _ = layers.Section(layer, 0)
		second, lines, _ := layers.Section(layer, 1)
		sections[1] = second
		_, _, share := layers.Section(layer, 0)
		for _, key := range keys {
			section := 0
			if key>>26&63 >= share {
				section, key = 1, key-share<<26
			}
			line, _ := fallback.LinearPlace(key, sections[section].Multiplier)
			lists[sections[section].First+line] = append(lists[sections[section].First+line], key)
		}
		keys = nil
		for number := sections[0].First; number < second.First+uint32(lines); number++ {
			section := 0
			if number >= second.First {
				section = 1
			}
			line := of.Lines[number*asm.BlockBytes:][:asm.BlockBytes]
			header := fallback.LinearSolve(&solver, line, layers.Bits(section), sections[section].Multiplier, lists[number])
			of.Headers[number] = header
			for _, key := range lists[number] {
				if _, order := fallback.LinearPlace(key, sections[section].Multiplier); order < fallback.LinearPlacesBelow(header) {
					keys = append(keys, fallback.LinearNext(key))
				}
			}
			if number%2 == 0 {
				wrong := random.IntN(8 * asm.BlockBytes)
				line[wrong/8] ^= 1 << (wrong % 8)
			}
		}
	}
}

func TestLinearRefuses(t *testing.T) {
	layers, ok := fallback.NewLinearLayers([][2]uint32{{0, 2}}, 0, 9)
	if !ok {
		t.Fatal("no such layers")
	}
	for _, size := range []int{0, 64, 128, 129, 131, 195} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%d bytes: no panic", size)
				}
			}()
			asm.NewLinear(make([]byte, size), layers)
		}()
	}
	empty := asm.NewLinear(nil, fallback.LinearLayers{})
	if hits := []uint64{5, 5}; empty.Contains(1) || func() bool { empty.ContainsBits(make([]uint64, 65), hits); return hits[0]|hits[1] != 0 }() {
		t.Error("a filter without layers contains a hash")
	}
}

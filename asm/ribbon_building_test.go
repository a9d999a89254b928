package asm_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/test/testmem"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
)

// ribbonFilled fills a band's ranges, each from its parts' hashes in any order, and reports whether
// the equations have a solution.
func ribbonFilled(band *asm.RibbonBand, blocks uint32, seed byte, hashes []uint64, ranges []asm.RibbonRange) bool {
	shape := fallback.NewRibbonShape(0, blocks, seed)
	parts := make([][]uint64, shape.Parts())
	for _, hash := range hashes {
		start, _ := shape.Start(hash)
		part := start / fallback.RibbonPartSlots
		parts[part] = append(parts[part], hash)
	}
	band.Use(make([]uint64, blocks*fallback.RibbonBlockSlots*asm.RibbonBandBytes/8), blocks)
	for i := range ranges {
		from, end := len(parts)*i/len(ranges), len(parts)*(i+1)/len(ranges)
		ranges[i].Begin(band, seed, from, end)
		for _, part := range parts[from:end] {
			if !ranges[i].Add(part) {
				return false
			}
		}
		ranges[i].End()
	}
	for i := range ranges {
		if !ranges[i].Join() {
			return false
		}
	}
	return true
}

// bandHashes are kinds of hashes to fill a band with.
var bandHashes = map[string]func(random *rand.Rand, blocks uint32, n int) []uint64{
	"random": func(random *rand.Rand, _ uint32, n int) []uint64 { return vectors.Hashes(random.Uint64(), n) },
	"some twice": func(random *rand.Rand, _ uint32, n int) []uint64 {
		hashes := vectors.Hashes(random.Uint64(), n)
		return append(hashes, hashes[:n/3]...)
	},
	"a few, often": func(random *rand.Rand, _ uint32, n int) []uint64 {
		return slices.Repeat(vectors.Hashes(random.Uint64(), 1+n/50), 20)
	},
	"crowds": func(random *rand.Rand, blocks uint32, n int) []uint64 {
		return nearSlots(random, blocks, n, 1+random.IntN(60))
	},
	"one slot": func(random *rand.Rand, blocks uint32, n int) []uint64 {
		return nearSlots(random, blocks, min(n, 300), 1)
	},
	"a part": func(random *rand.Rand, blocks uint32, n int) []uint64 {
		return append(nearSlots(random, blocks, n/3, 400), vectors.Hashes(random.Uint64(), n/3)...)
	},
}

// nearSlots returns n hashes whose equations for seed 0 begin in a range of slots.
func nearSlots(random *rand.Rand, blocks uint32, n, slots int) (hashes []uint64) {
	starts := int(blocks-1)*fallback.RibbonBlockSlots + 1
	slots = min(slots, starts)
	first := random.IntN(starts - slots + 1)
	for len(hashes) < n {
		hashes = append(hashes, ribbonHashAt(random, uint32(first+random.IntN(slots)), blocks, 0))
	}
	return hashes
}

// TestRibbonBuilding builds filters of every number of columns from ranges, and compares them with
// those of package fallback, which adds the same hashes one after the other.
func TestRibbonBuilding(t *testing.T) {
	kinds := []string{"random", "some twice", "a few, often", "crowds", "one slot", "a part"}
	eachLevel(t, func(t *testing.T) {
		random := rand.New(rand.NewPCG(1, 2))
		var band asm.RibbonBand
		solved, failed := 0, 0
		for round := range 400 {
			if slow && round%5 > 0 {
				continue
			}
			kind := kinds[round%len(kinds)]
			blocks := uint32(2 + random.IntN(40))
			if round%4 == 0 {
				blocks = uint32(2 + random.IntN(300))
			}
			slots := int(blocks) * fallback.RibbonBlockSlots
			n := slots * (60 + random.IntN(38)) / 100
			hashes := bandHashes[kind](random, blocks, n)
			random.Shuffle(len(hashes), func(i, j int) { hashes[i], hashes[j] = hashes[j], hashes[i] })
			columns := 1 + round%fallback.MostRibbonColumns
			size := (columns*int(blocks) - random.IntN(int(blocks))) * fallback.RibbonSegmentBytes
			if round%7 == 0 {
				size += random.IntN(fallback.RibbonSegmentBytes)
			}
			name := fmt.Sprintf("round %d, %s: %d hashes, %d blocks, %d bytes", round, kind, len(hashes), blocks, size)

			shape := fallback.NewRibbonShape(uint64(size), blocks, 0)
			plain := fallback.RibbonBand{Rows: make([][2]uint64, slots), Results: make([]uint32, slots)}
			want := plain.Add(slots, &shape, hashes, nil)
			parts := (slots + fallback.RibbonPartSlots - 1) / fallback.RibbonPartSlots
			ranges := make([]asm.RibbonRange, 1+random.IntN(parts))
			if got := ribbonFilled(&band, blocks, 0, hashes, ranges); got != want {
				t.Fatalf("%s: a solution: %v", name, got)
			}
			if !want {
				failed++
				continue
			}
			solved++
			body := make([]byte, size)
			fallback.RibbonSolveColumns(body, &shape, &plain, 0, shape.Columns)
			testmem.BesideGuards(t, make([]byte, size), func(got []byte) {
				middle := random.IntN(shape.Columns + 1)
				band.SolveColumns(got, middle, shape.Columns)
				band.SolveColumns(got, 0, middle)
				if !bytes.Equal(got, body) {
					t.Fatalf("%s, from %d ranges: other bytes", name, len(ranges))
				}
			})
		}
		if solved < 40 || failed < 10 {
			t.Errorf("%d of %d filters have a solution", solved, solved+failed)
		}
	})
}

// TestRibbonBuildingVectors adds the vectors' hashes to ranges, also those for which no seed works.
func TestRibbonBuildingVectors(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		var band asm.RibbonBand
		for _, v := range vectors.RibbonSized() {
			hashes, blocks := v.Hashes(), v.NumSlots/fallback.RibbonBlockSlots
			if slow && len(hashes) > 10_000 {
				continue
			}
			ranges := make([]asm.RibbonRange, min(3, 1+int(blocks)*fallback.RibbonBlockSlots/(fallback.RibbonPartSlots+1)))
			seed, ok := v.FirstSeed, false
			for range 256 {
				if ok = ribbonFilled(&band, blocks, seed, hashes, ranges); ok {
					break
				}
				seed++
			}
			if ok != (v.Kind == "ribbon") || ok && seed != v.SeedUsed {
				t.Errorf("%s, n=%d: seed %d, %v", v.Set, v.N, seed, ok)
			}
		}
	})
}

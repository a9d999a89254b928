package fuzz

import (
	"bytes"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/test/naive"
	"github.com/simdbloom/simdbloom/internal/test/testmem"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/ribbon"
)

// FuzzRibbonKernels looks up hashes in any bytes as a Ribbon filter, of any number of columns and blocks. It also
// builds a filter of the hashes with every level's kernels, from several ranges, and looks up in that.
func FuzzRibbonKernels(f *testing.F) {
	addKernels(f, [][]byte{nil, {0xff}, []byte("\xf7\xff\xff\xff\x7f\xff\xef\xff\xff\xfe\xff"), []byte("some bytes")})
	all, p := levels(), newPlaces(f)
	memory := testmem.Between(f, mostBlocks*asm.BlockBytes)
	var band asm.RibbonBand
	f.Fuzz(func(t *testing.T, level, columns, size, place byte, piece, queried []byte, more uint16) {
		defer cpu.Limit(all[int(level)%len(all)])()
		most := int(columns) % (fallback.MostRibbonColumns + 2)
		blocks := uint32(fallback.LeastRibbonBlocks + size%60)
		segments := max(most*int(blocks)-int(place)%int(blocks), 0)
		body, hashes := p.put(min(segments*fallback.RibbonSegmentBytes, len(p.body)-127), place, piece, queried, more)
		of := func(seed byte) kernels {
			return kernels{
				contains: func(body []byte, hash uint64) bool {
					prepared := asm.NewRibbon(body, blocks, seed)
					return prepared.Contains(hash)
				},
				truth: func(body []byte, hash uint64) bool {
					shape := fallback.NewRibbonShape(uint64(len(body)), blocks, seed)
					return fallback.RibbonContains(body, &shape, hash)
				},
				of: func(body []byte) asm.Kernel { return asm.NewRibbon(body, blocks, seed) },
			}
		}
		p.checkLookups(t, of(place), body, hashes, place)

		added := hashes[:min(len(hashes), int(blocks)*fallback.RibbonBlockSlots*9/10)]
		got := memory[len(memory)-len(body):]
		if solved := ribbonOf(body, blocks, place, added); ribbonByKernels(&band, got, blocks, place, added, 1+int(level)/16) != solved {
			t.Fatalf("%d hashes, %d blocks: a solution: not %v", len(added), blocks, solved)
		} else if solved && !bytes.Equal(got, body) {
			t.Fatalf("%d hashes, %d blocks: other bytes", len(added), blocks)
		}
		p.checkLookups(t, of(place), body, hashes, place)
	})
}

// ribbonOf makes body a filter of hashes in plain Go, if their equations have a solution.
func ribbonOf(body []byte, blocks uint32, seed byte, hashes []uint64) (solved bool) {
	shape := fallback.NewRibbonShape(uint64(len(body)), blocks, seed)
	band := fallback.RibbonBand{Rows: make([][2]uint64, shape.Slots), Results: make([]uint32, shape.Slots)}
	if !band.Add(shape.Slots, &shape, hashes, nil) {
		return false
	}
	clear(body)
	fallback.RibbonSolveColumns(body, &shape, &band, 0, shape.Columns)
	return true
}

// ribbonByKernels is ribbonOf by package asm, from a number of ranges.
func ribbonByKernels(band *asm.RibbonBand, body []byte, blocks uint32, seed byte, hashes []uint64, number int) (solved bool) {
	shape := fallback.NewRibbonShape(uint64(len(body)), blocks, seed)
	parts := make([][]uint64, shape.Parts())
	for _, hash := range hashes {
		start, _ := shape.Start(hash)
		parts[start/fallback.RibbonPartSlots] = append(parts[start/fallback.RibbonPartSlots], hash)
	}
	band.Use(make([]uint64, blocks*fallback.RibbonBlockSlots*asm.RibbonBandBytes/8), blocks)
	ranges := make([]asm.RibbonRange, min(number, len(parts)))
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
	clear(body)
	band.SolveColumns(body, 0, shape.Columns)
	return true
}

// FuzzBuildRibbon compares the filters that builders of every level make, concurrently, with one in plain Go, and
// that, if it is small, with the naive one.
func FuzzBuildRibbon(f *testing.F) {
	addBuilds(f)
	all := levels()
	f.Fuzz(func(t *testing.T, bpk float64, seed uint64, n uint16, recipe []byte, options byte) {
		build := func(level cpu.Level, with ...simdbloom.Option) (hashes []uint64, data []byte) {
			defer cpu.Limit(level)()
			b, err := ribbon.NewBuilder(bpk, keyhash.XX64, with...)
			if !accepted(t, bpk, err) {
				return nil, nil
			}
			hashes = feed(b, vectors.Hashes(seed, int(n)), recipe)
			if data, err = b.Finish(); err != nil {
				t.Fatal(err)
			}
			return hashes, data
		}
		hashes, want := build(cpu.Generic)
		if trailer := len(want) - 5; trailer > 0 && want[trailer] == 0xfe && len(hashes) <= mostNaive/4 {
			blocks := int(want[trailer+2]) | int(want[trailer+3])<<8 | int(want[trailer+4])<<16
			data, ok := naive.Ribbon(hashes, blocks*fallback.RibbonBlockSlots, trailer, byte(hashes[0]))
			if !ok || !bytes.Equal(data, want) {
				t.Fatalf("%d hashes, %v bits per key: other bytes than the naive builder's", len(hashes), bpk)
			}
		}
		for _, level := range all {
			added, got := build(level, simdbloom.WithConcurrency(goroutines(options)), simdbloom.WithVerification())
			if !slices.Equal(added, hashes) || !bytes.Equal(got, want) {
				t.Fatalf("%d hashes, %v bits per key, level %v: other bytes than in plain Go", len(hashes), bpk, level)
			}
		}
	})
}

package fallback_test

import (
	"fmt"

	"github.com/simdbloom/simdbloom/fallback"
)

// A filter of one block and one hash.
func Example() {
	const probes = 6
	body := make([]byte, fallback.BlockBytes)
	fallback.FastLocalAdd(body, probes, []uint64{0x1111_2222_3333_4444})
	fmt.Println(fallback.FastLocalContains(body, probes, 0x1111_2222_3333_4444),
		fallback.FastLocalContains(body, probes, 1))
	// Output: true false
}

// A Ribbon filter of two blocks and seven columns.
func ExampleRibbonBand() {
	const blocks, columns, seed = 2, 7, 0
	hashes := []uint64{0x1111_2222_3333_4444, 0x5555_6666_7777_8888}
	body := make([]byte, blocks*columns*fallback.RibbonSegmentBytes)
	shape := fallback.NewRibbonShape(uint64(len(body)), blocks, seed)
	const slots = blocks * fallback.RibbonBlockSlots
	band := fallback.RibbonBand{Rows: make([][2]uint64, slots), Results: make([]uint32, slots)}
	if band.Add(shape.Slots, &shape, hashes, nil) {
		fallback.RibbonSolveColumns(body, &shape, &band, 0, shape.Columns)
	}
	fmt.Println(fallback.RibbonContains(body, &shape, hashes[0]), fallback.RibbonContains(body, &shape, 1))
	// Output: true false
}

// Each half of a band is filled by itself. Equations that the first one has no slots for go beyond it.
func ExampleRibbonRow() {
	const blocks, seed = 2, 0
	shape := fallback.NewRibbonShape(0, blocks, seed)
	var parts [2][]uint64
	for i := range uint64(200) {
		hash := i * 0x9e3779b97f4a7c15
		start, _ := shape.Start(hash)
		half := start / fallback.RibbonBlockSlots
		parts[half] = append(parts[half], hash)
	}
	const slots = blocks * fallback.RibbonBlockSlots
	band := fallback.RibbonBand{Rows: make([][2]uint64, slots), Results: make([]uint32, slots)}
	var beyond []fallback.RibbonRow
	first := band.Add(fallback.RibbonBlockSlots, &shape, parts[0], &beyond)
	second := band.Add(shape.Slots, &shape, parts[1], nil)
	fmt.Println(first, second, band.AddRows(shape.Slots, beyond, nil))
	// Output: true true true
}

// Where the columns of a body are: its first blocks have one less than the others.
func ExampleNewRibbonShape() {
	const blocks = 4
	shape := fallback.NewRibbonShape(30*fallback.RibbonSegmentBytes, blocks, 0)
	fmt.Println(shape.Slots, shape.Columns, shape.Fewer)
	// Output: 512 8 2
}

// A LevelDB filter's bits are numbered by remainders of 32-bit places.
func ExampleModulus() {
	const probes = 6
	body := make([]byte, 100)
	bits := fallback.NewModulus(8 * uint64(len(body)))
	fallback.LevelDBAdd(body, bits, probes, []uint64{0x1111_2222, 0x3333_4444})
	fmt.Println(fallback.LevelDBContains(body, bits, probes, 0x1111_2222), fallback.LevelDBContains(body, bits, probes, 1))
	// Output: true false
}

// A layer whose first section has 16 of 64 hashes, and fingerprints of 11 bits. Those of the second have 10.
func ExampleLinearLayers() {
	layers, ok := fallback.NewLinearLayers([][2]uint32{{80, 72}}, 16, 10)
	fmt.Println(ok, layers.NumLines(), "lines")
	for section := range 2 {
		s, lines, share := layers.Section(0, section)
		fmt.Println(layers.Bits(section), "bits:", lines, "lines from", s.First, "with", share, "of 64 hashes")
	}
	// Output:
	// true 74 lines
	// 11 bits: 20 lines from 0 with 16 of 64 hashes
	// 10 bits: 54 lines from 20 with 48 of 64 hashes
}

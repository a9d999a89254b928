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

// Remainders of divisions by 12, with multiplications.
func ExampleModulus() {
	modulus := fallback.NewModulus(12)
	fmt.Println(modulus.Of(11), modulus.Of(12), modulus.Of(1<<32-1))
	// Output: 11 0 3
}

// A Ribbon filter of two blocks and seven columns.
func ExampleRibbonBand() {
	const blocks, columns, seed = 2, 7, 0
	hashes := []uint64{0x1111_2222_3333_4444, 0x5555_6666_7777_8888}
	body := make([]byte, blocks*columns*fallback.RibbonSegmentBytes)
	shape := fallback.NewRibbonShape(uint64(len(body)), blocks, seed)
	var band fallback.RibbonBand
	band.Begin(blocks * fallback.RibbonBlockSlots)
	if band.Add(&shape, hashes) {
		fallback.RibbonSolve(body, &shape, &band)
	}
	fmt.Println(fallback.RibbonContains(body, &shape, hashes[0]), fallback.RibbonContains(body, &shape, 1))
	// Output: true false
}

// Each half of a band is filled by itself. Equations that the first one has no slots for go beyond it.
func ExampleRibbonRows() {
	const blocks, seed = 2, 0
	shape := fallback.NewRibbonShape(0, blocks, seed)
	var parts [2][]uint64
	for i := range uint64(200) {
		hash := i * 0x9e3779b97f4a7c15
		half := shape.Start(shape.Mix(hash)) / fallback.RibbonBlockSlots
		parts[half] = append(parts[half], hash)
	}
	var band fallback.RibbonBand
	var beyond fallback.RibbonRows
	band.Begin(blocks * fallback.RibbonBlockSlots)
	first := band.AddBelow(fallback.RibbonBlockSlots, &shape, parts[0], &beyond)
	second := band.Add(&shape, parts[1])
	fmt.Println(first, second, band.AddRows(band.Slots(), &beyond, nil))
	// Output: true true true
}

// Where the columns of a body are: its first blocks have one less than the others.
func ExampleNewRibbonShape() {
	const blocks = 4
	shape := fallback.NewRibbonShape(30*fallback.RibbonSegmentBytes, blocks, 0)
	fmt.Println(shape.Slots(), shape.Columns(), shape.Fewer())
	// Output: 512 8 2
}

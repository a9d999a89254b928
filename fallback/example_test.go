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

// Where the columns of a body are: its first blocks have one less than the others.
func ExampleNewRibbonShape() {
	const blocks = 4
	shape := fallback.NewRibbonShape(30*fallback.RibbonSegmentBytes, blocks, 0)
	fmt.Println(shape.Slots(), shape.Columns(), shape.Fewer())
	// Output: 512 8 2
}

package asm_test

import (
	"fmt"

	"github.com/simdbloom/simdbloom/asm"
)

// A Ribbon filter of two blocks and seven columns. Its equations have a solution with one of
// 256 seeds, almost always the first.
func ExampleRibbonBand() {
	const blocks, columns, seed = 2, 7, 0
	hashes := []uint64{0x1111_2222_3333_4444, 0x5555_6666_7777_8888}
	body := make([]byte, blocks*columns*asm.RibbonSegmentBytes)
	var band asm.RibbonBand
	band.Begin(blocks)
	if band.Add(seed, hashes) {
		band.Solve(body)
	}
	f := asm.NewRibbon(body, blocks, seed)
	fmt.Println(f.Contains(hashes[0]), f.Contains(hashes[1]), f.Contains(1))
	// Output: true true false
}

// A filter of two parts, which two goroutines could add at once.
func ExampleRibbonRange() {
	const blocks, columns, seed = 2 * asm.RibbonPartSlots / asm.RibbonBlockSlots, 7, 0
	shape := asm.NewRibbonShape(0, blocks, seed)
	var parts [2][]uint64
	for i := range uint64(7000) {
		hash := i * 0x9e3779b97f4a7c15
		part := shape.Start(shape.Mix(hash)) / asm.RibbonPartSlots
		parts[part] = append(parts[part], hash)
	}
	var band asm.RibbonBand
	band.Use(make([]uint64, blocks*asm.RibbonBlockWords), blocks)
	var ranges [2]asm.RibbonRange
	for i, hashes := range parts {
		ranges[i].Begin(&band, seed, i, i+1)
		fmt.Println(ranges[i].Add(hashes))
		ranges[i].End()
	}
	fmt.Println(ranges[0].Join(), ranges[1].Join())
	body := make([]byte, blocks*columns*asm.RibbonSegmentBytes)
	band.Solve(body)
	f := asm.NewRibbon(body, blocks, seed)
	fmt.Println(f.Contains(parts[0][0]), f.Contains(parts[1][0]), f.Contains(1))
	// Output:
	// true
	// true
	// true true
	// true true false
}

// Where the columns of a body are: its first blocks have one less than the others.
func ExampleRibbonShape() {
	const blocks = 4
	shape := asm.NewRibbonShape(30*asm.RibbonSegmentBytes, blocks, 0)
	fmt.Println(shape.Slots(), shape.Columns(), shape.Fewer())
	// Output: 512 8 2
}

// With one column, half of the keys that were not added are found.
func ExampleRibbon() {
	body := make([]byte, 2*asm.RibbonSegmentBytes) // two blocks of a column of zeros
	f := asm.NewRibbon(body, 2, 0)
	found := 0
	for hash := range uint64(1000) {
		if f.Contains(hash * 0x9e3779b97f4a7c15) {
			found++
		}
	}
	shape := f.Shape()
	fmt.Println(shape.Columns(), found > 400, found < 600)
	// Output: 1 true true
}

// The bytes of a filter without keys in two blocks: a column of zeros, and a trailer that has the
// marker, the ordinal seed and the number of blocks.
func ExampleUsualRibbon() {
	data := append(make([]byte, 2*asm.RibbonSegmentBytes), 0xfe, 0, 2, 0, 0)
	f := asm.UsualRibbon(data)
	fmt.Println(f.OK(), f.Contains(0), f.Contains(5))
	fmt.Println(asm.UsualRibbon(data[1:]).OK())
	// Output:
	// true true false
	// false
}

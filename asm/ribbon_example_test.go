package asm_test

import (
	"fmt"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/fallback"
)

// A Ribbon filter of two parts, which two goroutines could add at once.
func ExampleRibbonRange() {
	const blocks, columns, seed = 2 * fallback.RibbonPartSlots / fallback.RibbonBlockSlots, 7, 0
	shape := fallback.NewRibbonShape(0, blocks, seed)
	var parts [2][]uint64
	for i := range uint64(7000) {
		hash := i * 0x9e3779b97f4a7c15
		start, _ := shape.Start(hash)
		part := start / fallback.RibbonPartSlots
		parts[part] = append(parts[part], hash)
	}
	var band asm.RibbonBand
	band.Use(make([]uint64, blocks*fallback.RibbonBlockSlots*asm.RibbonBandBytes/8), blocks)
	var ranges [2]asm.RibbonRange
	for i, hashes := range parts {
		ranges[i].Begin(&band, seed, i, i+1)
		fmt.Println(ranges[i].Add(hashes))
		ranges[i].End()
	}
	fmt.Println(ranges[0].Join(), ranges[1].Join())
	body := make([]byte, blocks*columns*fallback.RibbonSegmentBytes)
	band.SolveColumns(body, 0, columns)
	f := asm.NewRibbon(body, blocks, seed)
	fmt.Println(f.Contains(parts[0][0]), f.Contains(parts[1][0]), f.Contains(1))
	// Output:
	// true
	// true
	// true true
	// true true false
}

// With one column, half of the keys that were not added are found.
func ExampleNewRibbon() {
	body := make([]byte, 2*fallback.RibbonSegmentBytes) // two blocks of a column of zeros
	f := asm.NewRibbon(body, 2, 0)
	found := 0
	for hash := range uint64(1000) {
		if f.Contains(hash * 0x9e3779b97f4a7c15) {
			found++
		}
	}
	fmt.Println(f.Shape().Ribbon.Columns, found > 400, found < 600)
	// Output: 1 true true
}

// The bytes of a filter without keys in two blocks: a column of zeros, and a trailer that has the
// marker, the ordinal seed and the number of blocks.
func ExampleRibbonMayContain() {
	data := append(make([]byte, 2*fallback.RibbonSegmentBytes), 0xfe, 0, 2, 0, 0)
	other := func([]byte, uint64) bool { return true }
	fmt.Println(asm.RibbonMayContain(data, 0, other), asm.RibbonMayContain(data, 5, other))
	fmt.Println(asm.RibbonMayContain(data[1:], 5, other))
	// Output:
	// true false
	// true
}

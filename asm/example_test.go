package asm_test

import (
	"fmt"

	"github.com/simdbloom/simdbloom/asm"
)

// A filter's blocks, without a trailer: add hashes, then look up a batch of them.
func ExampleNewFastLocal() {
	const probes = 6
	body := make([]byte, 2*asm.BlockBytes)
	asm.FastLocalAdd(body, probes, []uint64{0x1111_2222_3333_4444, 0x5555_6666_7777_8888})

	f := asm.NewFastLocal(body, probes)
	hits := make([]bool, 3)
	f.ContainsBools([]uint64{0x1111_2222_3333_4444, 1, 0x5555_6666_7777_8888}, hits)
	fmt.Println(hits)
	// Output: [true false true]
}

// A paired filter is built in three steps: count the hashes of each block, pair the
// blocks, add the hashes.
func ExampleNewPaired() {
	const batchBlocks, probes = 32, 16
	body := make([]byte, batchBlocks*asm.BlockBytes)
	hashes := []uint64{0x1111_2222_3333_4444, 0x5555_6666_7777_8888}
	counts := make([]uint16, batchBlocks)
	asm.PairedCount(counts, 0, batchBlocks, hashes)
	asm.PairedSetPairs(body, batchBlocks, counts)
	asm.PairedAdd(body, batchBlocks, probes, hashes)

	f := asm.NewPaired(body, batchBlocks, probes)
	fmt.Println(f.Contains(hashes[0]), f.Contains(hashes[1]), f.Contains(1))
	// Output: true true false
}

// A linear filter of one layer of one line, which is solved for its keys.
func ExampleNewLinear() {
	const bits = 16 // of a fingerprint
	body := make([]byte, asm.BlockBytes)
	hashes := []uint64{0x1111_2222_3333_4444, 0x5555_6666_7777_8888}
	asm.LinearSolveLines(new(asm.LinearSolver), body, bits, 1, []int{len(hashes)}, hashes)

	f := asm.NewLinear(body, []uint32{1}, bits)
	fmt.Println(f.Contains(hashes[0]), f.Contains(hashes[1]), f.Contains(1))
	// Output: true true false
}

// Bytes that a database hands over for one lookup: blocks and a trailer.
func ExampleUsualFastLocal() {
	data := make([]byte, asm.BlockBytes, asm.BlockBytes+5)
	asm.FastLocalAdd(data, 6, []uint64{0x1111_2222_3333_4444})
	data = append(data, 0xff, 0, 6, 0, 0)

	f := asm.UsualFastLocal(data)
	fmt.Println(f.OK(), f.Probes(), f.Contains(0x1111_2222_3333_4444), f.Contains(1))
	fmt.Println(asm.UsualFastLocal(data[1:]).OK())
	// Output:
	// true 6 true false
	// false
}

// An empty paired filter in batches of 32 blocks.
func ExampleUsualPaired() {
	data := append(make([]byte, 32*asm.BlockBytes), 1, 16, 0, 0)
	f := asm.UsualPaired(data)
	fmt.Println(f.OK(), f.BatchBlocks(), f.Probes(), f.Contains(1))
	// Output: true 32 16 false
}

// A LevelDB filter of two hashes, whose bytes are any number.
func ExampleLevelDB() {
	const probes = 6
	body := make([]byte, 11)
	hashes := []uint32{0x1111_2222, 0x3333_4444}
	asm.LevelDBAdd(body, probes, hashes)

	f := asm.NewLevelDB(body, probes)
	fmt.Println(f.Contains(hashes[0]), f.Contains(hashes[1]), f.Contains(1))
	// Output: true true false
}

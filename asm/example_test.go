package asm_test

import (
	"fmt"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/keyhash"
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
	fallback.PairedSetPairs(body, batchBlocks, counts)
	asm.PairedAdd(body, batchBlocks, probes, hashes)

	f := asm.NewPaired(body, batchBlocks, probes)
	fmt.Println(f.Contains(hashes[0]), f.Contains(hashes[1]), f.Contains(1))
	// Output: true true false
}

// A linear filter of one layer of one line, which is solved for its keys, and a header.
func ExampleNewLinear() {
	const bits = 16 // of a fingerprint
	body := make([]byte, asm.BlockBytes+1)
	hashes := []uint64{0x1111_2222_3333_4444, 0x5555_6666_7777_8888}
	mixed := []uint64{fallback.LinearMix(hashes[0]), fallback.LinearMix(hashes[1])}
	asm.LinearSolveLines(new(asm.LinearSolver), body[:asm.BlockBytes], body[asm.BlockBytes:], bits, 1, []int{len(mixed)}, mixed)

	layers, _ := fallback.NewLinearLayers([][2]uint32{{0, 1}}, 0, bits)
	f := asm.NewLinear(body, layers)
	fmt.Println(f.Contains(hashes[0]), f.Contains(hashes[1]), f.Contains(1))
	// Output: true true false
}

// A legacy filter's lines, three blocks: add hashes of 32 bits, then look up a batch of them.
func ExampleNewLegacy() {
	const lines, probes = 3, 6
	body := make([]byte, lines*asm.BlockBytes)
	asm.LegacyAdd(body, lines, probes, []uint64{0x1111_2222, 0x5555_6666})

	f := asm.NewLegacy(body, lines, probes)
	hits := make([]bool, 3)
	f.ContainsBools([]uint64{0x1111_2222, 1, 0x5555_6666}, hits)
	fmt.Println(hits)
	// Output: [true false true]
}

// Bytes that a database hands over for one lookup: blocks and a trailer.
func ExampleFastLocalMayContain() {
	data := make([]byte, asm.BlockBytes, asm.BlockBytes+5)
	asm.FastLocalAdd(data, 6, []uint64{0x1111_2222_3333_4444})
	data = append(data, 0xff, 0, 6, 0, 0)

	fmt.Println(asm.FastLocalMayContain(data, 0x1111_2222_3333_4444), asm.FastLocalMayContain(data, 1))
	fmt.Println(asm.FastLocalMayContain(data[1:], 1)) // less than a block
	// Output:
	// true false
	// true
}

// An empty paired filter in batches of 32 blocks.
func ExamplePairedMayContain() {
	data := append(make([]byte, 32*asm.BlockBytes), 1, 16, 0, 0)
	fmt.Println(asm.PairedMayContain(data, 1))
	fmt.Println(asm.PairedMayContain(data[1:], 1)) // less than a batch
	// Output:
	// false
	// true
}

// A LevelDB filter of two hashes, whose bytes are any number.
func ExampleNewLevelDB() {
	const probes = 6
	body := make([]byte, 11)
	hashes := []uint64{0x1111_2222, 0x3333_4444}
	fallback.LevelDBAdd(body, fallback.NewModulus(8*uint64(len(body))), probes, hashes)

	f := asm.NewLevelDB(body, probes)
	fmt.Println(f.Contains(hashes[0]), f.Contains(hashes[1]), f.Contains(1))
	// Output: true true false
}

// A legacy filter of one line, whose trailer has the numbers of probes and of lines.
func ExampleLegacyMayContain() {
	data := make([]byte, asm.BlockBytes, asm.BlockBytes+5)
	asm.LegacyAdd(data, 1, 6, []uint64{0x1111_2222})
	data = append(data, 6, 1, 0, 0, 0)

	unusual := func([]byte, uint64) bool { return true }
	fmt.Println(asm.LegacyMayContain(data, 0x1111_2222, unusual), asm.LegacyMayContain(data, 1, unusual))
	fmt.Println(asm.LegacyMayContain(data[1:], 1, unusual))
	// Output:
	// true false
	// true
}

// A Ribbon filter is built by putting the equations of its keys into a band, here as a single range,
// and solving them column by column.
func ExampleRibbonBand() {
	const blocks, columns, seed = 2, 7, 0
	hashes := []uint64{0x1111_2222_3333_4444, 0x5555_6666_7777_8888}
	var band asm.RibbonBand
	band.Use(make([]uint64, blocks*fallback.RibbonBlockSlots*asm.RibbonBandBytes/8), blocks)
	var all asm.RibbonRange
	all.Begin(&band, seed, 0, 1)
	solvable := all.Add(hashes)
	all.End()

	body := make([]byte, blocks*columns*fallback.RibbonSegmentBytes)
	if solvable && all.Join() {
		band.SolveColumns(body, 0, columns)
	}
	f := asm.NewRibbon(body, blocks, seed)
	fmt.Println(f.Contains(hashes[0]), f.Contains(1))
	// Output: true false
}

// A legacy filter of one line, whose trailer has the numbers of probes and of lines: one key is looked up in its bytes.
func ExampleUsualLegacy() {
	const lines, probes = 1, 6
	data := make([]byte, lines*asm.BlockBytes, lines*asm.BlockBytes+5)
	asm.LegacyAdd(data, lines, probes, []uint64{keyhash.RocksDB32.Sum64([]byte("key"))})
	data = append(data, probes, lines, 0, 0, 0)

	f, ok := asm.UsualLegacy(data)
	fmt.Println(ok, f.ContainsKey([]byte("key")), f.ContainsKey([]byte("another")))
	// Output: true true false
}

// A key's hash, as package keyhash's XX64 has it.
func ExampleKeyHash() {
	key := []byte("apple")
	fmt.Println(asm.XX64.Sum64(key) == keyhash.XX64.Sum64(key))
	// Output: true
}

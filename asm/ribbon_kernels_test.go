package asm_test

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/test/naive"
	"github.com/simdbloom/simdbloom/internal/test/testmem"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
)

// ribbon are the kernels of Ribbon filters of a number of blocks.
func ribbon(blocks uint32, seed byte) kernels {
	of := func(body []byte) asm.Kernel { return asm.NewRibbon(body, blocks, seed) }
	return kernels{
		name: fmt.Sprintf("Ribbon, %d blocks, seed %d", blocks, seed),
		contains: func(body []byte, hash uint64) bool {
			f := of(body)
			return f.Contains(hash)
		},
		containsBits: func(body []byte, hashes, hits []uint64) {
			f := of(body)
			f.ContainsBits(hashes, hits)
		},
		containsBools: func(body []byte, hashes []uint64, hits []bool) {
			f := of(body)
			f.ContainsBools(hashes, hits)
		},
		fallbackContains: func(body []byte, hash uint64) bool {
			shape := fallback.NewRibbonShape(uint64(len(body)), blocks, seed)
			return fallback.RibbonContains(body, &shape, hash)
		},
		naiveContains: func(body []byte, hash uint64) bool {
			trailer := []byte{0xfe, seed, byte(blocks), byte(blocks >> 8), byte(blocks >> 16)}
			return naive.RibbonContains(slices.Concat(body, trailer), hash)
		},
	}
}

// ribbonHashAt returns a hash whose equation starts at the given slot.
func ribbonHashAt(r *rand.Rand, slot, blocks uint32, seed byte) uint64 {
	shape := fallback.NewRibbonShape(0, blocks, seed)
	first, rest := bits.Div64(uint64(slot), 0, shape.Starts)
	if rest > 0 {
		first++
	}
	g := first + r.Uint64N(1<<30)
	inverse := uint64(1)
	for range 6 {
		inverse *= 2 - 0x6193d459236a3a0d*inverse
	}
	return g*inverse ^ shape.Seed
}

// ribbonHashes are random ones, and ones that begin at either end of blocks, at the first and the
// last slot of all, and in the middle of blocks.
func ribbonHashes(r *rand.Rand, n int, blocks uint32, seed byte) []uint64 {
	hashes := vectors.Hashes(r.Uint64(), n)
	for i := 0; i < n; i += 2 {
		slot := r.Uint32N(blocks)*fallback.RibbonBlockSlots + []uint32{0, 1, 63, 64, 65, 127}[r.IntN(6)]
		hashes[i] = ribbonHashAt(r, min(slot, (blocks-1)*fallback.RibbonBlockSlots), blocks, seed)
	}
	copy(hashes[min(n, 7):], []uint64{0, 1, 1<<32 - 1, 1 << 32, 1 << 63, 1<<64 - 1, ribbonHashAt(r, (blocks-1)*fallback.RibbonBlockSlots, blocks, seed)})
	return hashes
}

// solvedRibbon has most of the hashes, up to four fifths of its slots. In one block of four a bit is wrong,
// so that some of its hashes are wrong in one column.
func solvedRibbon(r *rand.Rand, size int, blocks uint32, seed byte, hashes []uint64) []byte {
	body := make([]byte, size)
	shape := fallback.NewRibbonShape(uint64(size), blocks, seed)
	band := fallback.RibbonBand{Rows: make([][2]uint64, shape.Slots), Results: make([]uint32, shape.Slots)}
	room := shape.Slots * 4 / 5
	for i := range hashes[:min(room, len(hashes)*7/8)] {
		if !band.Add(shape.Slots, &shape, hashes[i:i+1], nil) {
			band.Clear(0, shape.Slots) // rare: fewer are contained
		}
	}
	fallback.RibbonSolveColumns(body, &shape, &band, 0, shape.Columns)
	for range (blocks + 3) / 4 {
		if size > 0 {
			body[r.IntN(size)] ^= 1 << r.IntN(8)
		}
	}
	return body
}

// TestRibbonKernels looks up batches of all lengths in solved bodies and in random bytes, at any place, beside
// unreadable pages, for all numbers of columns and of blocks with one less.
func TestRibbonKernels(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		room := testmem.Words(testmem.Between(t, 8*longestTail))
		hits := guardedRoom(t, longestTail)
		for columns := range fallback.MostRibbonColumns + 2 {
			if sampled && columns%3 > 0 {
				continue
			}
			for variant, blocks := range []uint32{2, 3, 11, 70} {
				seed := byte(37*columns + variant)
				r := rand.New(rand.NewPCG(uint64(columns), uint64(blocks)))
				kernel := ribbon(blocks, seed)
				memory := testmem.Between(t, int(blocks)*(columns+1)*fallback.RibbonSegmentBytes+asm.BlockBytes)
				for shape := range 4 {
					fewer := []int{0, 1, int(blocks) - 1, int(blocks) / 2}[shape]
					size := max(int(blocks)*columns-fewer, 0)*fallback.RibbonSegmentBytes + []int{0, 0, 7}[variant%3]
					hashes := ribbonHashes(r, longestTail, blocks, seed)
					contents := solvedRibbon(r, size, blocks, seed, hashes)
					if shape == 3 {
						contents = randomBody(r, size)
					}
					at := []int{0, 16, 23, len(memory) - size}[(shape+variant)%4]
					body := memory[at : at+size : at+size]
					copy(body, contents)
					writable := testmem.ReadOnly(t, memory)
					want := kernel.answers(body, hashes)
					describe := func() string {
						return fmt.Sprintf("%s, %d columns, %d with one less, place %d", kernel.name, columns, fewer, at)
					}
					kernel.checkSingles(t, body, hashes, want, describe)
					kernel.checkLengths(t, room, hits, body, hashes, want, shape, describe)
					writable()
				}
			}
		}
	})
}

// TestRibbonFallback compares package fallback, which kernels are compared with, with the naive reading.
func TestRibbonFallback(t *testing.T) {
	for columns := 1; columns <= fallback.MostRibbonColumns; columns++ {
		r := rand.New(rand.NewPCG(uint64(columns), 5))
		const blocks, seed = 5, 77
		hashes := ribbonHashes(r, 400, blocks, seed)
		body := solvedRibbon(r, (blocks*columns-columns%blocks)*fallback.RibbonSegmentBytes, blocks, seed, hashes)
		kernel := ribbon(blocks, seed)
		found := 0
		for _, hash := range hashes {
			want := kernel.naiveContains(body, hash)
			if kernel.fallbackContains(body, hash) != want {
				t.Fatalf("%d columns: hash %#x: not %v", columns, hash, want)
			}
			if want {
				found++
			}
		}
		if found < len(hashes)/3 {
			t.Errorf("%d columns: only %d of %d hashes are contained: kernels are not tested with hits", columns, found, len(hashes))
		}
	}
}

// TestLongRibbonBatches looks up more hashes than a kernel takes at a time, with prefetching and without.
func TestLongRibbonBatches(t *testing.T) {
	const seed = 200
	lengths := []int{1023, 1024, 1025, 1031, 1032, 2048, 2055, 10_000}
	for i, blocks := range []uint32{9, 3000, 150_000} {
		for _, columns := range []int{4, 7, 13, 24} {
			size := (int(blocks)*columns - int(blocks)/3) * fallback.RibbonSegmentBytes
			if slow && size > 1<<20 || blocks == 150_000 && columns != 7 { // how far a body is, is set
				continue
			}
			batches := newLongBatches(t, size, eachLevelAndDistance)
			r := rand.New(rand.NewPCG(uint64(blocks), uint64(columns)))
			hashes := ribbonHashes(r, slices.Max(lengths), blocks, seed)
			body := batches.body(size, i)
			copy(body, solvedRibbon(r, size, blocks, seed, hashes))
			kernel := ribbon(blocks, seed)
			batches.check(t, kernel, body, hashes, func() []int {
				if slow && size > 1<<20 {
					return nil
				}
				return lengths
			}, func() string { return fmt.Sprintf("%s, %d columns", kernel.name, columns) })
		}
	}
}

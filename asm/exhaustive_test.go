package asm_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/test/testmem"
)

// allOffsets are the places of a body in its first cache line.
func allOffsets() []int {
	if slow {
		return []int{0, 1, 7, 8, 16, 31, 48, 63}
	}
	offsets := make([]int, asm.BlockBytes)
	for i := range offsets {
		offsets[i] = i
	}
	return offsets
}

func someOffsets() []int {
	if slow {
		return []int{0, 63}
	}
	return []int{0, 1, 7, 8, 16, 31, 48, 63}
}

func TestFastLocalExhaustively(t *testing.T) {
	testEveryExhaustively(t, everyFastLocal())
}

func TestLegacyExhaustively(t *testing.T) {
	testEveryExhaustively(t, everyLegacy())
}

// testEveryExhaustively tests kernels of filters without pairs.
func testEveryExhaustively(t *testing.T, kernels []kernels) {
	eachLevel(t, func(t *testing.T) {
		for _, kernel := range kernels {
			offsets := someOffsets()
			if slices.Contains(probeClasses, kernel.probes) {
				offsets = allOffsets()
			}
			for _, blocks := range []int{1, 2, 3, 70} {
				testExhaustively(t, kernel, blocks, offsets)
			}
		}
	})
}

func TestPairedExhaustively(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		for _, kernel := range everyPaired() {
			offsets := someOffsets()
			for batches := 1; batches <= 4; batches++ {
				testExhaustively(t, kernel, batches*kernel.batch, offsets)
				offsets = []int{0, 63}
			}
		}
	})
}

// testExhaustively looks up hashes in a body at each offset, one by one and in batches: every
// length at one offset of four. Hashes and answers, too, begin at changing places of a cache line.
func testExhaustively(t *testing.T, kernel kernels, blocks int, offsets []int) {
	body := kernel.balancedBody(rand.New(rand.NewPCG(uint64(blocks), uint64(kernel.probes))), blocks*asm.BlockBytes)
	hashes := hashesFor(uint64(len(body)))
	want := kernel.answers(body, hashes)
	for i, hash := range hashes {
		if kernel.naiveContains(body, hash) != isSet(want, i) {
			t.Fatalf("%s, %d blocks: hash %#x: fallback is wrong", kernel.name, blocks, hash)
		}
	}

	memory := testmem.Between(t, len(body)+asm.BlockBytes)
	hashScratch := make([]uint64, len(hashes)+8)
	hits := newRoom(len(hashes))
	step := min(4, len(offsets)) // other lengths at the next offset
	for i, offset := range offsets {
		describe := func() string { return fmt.Sprintf("%s, %d blocks, offset %d", kernel.name, blocks, offset) }
		moved := memory[offset : offset+len(body) : offset+len(body)]
		copy(moved, body)
		kernel.checkSingles(t, moved, hashes, want, describe)
		for n := (kernel.probes + blocks + i) % step; n <= longestTail; n += step {
			start := (n + i) % 8
			queried := hashScratch[start : start+n]
			copy(queried, hashes)
			kernel.checkBatch(t, hits, (n/8+9*i)%places, moved, queried, want, describe)
			if !slices.Equal(queried, hashes[:n]) {
				t.Fatalf("%s: looking up changed the hashes", describe())
			}
		}
		if !bytes.Equal(moved, body) {
			t.Fatalf("%s: looking up changed the filter", describe())
		}
		clear(moved)
	}
}

package asm_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/testmem"
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
	eachLevel(t, func(t *testing.T) {
		for k := 1; k <= asm.MaxProbes; k++ {
			offsets := someOffsets()
			if slices.Contains(probeClasses, k) {
				offsets = allOffsets()
			}
			for _, blocks := range []int{1, 2, 3, 70} {
				r := rand.New(rand.NewPCG(uint64(blocks), uint64(k)))
				body := balancedBody(r, k, blocks*asm.BlockBytes)
				testExhaustively(t, fmt.Sprintf("k=%d, %d blocks", k, blocks), fastLocal(k), body, offsets)
			}
		}
	})
}

func TestPairedExhaustively(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		for k := 2; k <= asm.MaxProbes; k++ {
			for _, batch := range []int{32, 128} {
				for batches := 1; batches <= 4; batches++ {
					name := fmt.Sprintf("k=%d, %d batches of %d", k, batches, batch)
					r := rand.New(rand.NewPCG(uint64(batch*batches), uint64(k)))
					body := balancedBody(r, k, batches*batch*asm.BlockBytes)
					for i := 0; i < len(body); i += asm.BlockBytes {
						body[i] = byte(r.Uint32()) // a pair index
					}
					testExhaustively(t, name, paired(batch, k), body, someOffsets())
				}
			}
		}
	})
}

// testExhaustively looks up in a body at each offset, one hash at a time and in
// batches of every length. Hashes and answers begin at changing places of a cache
// line, too.
func testExhaustively(t *testing.T, name string, kernel kernels, body []byte, offsets []int) {
	hashes := hashesFor(uint64(len(body)))
	want := kernel.answers(body, hashes)
	for i, hash := range hashes {
		if kernel.naiveContains(body, hash) != (want[i/64]>>(i%64)&1 != 0) {
			t.Fatalf("%s: hash %#x: fallback is wrong", name, hash)
		}
	}

	room := testmem.Between(t, len(body)+asm.BlockBytes)
	hashRoom := make([]uint64, len(hashes)+8)
	hits := make([]uint64, margin+8+asm.Words(len(hashes))+margin)
	for i, offset := range offsets {
		describe := func() string { return fmt.Sprintf("%s, offset %d", name, offset) }
		moved := room[offset : offset+len(body) : offset+len(body)]
		copy(moved, body)
		kernel.checkSingles(t, moved, hashes, want, describe)
		for n := range longestTail + 1 {
			start := (n + i) % 8
			asked := hashRoom[start : start+n]
			copy(asked, hashes)
			kernel.checkBatch(t, hits, margin+(n/8+i)%8, moved, asked, want, describe)
			if !slices.Equal(asked, hashes[:n]) {
				t.Fatalf("%s: looking up changed the hashes", describe())
			}
		}
		if !bytes.Equal(moved, body) {
			t.Fatalf("%s: looking up changed the filter", describe())
		}
		clear(moved)
	}
}

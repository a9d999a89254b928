package asm_test

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/test/naive"
	"github.com/simdbloom/simdbloom/internal/test/testmem"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
)

func TestAddingExhaustively(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		for _, kernel := range append(everyFastLocal(), everyLegacy()...) {
			for _, blocks := range []int{1, 2, 3, 70} {
				testAdding(t, kernel, blocks)
			}
		}
		for _, kernel := range everyPaired() {
			testAdding(t, kernel, 2*kernel.batch)
		}
	})
}

func testAdding(t *testing.T, kernel kernels, blocks int) {
	r := rand.New(rand.NewPCG(uint64(blocks), 78))
	hashes := hashesFor(uint64(blocks))
	before := make([]byte, blocks*asm.BlockBytes)
	for i := 0; i < len(before); i += asm.BlockBytes {
		before[i] = byte(r.Uint32()) // pair indexes, hostile ones included
	}
	want := slices.Clone(before)
	testmem.BesideGuards(t, before, func(body []byte) {
		for n := range longestTail + 1 {
			copy(body, before)
			kernel.add(body, hashes[:n])
			if n == 0 {
				copy(want, before)
			} else {
				kernel.naiveAdd(want, hashes[n-1])
			}
			if !bytes.Equal(body, want) {
				t.Fatalf("%s, %d blocks: other bits after %d hashes", kernel.name, blocks, n)
			}
		}
	})
}

func TestPairsExhaustively(t *testing.T) { eachLevel(t, testPairs) }

func testPairs(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 79))
	for _, batch := range []int{32, 128} {
		for round := range 200 {
			batches := 1 + round%4
			counts := make([]uint16, batch*batches)
			for i := range counts {
				switch round % 5 {
				case 0: // all equal
				case 1:
					counts[i] = uint16(r.Uint32())
				case 2:
					counts[i] = uint16(i)
				case 3:
					counts[i] = uint16(len(counts) - i)
				default:
					counts[i] = uint16(r.IntN(4)) // many equal ones
				}
			}
			want := make([]byte, len(counts)*asm.BlockBytes)
			naive.PairBlocks(want, batch, counts)
			testmem.BesideGuards(t, make([]byte, len(want)), func(body []byte) {
				for range 2 { // again over what is there
					fallback.PairedSetPairs(body, batch, counts)
					if !bytes.Equal(body, want) {
						t.Fatalf("batches of %d, round %d: other pairs", batch, round)
					}
					for at := 0; at < len(body); at += asm.BlockBytes {
						body[at] ^= byte(r.IntN(batch))
					}
				}
			})
		}
	}
}

func TestCounting(t *testing.T) { eachLevel(t, testCounting) }

func testCounting(t *testing.T) {
	hashes := slices.Repeat(vectors.Hashes(8, 20_000), 4) // counts beyond 2^16 wrap
	for _, blocks := range []uint32{1, 32, 1000, 4096} {
		want := make([]uint16, blocks)
		for _, hash := range hashes {
			want[fallback.Block(hash, blocks)]++
		}
		got := make([]uint16, blocks)
		asm.PairedCount(got, 0, blocks, hashes[:7])
		asm.PairedCount(got, 0, blocks, hashes[7:])
		if !slices.Equal(got, want) {
			t.Errorf("%d blocks: other counts", blocks)
		}
		from, to := blocks/3, blocks-blocks/4
		mine := slices.DeleteFunc(slices.Clone(hashes), func(hash uint64) bool {
			block := fallback.Block(hash, blocks)
			return block < from || block >= to
		})
		got = make([]uint16, to-from)
		asm.PairedCount(got, from, blocks, mine)
		if !slices.Equal(got, want[from:to]) {
			t.Errorf("blocks %d to %d of %d: other counts", from, to, blocks)
		}
	}
}

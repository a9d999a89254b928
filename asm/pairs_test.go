package asm_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/test/testmem"
)

// TestEveryPairOfBlocks pairs each block of a batch with each in turn, itself included. A
// pair's index is never taken for bits of the filter.
func TestEveryPairOfBlocks(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		for _, kernel := range somePaired() {
			testEveryPair(t, kernel)
		}
	})
}

func testEveryPair(t *testing.T, kernel kernels) {
	const batches, perBlock = 3, 2
	blocks := batches * kernel.batch
	r := rand.New(rand.NewPCG(uint64(kernel.batch), uint64(kernel.probes)))
	hashes := make([]uint64, perBlock*blocks)
	for i := range hashes {
		hashes[i] = kernel.hashInBlock(r, i%blocks, blocks, kernel.product(r.IntN(kernel.probes)))
	}
	r.Shuffle(len(hashes), func(a, b int) { hashes[a], hashes[b] = hashes[b], hashes[a] })
	hits := newRoom(len(hashes))
	body := testmem.Between(t, blocks*asm.BlockBytes)
	balanced := kernel.balancedBody(r, len(body))
	for _, background := range []string{"balanced", "full", "empty"} {
		switch background {
		case "balanced":
			copy(body, balanced)
		case "full":
			fill(body, 0xff)
		default:
			fill(body, 0)
		}
		for turn := range kernel.batch {
			for n := range blocks {
				switch n / kernel.batch {
				case 0:
					kernel.pairBlock(body, n, n+turn)
				case 1:
					kernel.pairBlock(body, n, n^turn)
				default:
					kernel.pairBlock(body, n, turn) // all with one
				}
			}
			want := kernel.answers(body, hashes)
			for i, hash := range hashes {
				if answer := isSet(want, i); answer != kernel.naiveContains(body, hash) ||
					background == "full" && !answer || background == "empty" && answer {
					t.Fatalf("%s, %s, turn %d, hash %#x: fallback is wrong", kernel.name, background, turn, hash)
				}
			}
			describe := func() string { return fmt.Sprintf("%s, %s, turn %d", kernel.name, background, turn) }
			kernel.checkSingles(t, body, hashes, want, describe)
			kernel.checkBatch(t, hits, turn%places, body, hashes, want, describe)
		}
	}
}

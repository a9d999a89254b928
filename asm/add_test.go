package asm_test

import (
	"bytes"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/test/testmem"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
)

// collidingHashes have few different products, so that probes look at the same bit: all
// of them, half of them, and so on. A kernel that counts bits instead of ORing them fails.
func collidingHashes(seed uint64, n int) []uint64 {
	r := rand.New(rand.NewPCG(seed, 80))
	hashes := make([]uint64, n)
	for i := range hashes {
		high := uint64(r.Uint32())
		switch i % 4 {
		case 0:
			high = high >> 23 << 23 // the position of probe 0 alone
		case 1:
			high = 1 << (13 + r.IntN(19))
		case 2:
			high = high << (16 + r.IntN(16)) & (1<<32 - 1)
		}
		hashes[i] = high<<32 | uint64(r.Uint32())
		if i%8 >= 4 { // as the distance of a legacy filter's probes
			hashes[i] = high<<32 | uint64(bits.RotateLeft32(uint32(high), 17))
		}
	}
	return hashes
}

// TestAddingKeysWhoseProbesCollide covers every number of probes.
func TestAddingKeysWhoseProbesCollide(t *testing.T) {
	n := 4000
	if slow {
		n = 400
	}
	hashes := append(collidingHashes(1, n), 0, 1<<63, 3<<62, 1<<32)
	eachLevel(t, func(t *testing.T) {
		for _, kernel := range everyKernel() {
			// One by one: another key could set a missing bit.
			body, want := make([]byte, kernel.size(1)), make([]byte, kernel.size(1))
			octet := make([]uint64, 8)
			for i, hash := range hashes {
				clear(body)
				clear(want)
				for j := range octet {
					octet[j] = hash
				}
				if kernel.batch > 1 {
					pair := i % kernel.batch
					kernel.pairBlock(body, int(fallback.Block(hash, uint32(kernel.batch))), pair)
					kernel.pairBlock(want, int(fallback.Block(hash, uint32(kernel.batch))), pair)
				}
				kernel.add(body, octet)
				kernel.naiveAdd(want, hash)
				if !bytes.Equal(body, want) {
					t.Fatalf("%s: other bits of hash %#x", kernel.name, hash)
				}
			}
		}
	})
}

// TestAddingInBatches makes calls of all lengths around those of chunks, for bodies near
// and far, at any address, with hashes beside unreadable memory.
func TestAddingInBatches(t *testing.T) {
	all := append(vectors.Hashes(81, 2500), collidingHashes(82, 2500)...)
	var lengths []int
	for _, at := range []int{8, 24, 64, 96, 160, 1024, 1120, 2048, 2144, 4000} {
		step := 1
		if slow {
			step = 4
		}
		for n := at - 8; n <= at+9; n += step {
			lengths = append(lengths, n)
		}
	}
	hashes := testmem.Words(testmem.Between(t, 8*len(all)))
	hashes = hashes[len(hashes)-len(all):]
	copy(hashes, all)
	eachLevel(t, func(t *testing.T) {
		eachDistance(t, func(t *testing.T) {
			for i, kernel := range someKernels() {
				size := kernel.size(3 * asm.BlockBytes * (1 + 40*(i%2)))
				for _, n := range lengths {
					offset := n % 64
					body, want := make([]byte, 64+size)[offset:][:size], make([]byte, size)
					for block := range size / asm.BlockBytes {
						body[block*asm.BlockBytes] = byte(block * 37)
					}
					copy(want, body)
					kernel.add(body, hashes[len(hashes)-n:])
					kernel.fallbackAdd(want, hashes[len(hashes)-n:])
					if !bytes.Equal(body, want) {
						t.Fatalf("%s, %d bytes, %d behind a line: other bits after %d hashes", kernel.name, size, offset, n)
					}
				}
			}
		})
	})
}

// TestCountingStopsAtAnotherPartsHash puts that hash among many valid ones.
func TestCountingStopsAtAnotherPartsHash(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		const blocks, from, to = 1000, 300, 700
		for _, n := range []int{1, 63, 64, 65, 128, 200, 1000} {
			for _, wrong := range []uint64{0, from<<32/blocks - 1, (to<<32 + blocks - 1) / blocks, 1<<32 - 1} {
				for _, at := range []int{0, n / 2, n - 1} {
					hashes := make([]uint64, n)
					for i := range hashes {
						hashes[i] = ((from+uint64(i)%(to-from))<<32+blocks-1)/blocks | uint64(i)<<32
					}
					counts := make([]uint16, to-from)
					asm.PairedCount(counts, from, blocks, hashes)
					clear(counts)
					hashes[at] = wrong
					func() {
						defer func() {
							if recover() == nil {
								t.Errorf("%d hashes, number %d is %#x: no panic", n, at, wrong)
							}
						}()
						asm.PairedCount(counts, from, blocks, hashes)
					}()
				}
			}
		}
	})
}

package asm_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/testmem"
)

// Random filters seldom have a key of many probes that fails at just one of them,
// so a kernel that forgets a probe gives the right answers to most. Here a key's
// answer depends on one bit, and its neighbours' answers are others.

// probedKeys is the number of keys that are asked about: more than one word's, so
// that each is the last of some batch, in every lane of any register.
const probedKeys = 81

// probedBit returns the bit of its block that a hash's probe looks at.
func probedBit(hash uint64, probe int) uint32 {
	product := uint32(hash >> 32)
	for range probe {
		product *= 0x9e3779b9
	}
	return product >> 23
}

// hashInBlock returns a random hash that belongs to the given block.
func hashInBlock(r *rand.Rand, block, blocks int) uint64 {
	first := (uint64(block)<<32 + uint64(blocks) - 1) / uint64(blocks)
	return uint64(r.Uint32())<<32 | first + r.Uint64N(1<<32/uint64(blocks)-1)
}

func fill(body []byte, b byte) {
	for i := range body {
		body[i] = b
	}
}

// TestEveryProbeCounts has a block for every key, full or with the key's bits
// only, and clears one probe's bit in the blocks of some of them.
func TestEveryProbeCounts(t *testing.T) {
	rounds := 3
	if slow {
		rounds = 1
	}
	eachLevel(t, func(t *testing.T) {
		for k := 1; k <= asm.MaxProbes; k++ {
			for probe := range k {
				r := rand.New(rand.NewPCG(uint64(k), uint64(probe)))
				for range rounds {
					testProbe(t, r, k, probe, 0xff)
					testProbe(t, r, k, probe, 0)
				}
			}
		}
	})
}

func testProbe(t *testing.T, r *rand.Rand, k, probe int, background byte) {
	kernel := fastLocal(k)
	offset := r.IntN(asm.BlockBytes)
	body := make([]byte, offset+probedKeys*asm.BlockBytes)[offset:]
	hits := make([]uint64, margin+asm.Words(probedKeys)+margin)
	hashes := make([]uint64, probedKeys)
	for i := range hashes {
		hashes[i] = hashInBlock(r, i, probedKeys)
		if asm.Block(hashes[i], probedKeys) != uint32(i) {
			t.Fatalf("hash %#x is not in block %d", hashes[i], i)
		}
	}
	pattern := [2]uint64{r.Uint64(), r.Uint64()}
	for _, flip := range []uint64{0, ^uint64(0)} { // each key keeps its bit once, and loses it once
		fill(body, background)
		for i, hash := range hashes {
			kernel.naiveAdd(body, hash)
			if (pattern[i/64]^flip)>>(i%64)&1 == 0 {
				bit := probedBit(hash, probe)
				body[i*asm.BlockBytes+int(bit/8)] &^= 1 << (bit % 8)
			}
		}
		want := []uint64{pattern[0] ^ flip, pattern[1] ^ flip}
		describe := func() string {
			return fmt.Sprintf("k=%d, without bit of probe %d, others %#02x", k, probe, background)
		}
		kernel.checkSingles(t, body, hashes, want, describe)
		for n := range probedKeys + 1 {
			kernel.checkBatch(t, hits, margin, body, hashes[:n], want, describe)
		}
	}
}

// TestOneBitInOneBlock has all keys in one block, where a single bit is clear, or
// a single key's bits are set.
func TestOneBitInOneBlock(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		for k := 1; k <= asm.MaxProbes; k++ {
			testOneBlock(t, k)
		}
	})
}

func testOneBlock(t *testing.T, k int) {
	kernel := fastLocal(k)
	r := rand.New(rand.NewPCG(uint64(k), 80))
	body := testmem.Between(t, asm.BlockBytes)[k : k+asm.BlockBytes]
	hits := make([]uint64, margin+asm.Words(probedKeys)+margin)
	hashes := make([]uint64, probedKeys)
	for i := range hashes {
		hashes[i] = r.Uint64()
	}
	for i, hash := range hashes {
		for probe := range k {
			fill(body, 0xff)
			bit := probedBit(hash, probe)
			body[bit/8] &^= 1 << (bit % 8)
			testTheOneKey(t, kernel, body, hashes, i, false, hits, func() string {
				return fmt.Sprintf("k=%d, bit of key %d's probe %d clear", k, i, probe)
			})
		}
		fill(body, 0)
		kernel.naiveAdd(body, hash)
		testTheOneKey(t, kernel, body, hashes, i, true, hits, func() string {
			return fmt.Sprintf("k=%d, only key %d added", k, i)
		})
	}
}

// testTheOneKey asks about all keys, and about those up to the one in question.
func testTheOneKey(t *testing.T, kernel kernels, body []byte, hashes []uint64, one int, answer bool, hits []uint64, describe func() string) {
	t.Helper()
	want := kernel.answers(body, hashes)
	if want[one/64]>>(one%64)&1 != 0 != answer {
		t.Fatalf("%s: fallback is wrong", describe())
	}
	if kernel.contains(body, hashes[one]) != answer {
		t.Fatalf("%s: alone: not %v", describe(), answer)
	}
	kernel.checkBatch(t, hits, margin, body, hashes[:one+1], want, describe)
	kernel.checkBatch(t, hits, margin, body, hashes, want, describe)
}

// TestFullAndEmptyBodies has one answer for all keys.
func TestFullAndEmptyBodies(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		hashes := hashesFor(81)
		hits := make([]uint64, margin+asm.Words(longestTail)+margin)
		for _, background := range []byte{0, 0xff} {
			for _, blocks := range []int{1, 3} {
				body := make([]byte, blocks*asm.BlockBytes)
				fill(body, background)
				for k := 1; k <= asm.MaxProbes; k++ {
					want := make([]uint64, asm.Words(longestTail))
					for i := range want {
						want[i] = -uint64(background & 1)
					}
					describe := func() string { return fmt.Sprintf("k=%d, %d blocks of %#02x", k, blocks, background) }
					fastLocal(k).checkSingles(t, body, hashes, want, describe)
					for n := range longestTail + 1 {
						fastLocal(k).checkBatch(t, hits, margin, body, hashes[:n], want, describe)
					}
				}
			}
		}
	})
}

package asm_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/test/testmem"
)

// In random filters a key of many probes seldom fails at just one of them, so a kernel that
// forgets a probe gives mostly right answers. Here a key's answer depends on one bit, and
// its neighbours' answers differ from it.

// probedKeys is the number of keys that are looked up: more than one word's, so that each
// is the last of some batch, in every lane of any register.
const probedKeys = 81

// hashesApart returns hashes of which no two have a block in common. The body has
// room for them and builders' pairs, of which hashes belong to either block.
func (k kernels) hashesApart(r *rand.Rand, body []byte, product int) (hashes []uint64) {
	blocks := len(body) / asm.BlockBytes
	taken := make([]bool, blocks)
	for n := 0; len(hashes) < probedKeys; n++ {
		other := k.partner(body, n)
		if taken[n] {
			continue
		}
		taken[other] = true
		hashes = append(hashes, k.hashInBlock(r, [2]int{n, other}[r.IntN(2)], blocks, product))
	}
	return hashes
}

// TestEveryProbeCounts makes blocks for every key, full or with the key's bits only, and
// clears one probe's bit in some of them.
func TestEveryProbeCounts(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		for _, kernel := range everyKernel() {
			for probe := range kernel.probes {
				r := rand.New(rand.NewPCG(uint64(kernel.probes), uint64(probe)))
				testProbe(t, r, kernel, probe, 0xff, probe)
				testProbe(t, r, kernel, probe, 0, probe+1)
			}
		}
	})
}

// testProbe takes every fourth length from the given one on: three probes and more together take every length.
func testProbe(t *testing.T, r *rand.Rand, kernel kernels, probe int, background byte, from int) {
	offset := r.IntN(asm.BlockBytes)
	size := kernel.size(min(kernel.batch, 2) * probedKeys * asm.BlockBytes)
	body, blank := make([]byte, offset+size)[offset:], make([]byte, size)
	fill(blank, background)
	kernel.pair(r, blank)
	hashes := kernel.hashesApart(r, blank, kernel.product(probe))
	hits := newRoom(probedKeys)
	pattern := [2]uint64{r.Uint64(), r.Uint64()}
	for _, flip := range []uint64{0, ^uint64(0)} { // each key keeps its bit once, and loses it once
		want := []uint64{pattern[0] ^ flip, pattern[1] ^ flip}
		copy(body, blank)
		for i, hash := range hashes {
			kernel.naiveAdd(body, hash)
			if !isSet(want, i) {
				clearBit(body, kernel.naiveBits(body, hash)[probe])
			}
		}
		describe := func() string {
			return fmt.Sprintf("%s, without bit of probe %d, others %#02x", kernel.name, probe, background)
		}
		kernel.checkSingles(t, body, hashes, want, describe)
		const step = 4
		for n := from % step; n <= probedKeys; n += step {
			kernel.checkBatch(t, hits, n%places, body, hashes[:n], want, describe)
		}
	}
}

// TestOneBitInOneBlock puts all keys into one block, or into one and its partner, where a
// single bit is clear, or a single key's bits are set.
func TestOneBitInOneBlock(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		for i, kernel := range everyKernel() {
			testOneBlock(t, kernel, i)
		}
	})
}

func testOneBlock(t *testing.T, kernel kernels, variant int) {
	r := rand.New(rand.NewPCG(uint64(variant), 80))
	size := kernel.size(1)
	body := testmem.Between(t, size+asm.BlockBytes)[variant%asm.BlockBytes:][:size]
	blocks := r.Perm(kernel.batch)[:min(kernel.batch, 2)]
	slices.Sort(blocks)
	own, other := blocks[0], blocks[len(blocks)-1]
	if variant/2%2 != 0 { // for half of all numbers of probes, with either batch
		own, other = other, own
	}
	background := func(b byte) {
		fill(body, b)
		kernel.pairBlock(body, own, other)
		kernel.pairBlock(body, other, own)
	}
	hits := newRoom(probedKeys)
	hashes := make([]uint64, probedKeys)
	for i := range hashes {
		hashes[i] = kernel.hashInBlock(r, own, kernel.batch, kernel.product(r.IntN(kernel.probes)))
	}
	step := 3 // so that, in turns, keys are in all of 16 lanes
	if slow {
		step = 5
	}
	for i := variant % step; i < len(hashes); i += step {
		for probe := range kernel.probes {
			background(0xff)
			clearBit(body, kernel.naiveBits(body, hashes[i])[probe])
			kernel.checkTheOne(t, body, hashes, i, false, hits, func() string {
				return fmt.Sprintf("%s, bit of key %d's probe %d clear", kernel.name, i, probe)
			})
		}
		background(0)
		kernel.naiveAdd(body, hashes[i])
		kernel.checkTheOne(t, body, hashes, i, true, hits, func() string {
			return fmt.Sprintf("%s, only key %d added", kernel.name, i)
		})
	}
}

// checkTheOne looks up all keys, and those up to the one that is tested.
func (k kernels) checkTheOne(t *testing.T, body []byte, hashes []uint64, one int, answer bool, hits room, describe func() string) {
	t.Helper()
	want := k.answers(body, hashes)
	if isSet(want, one) != answer {
		t.Fatalf("%s: fallback is wrong", describe())
	}
	if k.contains(body, hashes[one]) != answer {
		t.Fatalf("%s: alone: not %v", describe(), answer)
	}
	k.checkBatch(t, hits, 0, body, hashes[:one+1], want, describe)
	k.checkBatch(t, hits, 0, body, hashes, want, describe)
}

// TestFullAndEmptyBodies expects one answer for all keys, whatever the pairs.
func TestFullAndEmptyBodies(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		hits := newRoom(longestTail)
		for _, kernel := range everyKernel() {
			for _, background := range []byte{0, 0xff} {
				for _, units := range []int{1, 3} {
					testOneAnswer(t, kernel, background, units*kernel.batch, hits)
				}
			}
		}
	})
}

func testOneAnswer(t *testing.T, kernel kernels, background byte, blocks int, hits room) {
	r := rand.New(rand.NewPCG(uint64(kernel.probes), uint64(blocks)))
	body := make([]byte, blocks*asm.BlockBytes)
	fill(body, background)
	kernel.mispair(r, body)
	hashes := hashesFor(81)
	for i := longestTail / 2; i < longestTail; i++ {
		hashes[i] = kernel.hashInBlock(r, r.IntN(blocks), blocks, kernel.product(r.IntN(kernel.probes)))
	}
	want := make([]uint64, asm.Words(longestTail))
	for i := range want {
		want[i] = -uint64(background & 1)
	}
	describe := func() string { return fmt.Sprintf("%s, %d blocks of %#02x", kernel.name, blocks, background) }
	kernel.checkSingles(t, body, hashes, want, describe)
	step := 1
	if slow {
		step = 3
	}
	for n := kernel.probes % step; n <= longestTail; n += step {
		kernel.checkBatch(t, hits, n%places, body, hashes[:n], want, describe)
	}
}

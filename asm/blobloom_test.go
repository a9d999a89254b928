package asm_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/aligned"
	"github.com/simdbloom/simdbloom/internal/test/naive"
	"github.com/simdbloom/simdbloom/internal/test/testmem"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
)

// blobloom is of the filters with the given number of probes, one less than blobloom's k.
func blobloom(probes int) kernels {
	return kernels{
		fmt.Sprintf("Blobloom, %d probes", probes), 1, probes,
		func(body []byte, hash uint64) bool {
			f := asm.NewBlobloom(body, probes)
			return f.Contains(hash)
		},
		func(body []byte, hashes, hits []uint64) {
			f := asm.NewBlobloom(body, probes)
			f.ContainsBits(hashes, hits)
		},
		func(body []byte, hashes []uint64, hits []bool) {
			f := asm.NewBlobloom(body, probes)
			f.ContainsBools(hashes, hits)
		},
		func(body []byte, hashes []uint64) { asm.BlobloomAdd(body, probes, hashes) },
		func(body []byte, hash uint64) bool { return fallback.BlobloomContains(body, probes, hash) },
		func(body []byte, hashes []uint64) { fallback.BlobloomAdd(body, probes, hashes) },
		func(body []byte, hash uint64) bool { return naive.BlobloomContains(body, probes+1, hash) },
		func(body []byte, hash uint64) { naive.BlobloomAdd(body, probes+1, hash) },
		func(body []byte, hash uint64) []uint64 { return naive.BlobloomBits(body, probes+1, hash) },
		fallback.Block, blobloomHashInBlock,
	}
}

// someBlobloom has one of each class.
func someBlobloom() (some []kernels) {
	for _, probes := range probeClasses {
		some = append(some, blobloom(probes))
	}
	return some
}

// blobloomHashInBlock returns a hash that belongs to the given block. The low bits of its halves often are such
// that probes look at few bits, or at the ends of the block.
func blobloomHashInBlock(r *rand.Rand, block, blocks, step int) uint64 {
	high, low := r.Uint32(), r.Uint32()&511
	switch r.IntN(5) {
	case 0: // steps that are 0, 1, 3, 6 and so on, from 0
		high, low = 0, 0
	case 1: // and down
		high, low = 511, 512-r.Uint32N(3)
	case 2: // half a block
		low = 256
	case 3: // the given probe looks at the first bit, or the last
		i := uint32(step + 1)
		high = -r.Uint32N(2) - i*low - (i*i*i-i)/6
	}
	first := (uint64(block)<<32 + uint64(blocks) - 1) / uint64(blocks)
	at := first + r.Uint64N(1<<32/uint64(blocks)-1024)
	return uint64(high)<<32 | ((at+511)&^511 | uint64(low&511))
}

// everyBlobloomProbes are all numbers of probes that have kernels, and some that have none.
func everyBlobloomProbes() (all []int) {
	for probes := 1; probes <= 34; probes++ {
		all = append(all, probes)
	}
	return append(all, 64, 65, asm.MostBlobloomProbes-1, asm.MostBlobloomProbes)
}

// TestBlobloomProbes looks keys up and adds keys with every number of probes.
func TestBlobloomProbes(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 95))
	eachLevelAndDistance(t, func(t *testing.T) {
		hits := newRoom(longestTail)
		for _, probes := range everyBlobloomProbes() {
			kernel, hashes := blobloom(probes), hashesFor(uint64(probes))
			for i := range hashes[:longestTail/2] {
				hashes[i] = blobloomHashInBlock(r, r.IntN(3), 3, r.IntN(probes))
			}
			body, want := make([]byte, 3*asm.BlockBytes), make([]byte, 3*asm.BlockBytes)
			kernel.add(body, hashes)
			for _, hash := range hashes {
				kernel.naiveAdd(want, hash)
			}
			if !bytes.Equal(body, want) {
				t.Fatalf("%s: other bits", kernel.name)
			}
			for _, contents := range [][]byte{kernel.balancedBody(r, len(body)), body} {
				describe := func() string { return kernel.name }
				answers := kernel.answers(contents, hashes)
				for i, hash := range hashes {
					if isSet(answers, i) != kernel.naiveContains(contents, hash) {
						t.Fatalf("%s: fallback is wrong about %#x", kernel.name, hash)
					}
				}
				kernel.checkSingles(t, contents, hashes, answers, describe)
				for _, n := range []int{0, 1, 7, 8, 9, 63, 64, 65, longestTail} {
					kernel.checkBatch(t, hits, n%places, contents, hashes[:n], answers, describe)
				}
			}
		}
	})
}

// TestBlobloomProbesRepeat: more than 1,024 probes look at no other bits, however many they are.
func TestBlobloomProbesRepeat(t *testing.T) {
	for _, hash := range vectors.Hashes(96, 20) {
		all := naive.BlobloomBits(make([]byte, 64), 3*1024+1, hash)
		if !slices.Equal(all[:1024], all[1024:2048]) || !slices.Equal(all[:1024], all[2048:]) {
			t.Errorf("hash %#x: other bits", hash)
		}
	}
}

// TestAddingToBlobloom adds keys in every way, beside memory that may not be touched.
func TestAddingToBlobloom(t *testing.T) {
	hashes := vectors.Hashes(97, 150)
	hashes = append(hashes, hashes[:50]...) // present by now
	eachLevelAndDistance(t, func(t *testing.T) {
		for _, probes := range []int{1, 6, 9, 16, 17, 30, 31, 1024} {
			testmem.BesideGuards(t, make([]byte, 3*asm.BlockBytes), func(body []byte) {
				for name, adder := range singleAdders {
					if adder.shared && uintptr(unsafe.Pointer(&body[0]))%8 != 0 {
						continue
					}
					clear(body)
					want := make([]byte, len(body))
					f := asm.NewBlobloom(body, probes)
					if adder.shared {
						f = asm.NewSharedBlobloom(body, probes)
					}
					f.EnableAdd()
					for _, hash := range hashes {
						absent := !naive.BlobloomContains(want, probes+1, hash)
						naive.BlobloomAdd(want, probes+1, hash)
						if adder.answer == nil {
							adder.add(&f, hash)
						} else if adder.answer(&f, hash) != absent {
							t.Fatalf("%s, %d probes: hash %#x was absent: not %v", name, probes, hash, absent)
						}
						if !f.Contains(hash) {
							t.Fatalf("%s, %d probes: hash %#x is missing", name, probes, hash)
						}
					}
					if !bytes.Equal(body, want) {
						t.Fatalf("%s, %d probes: other bits", name, probes)
					}
				}
			})
		}
	})
}

// TestSharedBlobloom adds and looks up batches in a shared body, and unites two.
func TestSharedBlobloom(t *testing.T) {
	hashes := vectors.Hashes(98, 3000)
	eachLevelAndDistance(t, func(t *testing.T) {
		body, other, want := aligned.Make(64*99), aligned.Make(64*99), make([]byte, 64*99)
		f, g, plain := forAdding(asm.NewSharedBlobloom(body, 7)), forAdding(asm.NewSharedBlobloom(other, 7)), forAdding(asm.NewBlobloom(want, 7))
		f.AddAll(hashes[:700])
		g.AddAll(hashes[700:1000])
		f.Unite(&g)
		if plain.AddAll(hashes[:1000]); !bytes.Equal(body, want) {
			t.Fatal("other bits")
		}
		for _, n := range []int{0, 1, 7, 8, 63, 64, 65, 129, 3000} {
			got, wanted := make([]uint64, asm.Words(n)), make([]uint64, asm.Words(n))
			f.ContainsBits(hashes[:n], got)
			fallback.BlobloomContainsBatch(want, 7, hashes[:n], wanted)
			if !slices.Equal(got, wanted) {
				t.Fatalf("%d hashes: other answers", n)
			}
		}
	})
}

// TestBlobloomMisusePanics has bodies that are no whole blocks, and numbers of probes that do not exist.
func TestBlobloomMisusePanics(t *testing.T) {
	for _, c := range []struct{ size, probes int }{{0, 1}, {63, 1}, {96, 6}, {64, 0}, {64, -1}, {64, asm.MostBlobloomProbes + 1}} {
		func() {
			defer func() { _ = recover() }()
			asm.NewBlobloom(make([]byte, c.size), c.probes)
			t.Errorf("%d bytes, %d probes: no panic", c.size, c.probes)
		}()
	}
}

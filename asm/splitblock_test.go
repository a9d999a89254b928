package asm_test

import (
	"bytes"
	"fmt"
	"math/bits"
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

// splitBlock is of Parquet's filters. Tests of all kernels have even numbers of its blocks.
func splitBlock() kernels {
	return kernels{
		"SplitBlock", 1, 8,
		func(body []byte, hash uint64) bool {
			f := asm.NewSplitBlock(body)
			return f.Contains(hash)
		},
		func(body []byte, hashes, hits []uint64) {
			f := asm.NewSplitBlock(body)
			f.ContainsBits(hashes, hits)
		},
		func(body []byte, hashes []uint64, hits []bool) {
			f := asm.NewSplitBlock(body)
			f.ContainsBools(hashes, hits)
		},
		func(body []byte, hashes []uint64) { asm.SplitBlockAdd(body, hashes, false) },
		fallback.SplitBlockContains, fallback.SplitBlockAdd,
		naive.SplitBlockContains, naive.SplitBlockAdd, naive.SplitBlockBits,
		fallback.SplitBlockOf, nil,
	}
}

// TestSplitBlocksBesideGuards has any number of blocks, every length of a batch, and bodies, hashes and
// answers right beside memory that may not be touched.
func TestSplitBlocksBesideGuards(t *testing.T) {
	kernel := splitBlock()
	r := rand.New(rand.NewPCG(1, 90))
	eachLevelAndDistance(t, func(t *testing.T) {
		hits := guardedRoom(t, longestTail)
		scratch := testmem.Words(testmem.Between(t, 8*longestTail))
		for _, blocks := range []int{1, 2, 3, 5, 71} {
			hashes := hashesFor(uint64(blocks))
			contents := kernel.balancedBody(r, blocks*asm.SplitBlockBytes)
			want := kernel.answers(contents, hashes)
			memory := testmem.Between(t, len(contents)+asm.BlockBytes)
			last := len(memory) - len(contents)
			for turn, at := range []int{0, last, 32, last - 32, 1, last - 1, 17, 41} {
				describe := func() string { return fmt.Sprintf("%d split blocks, place %d of 0 to %d", blocks, at, last) }
				body := memory[at : at+len(contents) : at+len(contents)]
				copy(body, contents)
				writable := testmem.ReadOnly(t, memory)
				kernel.checkSingles(t, body, hashes, want, describe)
				for n := range longestTail + 1 {
					if slow && n%8 != turn {
						continue
					}
					queried, to := scratch[:n], 0
					if turn%2 != 0 {
						queried, to = scratch[len(scratch)-n:], atEnd
					}
					copy(queried, hashes)
					kernel.checkBatch(t, hits, to, body, queried, want, describe)
				}
				writable()
			}
		}
	})
}

// TestSplitBlockVectors builds and looks up what other programs wrote, at every level.
func TestSplitBlockVectors(t *testing.T) {
	v := vectors.SplitBlocks()
	var hashes []uint64
	for _, value := range v.File.Values {
		hashes = append(hashes, uint64(value.Hash))
	}
	eachLevel(t, func(t *testing.T) {
		file := make([]byte, len(v.Bits()))
		if asm.SplitBlockAdd(file, hashes, false); !bytes.Equal(file, v.Bits()) {
			t.Error("other bytes than parquet-testing's")
		}
		f := asm.NewSplitBlock(v.Bits())
		for _, hash := range hashes {
			if !f.Contains(hash) || f.Contains(hash^1<<31) {
				t.Errorf("hash %#x is missing, or another is not", hash)
			}
		}
		for _, whole := range v.Whole {
			if slow && whole.Z > 1000 {
				continue
			}
			body, want := make([]byte, 32*whole.Z), make([]byte, 32*whole.Z)
			hashes := vectors.Hashes(uint64(whole.Z), whole.N)
			asm.SplitBlockAdd(body, hashes, false)
			fallback.SplitBlockAdd(want, hashes)
			if !bytes.Equal(body, want) {
				t.Errorf("%d blocks: other bits", whole.Z)
			}
		}
	})
}

// TestAddingToSplitBlocks adds keys in every way, whatever the number of blocks, beside memory that may
// not be touched.
func TestAddingToSplitBlocks(t *testing.T) {
	n := 600
	if slow {
		n = 150
	}
	hashes := append(hashesFor(7), vectors.Hashes(96, n)...)
	hashes = append(hashes, hashes[:n/2]...) // present by now
	swapped := slices.Clone(hashes)
	for i := range swapped {
		swapped[i] = bits.RotateLeft64(swapped[i], 32)
	}
	eachLevelAndDistance(t, func(t *testing.T) {
		for _, blocks := range []int{1, 3, 70} {
			testmem.BesideGuards(t, make([]byte, blocks*asm.SplitBlockBytes), func(body []byte) {
				for name, adder := range singleAdders {
					if adder.shared && uintptr(unsafe.Pointer(&body[0]))%8 != 0 {
						continue
					}
					clear(body)
					want := make([]byte, len(body))
					f := asm.NewSplitBlock(body)
					if adder.shared {
						f = asm.NewSharedSplitBlock(body)
					}
					f.EnableAdd()
					for _, hash := range hashes {
						absent := !naive.SplitBlockContains(want, hash)
						naive.SplitBlockAdd(want, hash)
						if adder.answer == nil {
							adder.add(&f, hash)
						} else if adder.answer(&f, hash) != absent {
							t.Fatalf("%s, %d blocks: hash %#x was absent: not %v", name, blocks, hash, absent)
						}
						if !f.Contains(hash) {
							t.Fatalf("%s, %d blocks: hash %#x is missing", name, blocks, hash)
						}
					}
					if !bytes.Equal(body, want) {
						t.Fatalf("%s, %d blocks: other bits", name, blocks)
					}
				}
				for n := range len(hashes) + 1 {
					if n > 200 && n < len(hashes)-9 {
						continue
					}
					want := make([]byte, len(body))
					fallback.SplitBlockAdd(want, hashes[len(hashes)-n:])
					for _, of := range [][]uint64{hashes, swapped} {
						clear(body)
						asm.SplitBlockAdd(body, slices.Clip(of[len(of)-n:]), &of[0] == &swapped[0])
						if !bytes.Equal(body, want) {
							t.Fatalf("%d blocks, %d hashes, swapped %v: other bits", blocks, n, &of[0] == &swapped[0])
						}
					}
				}
			})
		}
	})
}

// TestSharedSplitBlocks adds and looks up batches in a shared body, and unites two.
func TestSharedSplitBlocks(t *testing.T) {
	hashes := vectors.Hashes(97, 3000)
	eachLevelAndDistance(t, func(t *testing.T) {
		body, other, want := aligned.Make(32*99), aligned.Make(32*99), make([]byte, 32*99)
		f, g, plain := forAdding(asm.NewSharedSplitBlock(body)), forAdding(asm.NewSharedSplitBlock(other)), forAdding(asm.NewSplitBlock(want))
		f.AddAll(hashes[:700])
		g.AddAll(hashes[700:1000])
		f.Unite(&g)
		if plain.AddAll(hashes[:1000]); !bytes.Equal(body, want) {
			t.Fatal("other bits")
		}
		for _, n := range []int{0, 1, 7, 8, 63, 64, 65, 129, 3000} {
			got, wanted := make([]uint64, asm.Words(n)), make([]uint64, asm.Words(n))
			f.ContainsBits(hashes[:n], got)
			fallback.SplitBlockContainsBatch(want, hashes[:n], wanted)
			if !slices.Equal(got, wanted) {
				t.Fatalf("%d hashes: other answers", n)
			}
		}
		if f.Clear(); !bytes.Equal(body, make([]byte, len(body))) {
			t.Error("bits are left")
		}
	})
}

// TestSplitBlocksMisusePanics has bodies that are no whole blocks.
func TestSplitBlocksMisusePanics(t *testing.T) {
	for _, n := range []int{0, 1, 31, 33, 64 + 16} {
		func() {
			defer func() { _ = recover() }()
			asm.NewSplitBlock(make([]byte, n))
			t.Errorf("%d bytes: no panic", n)
		}()
	}
}

// TestSplitBlocksInBytes has bytes of every length up to some blocks, right beside memory that may not be
// touched, and of more than the largest filter.
func TestSplitBlocksInBytes(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 91))
	huge := testmem.Sparse(t, asm.MaxSplitBlockBytes+asm.SplitBlockBytes)
	eachLevel(t, func(t *testing.T) {
		for n := range 6*asm.SplitBlockBytes + 1 {
			testmem.BesideGuards(t, splitBlock().balancedBody(r, n), func(data []byte) {
				for _, hash := range hashesFor(uint64(n)) {
					want := n%asm.SplitBlockBytes != 0 || n > 0 && naive.SplitBlockContains(data, hash)
					if got := asm.SplitBlockMayContain(data, hash); got != want {
						t.Fatalf("%d bytes, hash %#x: %v", n, hash, got)
					}
				}
			})
		}
		if huge != nil && (!asm.SplitBlockMayContain(huge, 1) || asm.SplitBlockMayContain(huge[asm.SplitBlockBytes:], 1)) {
			t.Error("wrong answers of the largest filter, or beyond it")
		}
	})
}

package asm_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/test/testmem"
)

// TestLookupIsContains compares the closure with Contains at every level, for every number of probes, in bodies
// between unreadable pages with few bits, half of them and nearly all set.
func TestLookupIsContains(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(58, 0))
		for _, blocks := range []int{1, 2, 3, 64, 257} {
			body, paired := testmem.Between(t, blocks*asm.BlockBytes), testmem.Between(t, (blocks+1)/2*128*asm.BlockBytes)
			for _, words := range []int{0, 1, 3} { // that are united: of two bits 0, 1 and nearly 2 are set
				for _, body := range [][]byte{body, paired} {
					for i := range body {
						body[i] = byte(r.Uint32())
						for range words {
							body[i] |= byte(r.Uint32())
						}
					}
				}
				for probes := 1; probes <= asm.MaxProbes; probes++ {
					checkLookup(t, r, fmt.Sprintf("FastLocal of %d probes, %d blocks", probes, blocks), asm.NewFastLocal(body, probes))
					checkLookup(t, r, fmt.Sprintf("shared FastLocal of %d probes, %d blocks", probes, blocks), asm.NewSharedFastLocal(body, probes))
					checkLookup(t, r, fmt.Sprintf("Blobloom of %d probes, %d blocks", probes, blocks), asm.NewBlobloom(body, probes))
				}
				checkLookup(t, r, fmt.Sprintf("SplitBlock of %d blocks", 2*blocks), asm.NewSplitBlock(body))
				odd := body[len(body)-(2*blocks-1)*asm.SplitBlockBytes:]
				checkLookup(t, r, fmt.Sprintf("SplitBlock of %d blocks", 2*blocks-1), asm.NewSplitBlock(odd))
				checkLookup(t, r, "shared SplitBlock", asm.NewSharedSplitBlock(body))
				for probes := 2; probes <= asm.MaxProbes; probes++ {
					for _, batch := range []int{32, 128} {
						checkLookup(t, r, fmt.Sprintf("Paired of %d probes, %d blocks, batches of %d", probes, len(paired)/asm.BlockBytes, batch), asm.NewPaired(paired, batch, probes))
					}
				}
			}
		}
		// The smallest bodies, each of which fills a piece of Go's heap: -d=checkptr finds pointers that reach beyond.
		checkLookup(t, r, "SplitBlock of 1 block", asm.NewSplitBlock(onHeap(asm.SplitBlockBytes)))
		checkLookup(t, r, "Legacy of 1 line", asm.NewLegacy(onHeap(asm.BlockBytes), 1, 6))
		checkLookup(t, r, "LevelDB of 64 bits", asm.NewLevelDB(onHeap(8), 6))
		for _, probes := range []int{8, 16, 24} {
			checkLookup(t, r, fmt.Sprintf("FastLocal of %d probes, 1 block", probes), asm.NewFastLocal(onHeap(asm.BlockBytes), probes))
			checkLookup(t, r, fmt.Sprintf("Blobloom of %d probes, 1 block", probes), asm.NewBlobloom(onHeap(asm.BlockBytes), probes))
			checkLookup(t, r, fmt.Sprintf("Paired of %d probes, 1 batch", probes), asm.NewPaired(onHeap(32*asm.BlockBytes), 32, probes))
		}
		checkLookup(t, r, "everything", asm.NewConstant(true))
		checkLookup(t, r, "nothing", asm.NewConstant(false))
	})
}

//go:noinline
func onHeap(n int) []byte { return make([]byte, n) }

func checkLookup(t *testing.T, r *rand.Rand, name string, k asm.Kernel) {
	t.Helper()
	has := k.Lookup()
	for i := range 300 {
		hash := r.Uint64()
		switch i % 6 { // the ends of halves and of the body
		case 0:
			hash |= 0xffffffff
		case 1:
			hash |= 0xffffffff << 32
		case 2:
			hash = hash >> 32 << 32
		case 3:
			hash &= 0xffffffff
		}
		if got, want := has(hash), k.Contains(hash); got != want {
			t.Fatalf("%s, hash %#x: the closure says %v, Contains %v", name, hash, got, want)
		}
	}
}

func TestLookupInTheZeroKernelPanics(t *testing.T) {
	var k asm.Kernel
	has := k.Lookup()
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	has(1)
}

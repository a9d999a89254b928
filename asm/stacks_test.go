package asm_test

import (
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
)

// TestStacksMayMove looks up while the garbage collector makes the goroutine's stack smaller, which moves it, at any
// call on the way. The Kernel, the hashes or keys, and the answers are on that stack.
func TestStacksMayMove(t *testing.T) {
	const blocks = 32
	collections := 30
	if slow {
		collections = 10
	}
	lines := make([]byte, blocks*(asm.BlockBytes+1)) // with Linear's headers
	rand.NewChaCha8([32]byte{}).Read(lines)
	body := lines[:blocks*asm.BlockBytes]
	layers, ok := fallback.NewLinearLayers([][2]uint32{{0, blocks}}, 0, 8)
	if !ok {
		t.Fatal("no layers")
	}
	kernels := map[string]func() asm.Kernel{
		"FastLocal":  func() asm.Kernel { return asm.NewFastLocal(body, 1) },
		"SplitBlock": func() asm.Kernel { return asm.NewSplitBlock(body) },
		"Blobloom":   func() asm.Kernel { return asm.NewBlobloom(body, 1) },
		"Paired":     func() asm.Kernel { return asm.NewPaired(body, blocks, 2) },
		"Legacy":     func() asm.Kernel { return asm.NewLegacy(body[asm.BlockBytes:], blocks-1, 1) },
		"LevelDB":    func() asm.Kernel { return asm.NewLevelDB(body, 1) },
		"Linear":     func() asm.Kernel { return asm.NewLinear(lines, layers) },
		"Ribbon":     func() asm.Kernel { return asm.NewRibbon(body, fallback.LeastRibbonBlocks, 1) },
	}
	eachLevel(t, func(t *testing.T) {
		for name, kernel := range kernels {
			t.Run(name, func(t *testing.T) {
				done := make(chan bool)
				go func() {
					for range collections {
						runtime.GC()
					}
					close(done)
				}()
				check := newStackCheck(kernel)
				for {
					select {
					case <-done:
						return
					default:
						check.run(t)
					}
				}
			})
		}
	})
}

// A stackCheck has what batches must answer.
type stackCheck struct {
	kernel func() asm.Kernel
	hashes [200]uint64
	bools  [200]bool
	bits   [4]uint64
}

func newStackCheck(kernel func() asm.Kernel) *stackCheck {
	c, k := &stackCheck{kernel: kernel}, kernel()
	for i, hash := range vectors.Hashes(1, len(c.hashes)) {
		if c.hashes[i], c.bools[i] = hash, k.Contains(hash); c.bools[i] {
			c.bits[i/64] |= 1 << (i % 64)
		}
	}
	return c
}

// run makes the stack large, and uses a Kernel that is on it. A stack moves when the next function begins: in large
// batches that is seldom another one than the first after a kernel.
func (c *stackCheck) run(t *testing.T) {
	const deep, times, few = 1000, 20, 20
	deeper(deep)
	for range times {
		k, hashes, bools, bits := c.kernel(), [few]uint64(c.hashes[:]), [few]bool{}, [1]uint64{}
		k.ContainsBools(hashes[:], bools[:])
		k.ContainsBits(hashes[:], bits[:])
		if bools != [few]bool(c.bools[:]) || bits[0] != c.bits[0]&(1<<few-1) {
			t.Fatalf("%v, %x, want %v, %x", bools, bits, c.bools[:few], c.bits[0])
		}
		if k.HashBy(asm.XX64, nil); !keysAnswered(k, keyhash.XX64, few) {
			t.Fatal("wrong answers for keys")
		}
	}
	k, hashes, bools, bits := c.kernel(), c.hashes, [len(c.bools)]bool{}, [len(c.bits)]uint64{}
	k.ContainsBools(hashes[:], bools[:])
	k.ContainsBits(hashes[:], bits[:])
	if bools != c.bools || bits != c.bits {
		t.Fatalf("%v, %x, want %v, %x", bools, bits, c.bools, c.bits)
	}
}

// deeper needs the stack of the given number of calls.
//
//go:noinline
func deeper(calls int) {
	if calls > 0 {
		deeper(calls - 1)
	}
	runtime.KeepAlive(calls)
}

package asm_test

import (
	"runtime"
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
)

// TestStacksMayMove looks up while the garbage collector makes the goroutine's stack smaller, which moves it, at any call on
// the way. The Kernel, the hashes and the answers are on that stack.
func TestStacksMayMove(t *testing.T) {
	const (
		hashes, collections = 20, 300
		deep, shallow       = 1000, 20 // calls, after which the stack is large, and lookups before the next ones
	)
	body, all := make([]byte, 1024), vectors.Hashes(1, hashes)
	asm.FastLocalAdd(body, 6, all[:hashes/2])
	eachLevel(t, func(t *testing.T) {
		done := make(chan bool)
		go func() {
			for range collections {
				runtime.GC()
			}
			close(done)
		}()
		for {
			select {
			case <-done:
				return
			default:
			}
			atDepth(deep, func() {})
			for range shallow {
				k, here, bools, bits := asm.NewFastLocal(body, 6), [hashes]uint64(all), [hashes]bool{}, [1]uint64{}
				k.ContainsBools(here[:], bools[:])
				k.ContainsBits(here[:], bits[:])
				for i, hash := range here {
					if is := k.Contains(hash); bools[i] != is || bits[0]>>i&1 != 0 != is {
						t.Fatalf("hash %d: %v in bools, %#x in bits, one by one %v", i, bools[i], bits[0], is)
					}
				}
			}
		}
	})
}

// atDepth calls do after the given number of calls of itself.
//
//go:noinline
func atDepth(depth int, do func()) {
	if depth > 0 {
		atDepth(depth-1, do)
		return
	}
	do()
}

//go:build (amd64 || arm64) && !purego

package asm_test

import (
	"testing"

	"github.com/simdbloom/simdbloom/asm"
)

// TestHiddenIsTheSameWhereStacksGrow hides an address on the stack at all depths of new stacks, so that some grow
// within. With the race detector, which checks pointers by calls, what came out was the address on the stack as it had
// been.
func TestHiddenIsTheSameWhereStacksGrow(t *testing.T) {
	for range 16 {
		done := make(chan bool)
		go func() {
			defer close(done)
			hideBelow[[16]byte](t, 500)
			hideBelow[[40]byte](t, 500)
		}()
		<-done
	}
}

// hideBelow does it once in each of some frames, which have room for a T.
//
//go:noinline
func hideBelow[T any](t *testing.T, frames int) (room T) {
	if local := frames; asm.Hidden(&local) != &local {
		t.Errorf("%d frames above the last: another address", frames)
	}
	if frames > 0 {
		room = hideBelow[T](t, frames-1)
	}
	return room
}

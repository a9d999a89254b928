package asm_test

import (
	"testing"

	"github.com/simdbloom/simdbloom/asm"
)

// TestLargestBodies: those that places of 32 bits reach, in whole blocks.
func TestLargestBodies(t *testing.T) {
	if asm.MaxBodyBytes != 4<<30-64 || asm.MaxSplitBlockBytes != 4<<30-32 {
		t.Errorf("%d and %d bytes", asm.MaxBodyBytes, asm.MaxSplitBlockBytes)
	}
}

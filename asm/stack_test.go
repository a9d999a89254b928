package asm_test

import (
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
)

// TestTheStackMoves: without kernels, assembly calls Go for each of a few keys. It may move the stack that
// the filter, the hashes and the answers are on: at some depth, only these calls need more of it.
func TestTheStackMoves(t *testing.T) {
	defer cpu.Limit(cpu.Generic)()
	hashes := [5]uint64(vectors.Hashes(37, 5))
	body := make([]byte, asm.BlockBytes)
	asm.LegacyAdd(body, 1, 6, hashes[1:4])
	k := asm.NewLegacy(body, 1, 6)
	for depth := range 200 {
		right := make(chan bool)
		go func() { right <- answeredBelow(depth, &k, &hashes) }()
		if !<-right {
			t.Fatalf("%d calls deep: wrong answers", depth)
		}
	}
}

//go:noinline
func answeredBelow(depth int, k *asm.Kernel, hashes *[5]uint64) bool {
	if depth > 0 {
		return answeredBelow(depth-1, k, hashes)
	}
	return answered(*k, *hashes)
}

//go:noinline
func answered(k asm.Kernel, hashes [5]uint64) bool {
	var hits [5]bool
	k.ContainsBools(hashes[:], hits[:])
	for i, hit := range hits {
		if hit != k.Contains(hashes[i]) || !hit && i > 0 && i < 4 {
			return false
		}
	}
	return true
}

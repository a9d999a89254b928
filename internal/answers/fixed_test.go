package answers

import (
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
)

func TestFixedBodiesGiveOneAnswer(t *testing.T) {
	for _, want := range []bool{false, true} {
		fastLocal := asm.NewFastLocal(Fixed(want), 1)
		paired := asm.NewPaired(Fixed(want), FixedBlocks, 2)
		for _, hash := range vectors.Hashes(1, 10_000) {
			if fastLocal.Contains(hash) != want || paired.Contains(hash) != want {
				t.Fatalf("hash %#x: not %v", hash, want)
			}
		}
	}
}

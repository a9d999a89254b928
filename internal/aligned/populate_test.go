package aligned_test

import (
	"testing"

	"github.com/simdbloom/simdbloom/internal/aligned"
)

func TestPopulateChangesNothing(t *testing.T) {
	memory := make([]uint64, 1<<15)
	for i := range memory {
		memory[i] = uint64(i)
	}
	for _, from := range []int{0, 1, 511, 512} {
		for _, n := range []int{0, 1, 1 << 10, 1<<13 - 1, 1 << 13, 1<<13 + 1, len(memory) - from} {
			aligned.Populate(memory[from : from+n])
		}
	}
	for i, word := range memory {
		if word != uint64(i) {
			t.Fatalf("word %d is %d", i, word)
		}
	}
}

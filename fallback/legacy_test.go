package fallback_test

import (
	"testing"

	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
)

// TestWidenedHashesChooseTheRemainder has hashes around multiples of the number of lines.
func TestWidenedHashesChooseTheRemainder(t *testing.T) {
	numbers := []uint32{1, 2, 3, 5, 7, 129, 641, 1<<26 - 1, 1 << 30}
	for shift := 2; shift < 30; shift++ {
		numbers = append(numbers, 1<<shift-1, 1<<shift+1, 3<<shift/2+1)
	}
	for _, random := range vectors.Hashes(1, 300) {
		numbers = append(numbers, uint32(random)%(1<<(random>>32%30))+1)
	}
	for _, lines := range numbers {
		var hashes []uint64
		for _, random := range vectors.Hashes(uint64(lines), 300) {
			multiple := uint32(random) / lines * lines
			for _, hash := range []uint32{uint32(random), multiple - 1, multiple, multiple + 1, multiple + lines - 1} {
				hashes = append(hashes, random>>32<<32|uint64(hash)) // the upper half does not count
			}
		}
		for i := range uint32(300) {
			last := ^uint32(0) / lines * lines
			hashes = append(hashes, uint64(i), uint64(^i), uint64(last+i), uint64(last-i))
		}
		wide := make([]uint64, len(hashes))
		fallback.LegacyWiden(fallback.NewModulus(uint64(lines)).Reciprocal, hashes, wide)
		for i, hash := range hashes {
			if low := uint32(hash); uint32(wide[i]>>32) != low || fallback.Block(wide[i], lines) != low%lines {
				t.Fatalf("%d lines, hash %#x: %#x", lines, hash, wide[i])
			}
		}
	}
}

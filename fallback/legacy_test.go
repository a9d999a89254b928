package fallback_test

import (
	"testing"

	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
)

// TestLegacyLineIsTheRemainder has hashes around multiples of the number of lines.
func TestLegacyLineIsTheRemainder(t *testing.T) {
	numbers := []uint32{1, 2, 3, 5, 7, 64, 127, 129, 641, 1<<26 - 1, 1 << 26, 1<<26 + 1, 1<<30 - 1, 1 << 30, 1<<32 - 1}
	for shift := 2; shift < 30; shift++ {
		numbers = append(numbers, 1<<shift-1, 1<<shift, 1<<shift+1, 3<<shift/2+1)
	}
	for _, random := range vectors.Hashes(1, 300) {
		numbers = append(numbers, uint32(random)%(1<<(random>>32%31))+1)
	}
	for _, lines := range numbers {
		reciprocal := fallback.LegacyReciprocal(lines)
		check := func(hash uint32) {
			if got := fallback.LegacyLine(hash, lines, reciprocal); got != hash%lines {
				t.Fatalf("%d modulo %d is %d, not %d", hash, lines, hash%lines, got)
			}
		}
		last := ^uint32(0) / lines
		for _, random := range vectors.Hashes(uint64(lines), 1000) {
			multiple := uint32(random) / lines * lines
			for _, hash := range []uint32{uint32(random), multiple - 1, multiple, multiple + 1, multiple + lines - 1} {
				check(hash)
			}
		}
		for i := range uint32(1000) {
			check(i)
			check(^i)
			check(last*lines + i)
			check(last*lines - i)
		}
	}
}

func TestLegacyWiden(t *testing.T) {
	hashes := vectors.Narrowed(vectors.Hashes(2, 1000))
	for _, lines := range []uint32{1, 3, 19, 1<<26 - 1, 1 << 30} {
		wide := make([]uint64, len(hashes))
		fallback.LegacyWiden(fallback.LegacyReciprocal(lines), hashes, wide)
		for i, hash := range hashes {
			if uint32(wide[i]>>32) != hash || fallback.Block(wide[i], lines) != hash%lines {
				t.Fatalf("%d lines, hash %#x: %#x", lines, hash, wide[i])
			}
		}
	}
}

package paired_test

import (
	"testing"

	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
)

// TestSizesAreRoundedAsSpeedbs is about the edges of batches: Speedb rounds down to
// whole bytes, and those up to whole batches, or down for the bottommost level. So a
// batch of 32 has 16,384 bits, and up to 7.999 more take no other one.
func TestSizesAreRoundedAsSpeedbs(t *testing.T) {
	for _, c := range []struct {
		batchBlocks, keys int
		bitsPerKey        float64
		up, down          int
	}{
		{32, 0, 10, 2052, 2052},
		{32, 1, 1, 2052, 2052},
		{32, 16384, 1, 2052, 2052},     // 16,384 bits
		{32, 8359, 1.961, 2052, 2052},  // 16,391.999
		{32, 16392, 1, 4100, 2052},     // 16,392
		{32, 21431, 1.529, 4100, 2052}, // 32,767.999
		{32, 32768, 1, 4100, 4100},     // 32,768
		{32, 16384, 2, 4100, 4100},
		{32, 49160, 1, 8196, 6148}, // 49,160
		{128, 0, 10, 8196, 8196},
		{128, 65536, 1, 8196, 8196},       // 65,536
		{128, 977, 67.087, 8196, 8196},    // 65,543.999
		{128, 65544, 1, 16388, 8196},      // 65,544
		{128, 12989, 10.091, 16388, 8196}, // 131,071.999
		{128, 131072, 1, 16388, 16388},    // 131,072
	} {
		up, down := contract.Paired32, contract.Paired32Down
		if c.batchBlocks == 128 {
			up, down = contract.Paired128, contract.Paired128Down
		}
		for f, want := range map[*contract.Format]int{&up: c.up, &down: c.down} {
			if data := f.Build(t, c.bitsPerKey, vectors.Hashes(1, c.keys)); len(data) != want {
				t.Errorf("%s, %d keys at %v bits/key: %d bytes, want %d", f.Name, c.keys, c.bitsPerKey, len(data), want)
			}
		}
	}
}

package paired_test

import (
	"testing"

	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/paired"
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
		for _, rounded := range []struct {
			way   string
			bytes int
			more  []paired.Option
		}{
			{"up", c.up, nil},
			{"down", c.down, []paired.Option{paired.WithRoundDown()}},
		} {
			b := builder(t, c.bitsPerKey, keyhash.XX64, append(rounded.more, paired.WithBatchBlocks(c.batchBlocks))...)
			b.AddHashes(vectors.Hashes(1, c.keys))
			if data := finished(t, b); len(data) != rounded.bytes {
				t.Errorf("batches of %d, %d keys at %v bits/key, rounded %s: %d bytes, want %d",
					c.batchBlocks, c.keys, c.bitsPerKey, rounded.way, len(data), rounded.bytes)
			}
		}
	}
}

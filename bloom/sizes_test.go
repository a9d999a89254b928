package bloom_test

import (
	"testing"

	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
)

// TestSizesAreRoundedUpAsRocksDBs is about the edges of blocks: RocksDB rounds up to
// whole bytes and those up to whole blocks (FastLocalBloomBitsBuilder::CalculateSpace).
// So a block has 512,000 thousandths of bits, and one more takes another block.
func TestSizesAreRoundedUpAsRocksDBs(t *testing.T) {
	for _, c := range []struct {
		keys       int
		bitsPerKey float64
		bytes      int
	}{
		{1, 1, 69},
		{79, 6.481, 69}, // 511.999 bits
		{512, 1, 69},    // 512
		{250, 2.048, 69},
		{81, 6.321, 133}, // 512.001
		{441, 1.161, 133},
		{513, 1, 133},
		{11, 93.091, 197}, // 1,024.001
		{1024, 1, 133},    // 1,024
		{1025, 1, 197},
		{657, 7.793, 709}, // 5,120.001
		{512, 10, 645},    // 5,120
	} {
		if data := contract.FastLocal.Build(t, c.bitsPerKey, vectors.Hashes(1, c.keys)); len(data) != c.bytes {
			t.Errorf("%d keys at %v bits/key: %d bytes, want %d", c.keys, c.bitsPerKey, len(data), c.bytes)
		}
	}
}

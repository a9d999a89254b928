package bloom_test

import (
	"testing"

	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/splitblock"
)

// TestFoldable: filters for the numbers of keys that FoldTo's documentation names can be folded down to a block.
func TestFoldable(t *testing.T) {
	for _, bitsPerKey := range []float64{6.5, 10, 15.55, 23.4} {
		f, err := bloom.NewMutable(bloom.KeysFor(1<<24+5, bitsPerKey), bitsPerKey, keyhash.XX64)
		if err != nil || f.SizeBytes() != 1<<24+5 || f.FoldTo(0.5) != 18 || f.SizeBytes() != 64+5 {
			t.Errorf("%v bits/key: %d bytes, %v", bitsPerKey, f.SizeBytes(), err)
		}
		f, err = splitblock.NewMutable(splitblock.KeysFor(1<<24, bitsPerKey), bitsPerKey, keyhash.XX64)
		if err != nil || f.SizeBytes() != 1<<24 || f.FoldTo(0.5) != 19 || f.SizeBytes() != 32 {
			t.Errorf("split blocks, %v bits/key: %d bytes, %v", bitsPerKey, f.SizeBytes(), err)
		}
	}
}

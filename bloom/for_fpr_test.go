package bloom_test

import (
	"math"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/keyhash"
)

// TestForFPR: filters that grow are of the size for the rate, and rates that no filter has are errors that say so.
func TestForFPR(t *testing.T) {
	for _, keys := range []int{0, 1, 2, 1000} {
		const fpr = 0.01
		want, err := bloom.NewMutable(keys, bloom.BitsPerKeyFor(max(keys, 1), fpr), keyhash.XX64)
		if err != nil {
			t.Fatal(err)
		}
		m, err := bloom.NewMutableForFPR(keys, fpr, keyhash.XX64)
		if err != nil || m.SizeBytes() != want.SizeBytes() || m.BitsPerKey() != want.BitsPerKey() {
			t.Errorf("%d keys: %v", keys, err)
		}
		c, err := bloom.NewConcurrentForFPR(keys, fpr, keyhash.XX64)
		if err != nil || c.SizeBytes() != want.SizeBytes() || c.BitsPerKey() != want.BitsPerKey() {
			t.Errorf("%d keys: %v", keys, err)
		}
	}
	const none = 1e-30 // less than any filter of many keys has
	for _, fpr := range []float64{-1, 0, 1, 1.5, math.NaN(), math.Inf(1), none} {
		if m, err := bloom.NewMutableForFPR(1_000_000, fpr, keyhash.XX64); m != nil || err == nil || !strings.Contains(err.Error(), "false-positive rate") {
			t.Errorf("a Mutable of rate %v: %v", fpr, err)
		}
		if c, err := bloom.NewConcurrentForFPR(1_000_000, fpr, keyhash.XX64); c != nil || err == nil || !strings.Contains(err.Error(), "false-positive rate") {
			t.Errorf("a Concurrent of rate %v: %v", fpr, err)
		}
	}
}

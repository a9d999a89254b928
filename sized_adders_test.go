package simdbloom_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/linear"
)

// TestAddersOfExactSizes: a Mutable of a size is the filter that a builder of the size builds, and has room for the
// keys that it was made for.
func TestAddersOfExactSizes(t *testing.T) {
	hashes := vectors.Hashes(63, 5000)
	for _, f := range contract.Adders() {
		for _, blocks := range []int{1, 7, 100, 1000} {
			size := len(f.Framed(make([]byte, blocks*f.UnitBytes)))
			for _, keys := range []int{0, 1, 1000, 5000} {
				for _, limit := range []simdbloom.Option{simdbloom.WithSizeBytes(size), simdbloom.WithMaxBytes(size)} {
					m := contract.Must(simdbloom.NewMutable(f.Format, keys, 10, keyhash.XX64, limit))
					c := contract.Must(simdbloom.NewConcurrent(f.Format, keys, 10, keyhash.XX64, limit))
					m.AddHashes(hashes[:keys])
					c.AddHashes(hashes[:keys])
					want := f.Build(t, 10, hashes[:keys], limit)
					if keys > 0 && (string(m.Bytes()) != string(want) || string(c.Bytes()) != string(want)) {
						t.Errorf("%s, %d bytes, %d keys: other bytes than a builder's", f.Name, size, keys)
					}
				}
				m := contract.Must(simdbloom.NewMutable(f.Format, keys, 10, keyhash.XX64, simdbloom.WithSizeBytes(size)))
				least := min(keys, 8*f.UnitBytes*blocks)
				if m.SizeBytes() != size || m.Capacity() < least {
					t.Errorf("%s, %d keys: %d bytes, not %d, and a capacity of %d", f.Name, keys, m.SizeBytes(), size, m.Capacity())
				}
				var read simdbloom.Mutable
				if err := read.UnmarshalBinary(contract.Must(m.MarshalBinary())); err != nil || read.Capacity() != m.Capacity() {
					t.Errorf("%s, %d bytes for %d keys: a capacity of %d, read again %d, %v", f.Name, size, keys, m.Capacity(), read.Capacity(), err)
				}
			}
			for _, wrong := range []int{size - 1, size + 1, 0, -1, math.MinInt} {
				_, err := simdbloom.NewMutable(f.Format, 100, 10, keyhash.XX64, simdbloom.WithSizeBytes(wrong))
				_, err2 := simdbloom.NewConcurrent(f.Format, 100, 10, keyhash.XX64, simdbloom.WithSizeBytes(wrong))
				if err == nil || err2 == nil || !strings.Contains(err.Error(), "WithSizeBytes must be") || !strings.Contains(err.Error(), fmt.Sprint(wrong)) {
					t.Errorf("%s, %d bytes: %v, %v", f.Name, wrong, err, err2)
				}
			}
		}
	}
	for name, option := range map[string]simdbloom.Option{
		"WithVerification": simdbloom.WithVerification(), "WithConcurrency": simdbloom.WithConcurrency(2),
		"WithFasterLookups": linear.WithFasterLookups(), "WithConcurrency must be": simdbloom.WithConcurrency(0),
	} {
		if _, err := bloom.NewMutable(10, 10, keyhash.XX64, option); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

package buildtest

import (
	"math"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/naive"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/linear"
)

// Linear filters have no other size before they are built than the largest possible, and
// layers instead of one body.

// sized reports whether a builder may say that a filter of the given bytes has the size.
func (k kind) sized(size, bytes int) bool {
	return size == bytes || k.batch == inLines && size > bytes
}

// plainLinear solves one line after the other.
func (k kind) plainLinear(hashes []uint64) []byte {
	return contract.LinearBuilt(hashes, uint64(k.millibits()), math.MaxUint64, naive.LinearLoad)
}

// TestLinearWithoutRoom builds filters whose layers do not hold all keys, in parts and by
// several goroutines: they contain every key, and have the same bytes.
func TestLinearWithoutRoom(t *testing.T) {
	enoughProcs(t)
	if emulated {
		return // as for the kinds
	}
	for i, skew := range skews {
		hashes := slices.Compact(skewed(skew.hash, unlessSlow(150_000, 30_000)))
		k := kinds[slices.IndexFunc(kinds, func(k kind) bool { return k.batch == inLines })].within(len(hashes) / 2)
		var want []byte
		some := fewSettings(i)
		for j := range min(2, len(some)) {
			s := some[(i+j)%len(some)]
			b := k.verifying(t, s.concurrency)
			b.AddHashes(hashes)
			data := finish(t, b)
			if want == nil {
				want = data
			}
			same(t, data, want, "%s, %v", skew.name, s)
			f, err := linear.Open(data, keyhash.XX64)
			if err != nil || len(data) > k.maxBytes || len(f.AppendHits(nil, hashes)) != len(hashes) {
				t.Errorf("%s, %v: %d bytes, %v, or keys are missing", skew.name, s, len(data), err)
			}
		}
	}
}

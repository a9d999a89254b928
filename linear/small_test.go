package linear_test

import (
	"bytes"
	"math"
	"testing"

	plans "github.com/simdbloom/simdbloom/internal/formats/linear"
	"github.com/simdbloom/simdbloom/internal/geometry"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/naive"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
)

// TestLinesThatTryLongerFingerprints: filters of up to 32 lines have longer fingerprints than planned where these fit,
// and larger ones do not. Both have the naive builder's bytes.
func TestLinesThatTryLongerFingerprints(t *testing.T) {
	longer := make(map[uint64]int)
	for _, lines := range []uint64{31, 32, 33} {
		for keys := uint64(500); keys < 2000; keys += 7 {
			millibits := lines * plans.LineBits * 1000 / keys
			planned, _, total := naive.LinearPlan(keys, naive.LinearAsked(keys, millibits), naive.LinearLoad)
			if total != lines {
				continue
			}
			hashes := vectors.Hashes(keys, int(keys))
			data := contract.Linear.Build(t, float64(millibits)/1000, hashes)
			if geometry.FingerprintBits(contract.Linear.Opened(t, data)) <= planned {
				continue
			}
			if longer[lines]++; longer[lines] > 3 {
				continue
			}
			if want := naive.LinearBy(naive.LinearLine, hashes, millibits, math.MaxUint64, naive.LinearLoad); !bytes.Equal(data, want.Bytes()) {
				t.Errorf("%d keys in %d lines: other bytes than the naive builder's", keys, lines)
			}
		}
	}
	if longer[31] == 0 || longer[32] == 0 || longer[33] != 0 {
		t.Errorf("filters with longer fingerprints than planned, by their lines: %v", longer)
	}
}

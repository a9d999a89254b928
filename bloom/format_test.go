package bloom

import (
	"math"
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/layout"
)

func TestNoNumberOfKeysIsTooLargeForALimit(t *testing.T) {
	for _, n := range []int{math.MaxInt, math.MaxInt - 1, math.MaxInt32, math.MaxInt32 - 70} {
		p := plan{millibits: 100_000, limit: building.AtMost(n)}
		want := min(uint64(n-layout.TrailerBytes), asm.MaxBodyBytes) / 64 * 64
		for _, keys := range []uint64{1 << 30, 1 << 40, math.MaxInt64} {
			f := p.format(keys)
			if f.BodyBytes != want || f.BodyBytes > f.MaxBodyBytes || f.Probes < 1 {
				t.Errorf("%d keys in %d bytes: %d bytes with %d probes, want %d", keys, n, f.BodyBytes, f.Probes, want)
			}
		}
	}
}

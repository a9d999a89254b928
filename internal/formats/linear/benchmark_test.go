package linear

import (
	"fmt"
	"testing"
)

// BenchmarkPlan plans filters, which each builder does once.
func BenchmarkPlan(b *testing.B) {
	for _, keys := range []uint64{100, 1000, 10_000, 100_000, 10_000_000} {
		for _, millibits := range []uint64{8000, 12_000, 17_000, 23_400} {
			b.Run(fmt.Sprintf("keys=%d/bits=%v", keys, float64(millibits)/1000), func(b *testing.B) {
				for i := range b.N {
					n := keys + uint64(i)%(keys/10) // other numbers of keys take other ways
					Of(n, Asked(n, millibits), UsualLoad)
				}
			})
		}
	}
}

package bloom_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
)

// BenchmarkPages looks up in the same filter, k=6, in memory of make and in CopyAligned's,
// which are huge pages where there are any, in turn: fresh absent hashes in every
// pass. Its results are the medians of the passes, of which -benchtime=9x asks for
// nine. -short leaves out 1 GiB.
func BenchmarkPages(b *testing.B) {
	for _, mib := range []int{1, 8, 32, 1024} {
		b.Run(fmt.Sprintf("%dMiB", mib), func(b *testing.B) {
			if testing.Short() && mib > 32 {
				b.Skip("1 GiB twice")
			}
			ordinary := contract.FastLocal.Opened(b, tiled(b, mib))
			filters := []*simdbloom.Filter{ordinary, ordinary.CopyAligned()}
			n := max(64, 16*mib) << 10 // fresh lines in each pass
			hits := make([]bool, n)
			seed, passes := uint64(vectors.NegativeSeed), make([][]float64, len(filters))
			for b.Loop() {
				for i, f := range filters {
					b.StopTimer()
					hashes := vectors.Hashes(seed, n)
					seed++
					b.StartTimer()
					start := time.Now()
					f.ContainsHashes(hashes, hits)
					passes[i] = append(passes[i], float64(time.Since(start).Nanoseconds())/float64(n))
				}
			}
			for i, name := range []string{"make-ns/key", "CopyAligned-ns/key"} {
				slices.Sort(passes[i])
				b.ReportMetric(passes[i][len(passes[i])/2], name)
			}
		})
	}
}

// tiled returns a filter of the given MiB whose blocks are those of one of 1 MiB,
// over and over: as full as any, and made much sooner.
func tiled(b *testing.B, mib int) []byte {
	tile, _ := oneMiB(b, keyhash.XX64)
	body := len(tile) / 64 * 64
	data := make([]byte, 0, mib*body+len(tile)-body)
	for range mib {
		data = append(data, tile[:body]...)
	}
	return append(data, tile[body:]...)
}

// oneMiB returns the bytes of a filter of 1 MiB, k=6, and the filter.
func oneMiB(b *testing.B, hash keyhash.Hash) ([]byte, *simdbloom.Filter) {
	data := contract.FastLocal.Build(b, 10, vectors.Hashes(1, 1<<20*8/10))
	return data, contract.FastLocal.With(hash).Opened(b, data)
}

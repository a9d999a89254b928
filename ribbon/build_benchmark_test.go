package ribbon_test

import (
	"fmt"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
)

// BenchmarkBuild measures AddHashes and Finish, in ns a key.
func BenchmarkBuild(b *testing.B) {
	all := vectors.Hashes(1, 20_000_000)
	for _, n := range []int{10_000, 100_000, 1_000_000, len(all)} {
		for _, bitsPerKey := range []float64{10, 23.4} {
			for _, goroutines := range []int{1, 2} {
				b.Run(fmt.Sprintf("%v bits/%d keys/%d goroutines", bitsPerKey, n, goroutines), func(b *testing.B) {
					builder := contract.Ribbon.Builder(b, bitsPerKey, simdbloom.WithConcurrency(goroutines))
					memory := []byte{}
					for range b.N {
						builder.AddHashes(all[:n])
						var err error
						if memory, err = builder.AppendFinish(memory[:0]); err != nil {
							b.Fatal(err)
						}
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/key")
				})
			}
		}
	}
}

package linear_test

import (
	"fmt"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/linear"
)

// BenchmarkFasterLookups measures lookups of absent keys, in ns a hash, in filters without and with WithFasterLookups,
// of the same keys and rate. To compare them, run it several times: each run measures them in turn.
func BenchmarkFasterLookups(b *testing.B) {
	const inCall = 1 << 16
	absent, hits := vectors.Hashes(2, 1<<22), make([]bool, inCall)
	for _, size := range []int{16 << 10, 1 << 20, 32 << 20} {
		for _, bitsPerKey := range []float64{8.5, 17} {
			n := linear.KeysFor(size, bitsPerKey)
			keys, faster := vectors.Hashes(1, n), linear.WithFasterLookups()
			sameRate := linear.BitsPerKeyFor(n, linear.PredictedFPR(n, bitsPerKey), faster)
			filters := []*simdbloom.Filter{
				contract.Linear.Opened(b, contract.Linear.Build(b, bitsPerKey, keys)),
				contract.Linear.Opened(b, contract.Linear.Build(b, sameRate, keys, faster)),
			}
			for _, call := range []string{"one", "batch"} {
				for i, f := range filters {
					b.Run(fmt.Sprintf("%d KiB/%v bits/%s/faster=%t", size>>10, bitsPerKey, call, i > 0), func(b *testing.B) {
						at := 0
						for b.Loop() {
							some := absent[at : at+inCall]
							at = (at + inCall) % len(absent)
							if call == "batch" {
								f.ContainsHashes(some, hits)
							} else {
								oneByOne(f, some, hits)
							}
						}
						b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/inCall, "ns/hash")
					})
				}
			}
		}
	}
}

func oneByOne(f *simdbloom.Filter, hashes []uint64, hits []bool) {
	for i, hash := range hashes {
		hits[i] = f.ContainsHash(hash)
	}
}

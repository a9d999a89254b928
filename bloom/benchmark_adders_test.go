package bloom_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
)

// BenchmarkAdders adds 64 Ki different hashes a pass to filters of 16 KiB, 1 MiB and 32 MiB,
// k=6, one by one, in turn with lookups of others, and in a batch; ns/key is what counts. A
// pass in which the filter would become full begins with an empty one.
func BenchmarkAdders(b *testing.B) {
	const n = 1 << 16
	hashes := vectors.Hashes(6, 16*n)
	for _, size := range []int{16 << 10, 1 << 20, 32 << 20} {
		m := contract.Must(bloom.NewMutable(size*8/10, 10, keyhash.XX64))
		c := contract.Must(bloom.NewConcurrent(size*8/10, 10, keyhash.XX64))
		for _, way := range []struct {
			name string
			f    interface {
				Capacity() int
				Reset()
			}
			add func(hashes []uint64)
		}{
			{"Mutable.AddHash", m, func(hashes []uint64) {
				for _, hash := range hashes {
					m.AddHash(hash)
				}
			}},
			{"Mutable.AddHashIfAbsent", m, func(hashes []uint64) {
				for _, hash := range hashes {
					m.AddHashIfAbsent(hash)
				}
			}},
			{"Mutable.AddHash and ContainsHash", m, func(hashes []uint64) {
				for i, hash := range hashes {
					m.AddHash(hash)
					m.ContainsHash(hashes[i/2])
				}
			}},
			{"Mutable.AddHashes", m, m.AddHashes},
			{"Concurrent.AddHash", c, func(hashes []uint64) {
				for _, hash := range hashes {
					c.AddHash(hash)
				}
			}},
			{"Concurrent.AddHashIfAbsent", c, func(hashes []uint64) {
				for _, hash := range hashes {
					c.AddHashIfAbsent(hash)
				}
			}},
			{"Concurrent.AddHashes", c, c.AddHashes},
		} {
			b.Run(fmt.Sprintf("%s/%d KiB", way.name, size>>10), func(b *testing.B) {
				added, from := 0, 0
				for b.Loop() {
					if added += n; added > way.f.Capacity() {
						added = 0
						b.StopTimer()
						way.f.Reset()
						b.StartTimer()
					}
					way.add(hashes[from : from+n])
					from = (from + n) % len(hashes)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/key")
			})
		}
	}
}

// BenchmarkConcurrent adds to a filter of 32 MiB from as many goroutines as -cpu says.
func BenchmarkConcurrent(b *testing.B) {
	c := contract.Must(bloom.NewConcurrent(32<<20*8/10, 10, keyhash.XX64))
	b.RunParallel(func(pb *testing.PB) {
		r := rand.New(rand.NewPCG(rand.Uint64(), 0))
		for pb.Next() {
			c.AddHash(r.Uint64())
		}
	})
}

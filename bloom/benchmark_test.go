package bloom_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
)

// BenchmarkQueries looks up in a filter of 1 MiB, k=6, 64 Ki different absent hashes a
// pass, through each of the queries; ns/key is what counts.
func BenchmarkQueries(b *testing.B) {
	data, f := oneMiB(b, keyhash.XX64)
	const n = 1 << 16
	keys := vectors.Keys("user8", 0, n)
	hashes := vectors.Hashes(vectors.NegativeSeed, n)
	hits, bits, indexes := make([]bool, n), make([]uint64, n/64), make([]int, 0, n)
	found := 0
	for _, query := range []struct {
		name string
		pass func()
	}{
		{"Contains", func() {
			for _, key := range keys {
				if f.Contains(key) {
					found++
				}
			}
		}},
		{"ContainsHash", func() {
			for _, hash := range hashes {
				if f.ContainsHash(hash) {
					found++
				}
			}
		}},
		{"MayContainHash", func() {
			for _, hash := range hashes {
				if bloom.MayContainHash(data, hash) {
					found++
				}
			}
		}},
		{"ContainsKeys", func() { f.ContainsKeys(keys, hits) }},
		{"ContainsHashes", func() { f.ContainsHashes(hashes, hits) }},
		{"ContainsHashBits", func() { f.ContainsHashBits(hashes, bits) }},
		{"AppendHits", func() { f.AppendHits(indexes, hashes) }},
	} {
		b.Run(query.name, func(b *testing.B) {
			for b.Loop() {
				query.pass()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/key")
		})
	}
}

// BenchmarkContainsKeys looks up 64 Ki keys of one length a pass, with either of
// the key hashes.
func BenchmarkContainsKeys(b *testing.B) {
	const n = 1 << 16
	for _, hash := range []keyhash.Hash{keyhash.XX64, keyhash.XXPH3} {
		_, f := oneMiB(b, hash)
		for _, length := range []int{8, 16, 24, 32} {
			memory := make([]byte, n*length)
			for i := range memory {
				memory[i] = byte(rand.Uint32())
			}
			keys, hits := slices.Collect(slices.Chunk(memory, length)), make([]bool, n)
			b.Run(fmt.Sprintf("%s/%d", hash.Name(), length), func(b *testing.B) {
				for b.Loop() {
					f.ContainsKeys(keys, hits)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/key")
			})
		}
	}
}

// oneMiB returns the bytes of a filter of 1 MiB, k=6, and the filter.
func oneMiB(b *testing.B, hash keyhash.Hash) ([]byte, *simdbloom.Filter) {
	data := contract.FastLocal.Build(b, 10, vectors.Hashes(1, 1<<20*8/10))
	return data, contract.FastLocal.With(hash).Opened(b, data)
}

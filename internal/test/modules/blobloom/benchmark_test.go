package blobloom_test

import (
	"fmt"
	"testing"

	original "github.com/greatroar/blobloom"

	"github.com/simdbloom/simdbloom/blobloom"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
)

// BenchmarkLookups has absent keys in filters of 10 bits per key and k = 7. Each way of a size takes its turn: compare
// them inside one run, with -count.
func BenchmarkLookups(b *testing.B) {
	queries := vectors.Hashes(2, 1<<16)
	words, hits := make([]uint64, len(queries)/64), make([]bool, len(queries))
	for _, size := range []int{16 << 10, 1 << 20, 32 << 20} {
		theirs := original.New(uint64(8*size), 7)
		m, err := blobloom.New(uint64(8*size), 7, hash)
		if err != nil {
			b.Fatal(err)
		}
		added := vectors.Hashes(1, size*8/10)
		for _, h := range added {
			theirs.Add(h)
		}
		m.AddHashes(added)
		run := func(name string, each func()) {
			b.Run(fmt.Sprintf("%dKiB/%s", size>>10, name), func(b *testing.B) {
				each()
				for range b.N {
					each()
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(queries)), "ns/key")
			})
		}
		found := 0
		run("original", func() {
			for _, h := range queries {
				if theirs.Has(h) {
					found++
				}
			}
		})
		run("one", func() {
			for _, h := range queries {
				if m.ContainsHash(h) {
					found++
				}
			}
		})
		run("bits", func() { m.ContainsHashBits(queries, words) })
		run("bools", func() { m.ContainsHashes(queries, hits) })
		run("bytes", func() {
			data := m.Bytes()
			for _, h := range queries {
				if blobloom.MayContainHash(data, h) {
					found++
				}
			}
		})
	}
}

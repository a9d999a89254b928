package simdbloom_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/keyhash"
)

// BenchmarkColumns hashes and looks up a million values, about half of them present, in FastLocal filters of 10
// bits per key. ContainsHashBits has the hashes already.
func BenchmarkColumns(b *testing.B) {
	const queries = 1 << 20
	for _, size := range []int{16 << 10, 1 << 20, 32 << 20} {
		keys := size * 8 / 10
		builder := must(bloom.NewBuilder(10, keyhash.XX64))
		for i := range keys {
			builder.AddUint64(uint64(2 * i))
		}
		f := must(builder.Filter()).CopyAligned()
		values, halves := make([]int64, queries), make([]int32, queries)
		offsets, data := []int32{0}, []byte(nil)
		for i := range values {
			values[i] = rand.Int64N(2 * int64(keys))
			halves[i] = int32(values[i])
			data = fmt.Appendf(data, "%016x", values[i])
			offsets = append(offsets, int32(len(data)))
		}
		validity := make([]byte, queries/8)
		for i := range validity {
			validity[i] = byte(rand.Uint32())
		}
		hits, selected := make([]uint64, queries/64), make([]int32, 0, queries)
		hashes := keyhash.XX64.AppendColumn(nil, keyhash.Values(values))
		for name, query := range map[string]func(){
			"ContainsHashBits": func() { f.ContainsHashBits(hashes, hits) },
			"int64":            func() { f.ContainsColumn(keyhash.Values(values), hits) },
			"int64, nulls":     func() { f.ContainsColumn(keyhash.Values(values).WithValidity(validity, 0), hits) },
			"int64, indexes":   func() { f.AppendColumnHits(selected, keyhash.Values(values)) },
			"int32":            func() { f.ContainsColumn(keyhash.Values(halves), hits) },
			"strings":          func() { f.ContainsColumn(must(keyhash.Strings(offsets, data)), hits) },
		} {
			b.Run(fmt.Sprintf("%d KiB/%s", size>>10, name), func(b *testing.B) {
				for b.Loop() {
					query()
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/queries, "ns/value")
			})
		}
	}
}

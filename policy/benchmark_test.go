package policy_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// BenchmarkMayContain looks up 64 Ki keys of 16 or 20 bytes a pass, half of them present, one by one as a database
// does: by the policy, in the filter's bytes. Pin it to one CPU.
func BenchmarkMayContain(b *testing.B) {
	const pass = 1 << 16
	for _, text := range []string{"simdbloom.FastLocal:10", "simdbloom.Paired:23.4", "simdbloom.SplitBlock:10", "rocksdb.BloomFilter:10"} {
		for _, size := range []int{16 << 10, 1 << 20, 32 << 20} {
			for _, length := range []int{16, 20} {
				b.Run(fmt.Sprintf("%s/%dKiB/%d", text, size>>10, length), func(b *testing.B) {
					p := parse(b, text)
					builder := p.NewBuilder()
					memory := make([]byte, length*pass)
					for i := range memory {
						memory[i] = byte(rand.Uint32())
					}
					keys := slices.Collect(slices.Chunk(memory, length))
					for i := 0; i < pass/2 && builder.SizeBytes() < size; i++ {
						builder.Add(keys[2*i])
					}
					for builder.SizeBytes() < size {
						builder.AddHash(rand.Uint64())
					}
					data, err := builder.Finish()
					if err != nil {
						b.Fatal(err)
					}
					found := 0
					for b.Loop() {
						for _, key := range keys {
							if p.MayContain(data, key) {
								found++
							}
						}
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/pass, "ns/key")
				})
			}
		}
	}
}

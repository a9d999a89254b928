package asm_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/test/naive"
)

// BenchmarkSpeedbMayContain looks 64 Ki absent hashes up in the bytes of filters: of those whose trailer tells the
// batches, and of those of both sizes whose trailer does not.
func BenchmarkSpeedbMayContain(b *testing.B) {
	const pass = 1 << 16
	for _, batch := range []int{128, 32} {
		for _, size := range []int{16 << 10, 1 << 20} {
			r := rand.New(rand.NewPCG(1, uint64(size)))
			hashes := make([]uint64, pass)
			for i := range hashes {
				hashes[i] = r.Uint64()
			}
			keys := make([]uint64, size*8/24)
			for i := range keys {
				keys[i] = r.Uint64()
			}
			data := naive.PairedOf(size/64/batch, keys, 16, batch)
			run := func(name string, mayContain func(data []byte, hash uint64) bool) {
				b.Run(fmt.Sprintf("%d/%dKiB/%s", batch, size>>10, name), func(b *testing.B) {
					for b.Loop() {
						for _, hash := range hashes {
							mayContain(data, hash)
						}
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/pass, "ns/hash")
				})
			}
			run("told", asm.PairedMayContain)
			run("asked", asm.SpeedbMayContain)
			data[len(data)-2] = 0
			run("in doubt", asm.SpeedbMayContain)
		}
	}
}

package ribbon_test

import (
	"fmt"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
)

// The number of keys is that of a filter of about 1 MiB at 10 bits per key.
const benchmarked = 1_000_000

func BenchmarkContains(b *testing.B) {
	present, absent := vectors.Hashes(1, benchmarked), vectors.Hashes(vectors.NegativeSeed, benchmarked)
	for _, bpk := range []float64{10, 23.4} {
		f := contract.Ribbon.Opened(b, contract.Ribbon.Build(b, bpk, present))
		for name, hashes := range map[string][]uint64{"present": present, "absent": absent} {
			b.Run(fmt.Sprintf("%vbits/%s/single", bpk, name), func(b *testing.B) { one(b, f, hashes) })
			b.Run(fmt.Sprintf("%vbits/%s/batch", bpk, name), func(b *testing.B) { batch(b, f, hashes) })
		}
	}
}

func one(b *testing.B, f *simdbloom.Filter, hashes []uint64) {
	hits, i := 0, 0
	for b.Loop() {
		if f.ContainsHash(hashes[i]) {
			hits++
		}
		if i++; i == len(hashes) {
			i = 0
		}
	}
	if hits > b.N {
		b.Fatal("more hits than lookups")
	}
}

func batch(b *testing.B, f *simdbloom.Filter, hashes []uint64) {
	words := make([]uint64, 1<<10/64)
	for b.Loop() {
		for i := 0; i+1<<10 <= 1<<19; i += 1 << 10 {
			f.ContainsHashBits(hashes[i:i+1<<10], words)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(1<<19), "ns/key")
}

package filterset_test

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/simdbloom/simdbloom/filterset"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/policy"
)

// BenchmarkSets builds a set of numbers within 1 GiB, once, and looks up others, 2^20 in an operation.
// SIMDBLOOM_SET_KEYS is how many are in the set, a million if it is not given, SIMDBLOOM_SET_POLICY the policy.
func BenchmarkSets(b *testing.B) {
	n := int(must(strconv.ParseFloat(cmp.Or(os.Getenv("SIMDBLOOM_SET_KEYS"), "1e6"), 64)))
	p := must(policy.Parse(cmp.Or(os.Getenv("SIMDBLOOM_SET_POLICY"), "simdbloom.Linear:12")))
	dir := filepath.Join(b.TempDir(), "set")
	builder := must(filterset.NewBuilder(dir, p, int64(n), 1<<30))
	defer builder.Close()
	begin := time.Now()
	values := make([]uint64, 4096)
	for from := 0; from < n; from += len(values) {
		values = values[:min(len(values), n-from)]
		for i := range values {
			values[i] = uint64(from + i)
		}
		builder.AddColumn(keyhash.Values(values))
	}
	added := time.Now()
	if err := builder.Finish(context.Background()); err != nil {
		b.Fatal(err)
	}
	built := time.Now()
	s := openSet(b, dir)
	if err := s.Verify(context.Background(), nil); err != nil { // which has the system read it
		b.Fatal(err)
	}
	b.Logf("%d keys, %d MiB, %d parts: adding %.1f s, building %.1f s, verifying %.2f s",
		n, s.Info().SizeBytes()>>20, s.Info().NumParts(), added.Sub(begin).Seconds(), built.Sub(added).Seconds(), time.Since(built).Seconds())

	looked, hits := make([]uint64, 1<<20), make([]bool, 1<<20)
	for i := range looked {
		looked[i] = rand.Uint64N(uint64(n))
	}
	s.ContainsUint64s(looked, hits)
	for i, hit := range hits {
		if !hit {
			b.Fatalf("%d is missing", looked[i])
		}
	}
	for _, batch := range []int{1, 1 << 10, 1 << 16, 1 << 20} {
		b.Run(fmt.Sprintf("batches of %d", batch), func(b *testing.B) {
			found := 0
			b.ResetTimer()
			for range b.N {
				b.StopTimer()
				for i := range looked {
					looked[i] = rand.Uint64() | 1<<63
				}
				b.StartTimer()
				for at := 0; at < len(looked); at += batch {
					if batch == 1 {
						hits[at] = s.ContainsUint64(looked[at])
					} else {
						s.ContainsUint64s(looked[at:at+batch], hits[at:])
					}
				}
				for _, hit := range hits {
					if hit {
						found++
					}
				}
			}
			lookups := float64(b.N) * float64(len(looked))
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/lookups, "ns/lookup")
			b.ReportMetric(float64(found)/lookups, "rate")
			b.ReportMetric(0, "ns/op")
		})
	}
}

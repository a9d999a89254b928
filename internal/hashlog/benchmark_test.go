package hashlog

import (
	"fmt"
	"math"
	"testing"

	"github.com/simdbloom/simdbloom/internal/test/vectors"
)

// Memory is reused, as by a builder that builds one filter after another. The first pass,
// which allocates it, is not measured.
func BenchmarkAddAll(b *testing.B) {
	hashes := vectors.Hashes(9, 1<<24)
	for _, kind := range []struct {
		name       string
		linear     int
		goroutines int
		slice      int
	}{
		{"chunks", math.MaxInt, 1, len(hashes)},
		{"chunks/2048 at once", math.MaxInt, 1, 2048},
		{"lists", 0, 1, len(hashes)},
		{"lists/2048 at once", 0, 1, 2048},
		{"lists/100 at once", 0, 1, 100},
		{"lists/2 goroutines", 0, 2, len(hashes)},
		{"lists/2 goroutines, 65536 at once", 0, 2, 1 << 16},
		{"chunks, then lists", 6_700_000, 1, 2048},
	} {
		l := New(kind.linear, kind.goroutines)
		add := func() {
			for rest := hashes; len(rest) > 0; {
				n := min(kind.slice, len(rest))
				l.AddAll(rest[:n])
				rest = rest[n:]
			}
			l.Flush()
			l.Reset()
		}
		add()
		b.Run(kind.name, func(b *testing.B) {
			for b.Loop() {
				add()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(hashes)), "ns/key")
		})
	}
}

func BenchmarkAdd(b *testing.B) {
	hashes := vectors.Hashes(9, 1<<22)
	for _, linear := range []int{0, math.MaxInt} {
		l := New(linear, 1)
		b.Run(fmt.Sprintf("lists=%v", linear == 0), func(b *testing.B) {
			for b.Loop() {
				for _, hash := range hashes {
					l.Add(hash)
				}
				l.Flush()
				l.Reset()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(hashes)), "ns/key")
		})
	}
}

package sliced_test

import (
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/sliced"
)

// BenchmarkFilters looks up absent keys in filters that were built, at 10 bits per key, and reports the least of passes
// that take turns, in microseconds a key: of a loop of ContainsHash, of AppendFilters, of AppendHits at each level of
// this machine, and of 1,000 keys a call by Candidates of both packages and Hits; and the microseconds a filter of
// Append and AppendAll. SIMDBLOOM_SLICED has sizes: filters x keys of each.
func BenchmarkFilters(b *testing.B) {
	sizes := "64x1000 128x1000 1024x1000 10240x1000"
	if given := os.Getenv("SIMDBLOOM_SLICED"); given != "" {
		sizes = given
	}
	for _, size := range strings.Fields(sizes) {
		b.Run(size, func(b *testing.B) {
			before, after, _ := strings.Cut(size, "x")
			benchmarkFilters(b, contract.Must(strconv.Atoi(before)), contract.Must(strconv.Atoi(after)))
		})
	}
}

func benchmarkFilters(b *testing.B, n, keys int) {
	random := rand.New(rand.NewPCG(1, 2))
	hashes := make([]uint64, max(keys, 1000))
	fresh := func() []uint64 {
		for i := range hashes {
			hashes[i] = random.Uint64()
		}
		return hashes
	}
	filters := make([]*simdbloom.Filter, n)
	for i := range filters {
		builder := contract.Must(bloom.NewBuilder(10, keyhash.XX64))
		builder.AddHashes(fresh()[:keys])
		filters[i] = contract.Must(builder.Filter())
	}
	s := sliced.New(keyhash.XX64)
	passes := make(map[string][]float64)
	pass := func(name string, per int, f func()) {
		begin := time.Now()
		f()
		passes[name] = append(passes[name], time.Since(begin).Seconds()*1e6/float64(per))
	}
	var hits []int
	one := max(1, min(200, 2_000_000/n)) // keys of a pass by the slower ways
	level := func(level cpu.Level) {
		if cpu.Current().Includes(level) {
			restore := cpu.Limit(level)
			defer restore()
			for _, hash := range fresh() { // warm
				hits = s.AppendHits(hits[:0], hash)
			}
			fresh()
			pass("AppendHits-"+level.String(), len(hashes), func() {
				for _, hash := range hashes {
					hits = s.AppendHits(hits[:0], hash)
				}
			})
		}
	}
	all := make([]uint64, (len(hashes)+63)/64)
	for i := range all {
		all[i] = ^uint64(0)
	}
	contract.Must(s.AppendAll(filters))
	for b.Loop() {
		fresh()
		pass("loop", one, func() {
			for _, hash := range hashes[:one] {
				hits = hits[:0]
				for i, f := range filters {
					if f.ContainsHash(hash) {
						hits = append(hits, i)
					}
				}
			}
		})
		pass("AppendFilters", one, func() {
			for _, hash := range hashes[:one] {
				hits = simdbloom.AppendFilters(hits[:0], filters, hash)
			}
		})
		for _, l := range []cpu.Level{cpu.Generic, cpu.NEON, cpu.AVX2, cpu.AVX512} {
			level(l)
		}
		thousand := fresh()[:1000]
		found := 0
		pass("Candidates-root", len(thousand), func() {
			for _, keys := range simdbloom.Candidates(filters, thousand, all) {
				found += len(keys)
			}
		})
		pass("Candidates", len(thousand), func() {
			for _, keys := range s.Candidates(thousand, all) {
				found -= len(keys)
			}
		})
		if found != 0 {
			b.Fatalf("%d hits more or less", found)
		}
		pass("Hits", len(thousand), func() {
			for _, ids := range s.Hits(thousand) {
				found += len(ids)
			}
		})
		made := sliced.New(keyhash.XX64)
		pass("AppendAll/filter", n, func() { contract.Must(made.AppendAll(filters)) })
		if n <= 10_240 && keys <= 1000 {
			made = sliced.New(keyhash.XX64)
			pass("Append/filter", n, func() {
				for _, f := range filters {
					contract.Must(made.Append(f))
				}
			})
		}
	}
	for name, all := range passes {
		b.ReportMetric(slices.Min(all), "µs-"+name)
	}
	bytes := 0
	for _, f := range filters {
		bytes += f.SizeBytes()
	}
	b.ReportMetric(100*float64(s.SizeBytes())/float64(bytes)-100, "%-more-memory")
	b.ReportMetric(0, "ns/op")
}

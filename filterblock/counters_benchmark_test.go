package filterblock_test

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/filterblock"
	"github.com/simdbloom/simdbloom/keyhash"
)

// BenchmarkCounting runs loops of queries that count nothing, that count, and that add one to a
// single atomic counter, in turn. It reports medians in nanoseconds a query: of the first
// loop, and of what the others take more. 1 in 100 answers is "may contain", or every other one
// with "half".
//
//	go test -run '^$' -bench 'Counting$' -benchtime 1x ./filterblock
func BenchmarkCounting(b *testing.B) {
	for _, of := range []struct {
		name  string
		among uint32
	}{{"answers", 100}, {"answers=half", 2}} {
		b.Run(of.name, func(b *testing.B) {
			interleaved(b, func(seed uint64) func(int) bool {
				random, answers := rand.New(rand.NewPCG(seed, 23)), make([]bool, turn)
				for i := range answers {
					answers[i] = random.Uint32N(of.among) == 0
				}
				return func(i int) bool { return answers[i] }
			})
		})
	}
	for _, size := range []struct {
		name string
		keys int
	}{{"filter=16KiB", 13_000}, {"filter=32MiB", 26_000_000}} {
		b.Run(size.name, func(b *testing.B) {
			builder, err := bloom.NewBuilder(10, keyhash.XX64)
			if err != nil {
				b.Fatal(err)
			}
			for n := range uint64(size.keys) {
				builder.AddHash(n * 0x9e3779b97f4a7c15)
			}
			data, err := builder.Finish()
			if err != nil {
				b.Fatal(err)
			}
			f, err := bloom.Open(data, keyhash.XX64)
			if err != nil {
				b.Fatal(err)
			}
			interleaved(b, func(seed uint64) func(int) bool {
				random := rand.New(rand.NewPCG(seed, 23))
				hashes := make([]uint64, turn)
				for i := range hashes {
					hashes[i] = random.Uint64()
				}
				return func(i int) bool { return f.ContainsHash(hashes[i]) }
			})
		})
	}
}

const (
	turns = 401
	turn  = 8192 // queries
)

// interleaved measures queries, which are fresh for each turn of a loop.
func interleaved(b *testing.B, fresh func(seed uint64) (query func(i int) bool)) {
	var (
		counters filterblock.Counters
		one      atomic.Uint64
		hits     int
	)
	loops := []func(query func(i int) bool){
		func(query func(i int) bool) {
			for i := range turn {
				if query(i) {
					hits++
				}
			}
		},
		func(query func(i int) bool) {
			for i := range turn {
				may := query(i)
				counters.CountKey(nil, may)
				if may {
					hits++
				}
			}
		},
		func(query func(i int) bool) {
			for i := range turn {
				may := query(i)
				one.Add(1)
				if may {
					hits++
				}
			}
		},
	}
	times := make([][]float64, len(loops))
	for n := range b.N * turns {
		took := make([]float64, len(loops))
		for i := range loops {
			which := (n + i) % len(loops)
			query := fresh(uint64(n*len(loops) + i))
			start := time.Now()
			loops[which](query)
			took[which] = float64(time.Since(start).Nanoseconds()) / turn
		}
		for i := range loops {
			times[i] = append(times[i], took[i]-min(float64(i), 1)*took[0])
		}
	}
	runtime.KeepAlive(hits)
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(median(times[0]), "query-ns")
	b.ReportMetric(median(times[1]), "counting-ns")
	b.ReportMetric(median(times[2]), "addition-ns")
}

func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}

// BenchmarkCountingAtOnce counts in as many goroutines as -cpu says, beside additions to one
// counter for all, which is what stripes are there to avoid.
//
//	go test -run '^$' -bench AtOnce -cpu 1,2 -count 5 ./filterblock
func BenchmarkCountingAtOnce(b *testing.B) {
	var counters filterblock.Counters
	var one [2]atomic.Uint64
	const queries = 1000
	for _, way := range []struct {
		name  string
		count func(n int)
	}{
		{"striped", func(n int) {
			for i := range n {
				counters.CountKey(nil, i%4 == 0)
			}
		}},
		{"one", func(n int) {
			for i := range n {
				one[min(1, i%4)].Add(1)
			}
		}},
	} {
		b.Run(way.name, func(b *testing.B) {
			b.RunParallel(func(p *testing.PB) {
				for p.Next() {
					way.count(queries)
				}
			})
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/queries, "ns/query")
		})
	}
}

// BenchmarkLookupsInFlight measures the beginning, the query and the end of a point lookup of a prefix, and queries by
// seeks.
func BenchmarkLookupsInFlight(b *testing.B) {
	prefix := []byte("user:12345678")
	for name, do := range map[string]func(c *filterblock.Counters){
		"lookup": func(c *filterblock.Counters) {
			c.BeginLookup(prefix)
			c.CountPrefix(prefix, true)
			c.EndLookup(prefix, true)
		},
		"seek": func(c *filterblock.Counters) { c.CountPrefix(prefix, true) },
	} {
		b.Run(name, func(b *testing.B) {
			var counters filterblock.Counters
			counters.BeginLookup([]byte("another"))
			for range b.N {
				do(&counters)
			}
		})
	}
}

package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/cespare/xxhash/v2"
	split "github.com/parquet-go/parquet-go/bloom"

	root "github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/test/tables"
	"github.com/simdbloom/simdbloom/keyhash"
)

// BenchmarkTurns adds a key of 16 bytes and looks another one up, in turn, half of the latter present, in filters that
// have half of their keys: 10 bits each, in caches. It reports medians of passes that take turns, and their ratios to
// parquet-go's. Pin it to one CPU, and give it 9x or more.
func BenchmarkTurns(b *testing.B) {
	for _, size := range []int{16 << 10, 576 << 10, 1 << 20} {
		b.Run(fmt.Sprintf("%dKiB", size>>10), func(b *testing.B) { benchmarkTurns(b, size) })
	}
}

// turns adds keys to a new filter with room for n, and then adds and looks up in turn. It returns the time of these,
// and how many were found. These functions are at package level: Go 1.26 inlined the calls of only some closures in a
// benchmark, and the branch in tables.One, which was mispredicted, doubled the time of the others.
type turns func(n int, before, added, asked [][]byte) (took time.Duration, found int)

func parquetTurns(n int, before, added, asked [][]byte) (took time.Duration, found int) {
	f := make(split.SplitBlockFilter, n*adderBits/8/split.BlockSize)
	for _, key := range before {
		f.Insert(xxhash.Sum64(key))
	}
	start := time.Now()
	for i, key := range added {
		f.Insert(xxhash.Sum64(key))
		found += tables.One(f.Check(xxhash.Sum64(asked[i])))
	}
	return time.Since(start), found
}

func fastLocalTurns(n int, before, added, asked [][]byte) (took time.Duration, found int) {
	return mutableTurns(root.FastLocal, n, before, added, asked)
}

func splitBlockTurns(n int, before, added, asked [][]byte) (took time.Duration, found int) {
	return mutableTurns(root.SplitBlock, n, before, added, asked)
}

func mutableTurns(format root.Format, n int, before, added, asked [][]byte) (took time.Duration, found int) {
	f, err := root.NewMutable(format, n, adderBits, keyhash.XX64)
	if err != nil {
		panic(err)
	}
	f.AddKeys(before)
	start := time.Now()
	for i, key := range added {
		f.Add(key)
		found += tables.One(f.Contains(asked[i]))
	}
	return time.Since(start), found
}

func benchmarkTurns(b *testing.B, size int) {
	const pass = 1 << 16
	n := size * 8 / adderBits
	ways := []struct {
		name  string
		turns turns
	}{{"parquet-go", parquetTurns}, {"FastLocal", fastLocalTurns}, {"SplitBlock", splitBlockTurns}}
	half := n / 2
	memory := make([]byte, 16*(n+half))
	keys := slices.Collect(slices.Chunk(memory, 16))
	times := make([][]float64, len(ways))
	random := rand.New(rand.NewPCG(1, uint64(size)))
	for b.Loop() {
		for i, way := range ways {
			took, timed := time.Duration(0), 0
			for timed < pass {
				for j := range memory {
					memory[j] = byte(random.Uint32())
				}
				before, added, asked := keys[:half], keys[half:2*half], keys[2*half:][:half]
				for j := range asked {
					if random.IntN(2) == 0 {
						copy(asked[j], before[random.IntN(half)])
					}
				}
				duration, found := way.turns(n, before, added, asked)
				if found < half/3 {
					b.Fatalf("%s finds %d of %d keys", way.name, found, half)
				}
				took += duration
				timed += half
			}
			times[i] = append(times[i], float64(took.Nanoseconds())/float64(timed))
		}
	}
	for i, way := range ways {
		slices.Sort(times[i])
		median := times[i][len(times[i])/2]
		b.ReportMetric(median, way.name+"-ns")
		b.ReportMetric(median/times[0][len(times[0])/2], way.name+"-ratio")
	}
}

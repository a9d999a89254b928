package bloom_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/splitmix"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
)

// BenchmarkMany looks up 64 Ki fresh keys a pass in 8 and in 64 filters of 1 MiB. Half
// of the keys are in one of the filters, the others in none. A key is found in the
// filter that it was added to, and then sought no more, except by AppendFilters, which
// looks into all filters. It reports medians of passes that take turns. Pin it to one
// CPU, and give it 10x or more.
func BenchmarkMany(b *testing.B) {
	for _, m := range []int{8, 64} {
		benchmarkMany(b, contract.FastLocal, 10, m)
		benchmarkMany(b, contract.Paired128, 23.4, m)
	}
}

func benchmarkMany(b *testing.B, format contract.Format, bitsPerKey float64, m int) {
	b.Run(fmt.Sprintf("%s/%d", format.Name, m), func(b *testing.B) {
		keys := int(1 << 20 * 8 / bitsPerKey) // in each filter
		filters := make([]*simdbloom.Filter, m)
		for i := range filters {
			filters[i] = format.Opened(b, format.Build(b, bitsPerKey, vectors.Hashes(uint64(i)<<40, keys)))
		}
		ways := []struct {
			name string
			pass func(filters []*simdbloom.Filter, hashes []uint64, home []int) (found int)
		}{
			{"ContainsHash", keyAfterKey},
			{"AppendFilters", appendFilters},
			{"Candidates-8", candidates(8)},
			{"Candidates-64", candidates(64)},
			{"Candidates-1024", candidates(1024)},
		}
		r, passes := rand.New(rand.NewPCG(1, uint64(m))), make([][]float64, len(ways))
		hashes, home := make([]uint64, 1<<16), make([]int, 1<<16)
		for b.Loop() {
			for i, way := range ways {
				want := 0
				for i := range hashes {
					hashes[i], home[i] = r.Uint64(), -1
					if r.IntN(2) == 0 {
						home[i] = r.IntN(m)
						hashes[i] = splitmix.Value(uint64(home[i])<<40, r.Uint64N(uint64(keys)))
						want++
					}
				}
				start := time.Now()
				found := way.pass(filters, hashes, home)
				passes[i] = append(passes[i], float64(time.Since(start).Nanoseconds())/float64(len(hashes)))
				if found != want {
					b.Fatalf("%s: found %d keys of %d", way.name, found, want)
				}
			}
		}
		for i, way := range ways {
			slices.Sort(passes[i])
			b.ReportMetric(passes[i][len(passes[i])/2], way.name+"-ns/key")
		}
	})
}

func keyAfterKey(filters []*simdbloom.Filter, hashes []uint64, home []int) (found int) {
	for i, hash := range hashes {
		for filter, f := range filters {
			if f.ContainsHash(hash) && home[i] == filter {
				found++
				break
			}
		}
	}
	return found
}

func appendFilters(filters []*simdbloom.Filter, hashes []uint64, home []int) (found int) {
	room := make([]int, 0, len(filters))
	for i, hash := range hashes {
		for _, filter := range simdbloom.AppendFilters(room, filters, hash) {
			if home[i] == filter {
				found++
				break
			}
		}
	}
	return found
}

// candidates looks up a batch of the given number of keys at a time.
func candidates(batch int) func(filters []*simdbloom.Filter, hashes []uint64, home []int) (found int) {
	return func(filters []*simdbloom.Filter, hashes []uint64, home []int) (found int) {
		wanted := make([]uint64, (batch+63)/64)
		for ; len(hashes) > 0; hashes, home = hashes[batch:], home[batch:] {
			for i := range wanted {
				wanted[i] = ^uint64(0)
			}
			for filter, keys := range simdbloom.Candidates(filters, hashes[:batch], wanted) {
				for _, key := range keys {
					if home[key] == filter {
						found++
						wanted[key/64] &^= 1 << (key % 64)
					}
				}
			}
		}
		return found
	}
}

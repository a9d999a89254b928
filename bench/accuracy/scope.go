package main

import (
	"slices"

	"github.com/simdbloom/simdbloom/asm"
)

// scope is how much is measured.
type scope struct {
	largeKeys, rareKeys                     int
	largeQueries, rareQueries               float64
	linear                                  []float64 // bits per key of large filters
	ribbon                                  []point
	sameRateKeys                            int
	sameRate                                []float64 // bits per key of FastLocal
	legacy, levelDB                         []point
	mostNarrow                              int // filters in such a setting
	choice, batches, scatter, promise, grid axes
	falsePositives                          int     // to be met by each setting,
	mostQueries                             float64 // the limit
}

// axes are a section's numbers of keys, and its bits per key or its rates.
type axes struct {
	keys   []int
	values []float64
}

var full = scope{
	largeKeys: 10_000_000, largeQueries: 1e9,
	rareKeys: 100_000, rareQueries: 5e9,
	linear: []float64{8, 10, 12, 14, 16, 18, 20, 23.4},
	ribbon: slices.Concat(
		points(6, 1000, 10_000, 100_000, 1_000_000, 10_000_000),
		points(10, 1000, 10_000, 100_000, 1_000_000, 10_000_000),
		points(16, 1000, 10_000, 100_000, 1_000_000, 10_000_000),
		points(23.4, 1000, 10_000, 100_000, 1_000_000, 10_000_000),
	),
	sameRateKeys: 1_000_000, sameRate: []float64{8, 10, 12, 16, 20, 23.4, 28},
	legacy: slices.Concat(
		points(10, 1000, 10_000, 100_000, 1_000_000),
		// Numbers of lines around powers of two.
		points(10, keysOf(10, 1<<14-1, 1<<14+1, 1<<15-1, 1<<15+1, 3<<14+1, 1<<16-1, 1<<16+1, 1<<16+65, 1<<17-1, 1<<17+1)...),
		points(10, 10_000_000),
		points(16, 1000, 10_000, 100_000, 1_000_000),
		points(16, keysOf(16, 1<<15+1, 3<<14+1, 1<<16-1, 1<<16+1, 1<<16+65, 1<<17+1)...),
		points(16, 10_000_000),
	),
	levelDB: slices.Concat(
		points(10, 1000, 3000, 3001, 10_000, 100_000, 100_003, 300_000, 1_000_000),
		points(16, 1000, 3000, 3001, 10_000, 100_000, 100_003, 300_000, 1_000_000),
	),
	choice: axes{
		[]int{300, 1000, 3000, 10_000, 30_000, 50_000, 100_000, 1_000_000},
		[]float64{4, 6, 8, 10, 12, 16, 20, 23.4},
	},
	batches: axes{
		[]int{300, 1000, 3000, 10_000, 30_000, 50_000, 100_000, 300_000, 1_000_000},
		[]float64{10, 16, 23.4},
	},
	scatter: axes{[]int{1000, 3000, 10_000, 30_000, 100_000}, []float64{10, 16, 23.4}},
	promise: axes{[]int{100, 1000, 10_000, 100_000, 1_000_000}, []float64{1e-1, 1e-2, 1e-3, 1e-4, 1e-5}},
	grid: axes{
		[]int{100, 1000, 10_000, 100_000, 1_000_000, 10_000_000},
		[]float64{2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 16, 18, 20, 22, 23.4, 25, 28, 30, 32, 36, 40},
	},
	mostNarrow:     40,
	falsePositives: 20_000, mostQueries: 2e8,
}

// scaled returns the scope with its numbers of queries multiplied.
func (s scope) scaled(by float64) scope {
	s.largeQueries *= by
	s.rareQueries *= by
	s.mostQueries *= by
	s.falsePositives = int(by * float64(s.falsePositives))
	return s
}

// keysOf returns the largest numbers of keys for some numbers of lines.
func keysOf(bitsPerKey int, lines ...int) (keys []int) {
	for _, n := range lines {
		keys = append(keys, n*asm.BlockBytes*8/bitsPerKey)
	}
	return keys
}

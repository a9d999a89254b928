package main

import (
	root "github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/legacy"
	"github.com/simdbloom/simdbloom/leveldb"
	"github.com/simdbloom/simdbloom/linear"
	"github.com/simdbloom/simdbloom/paired"
	"github.com/simdbloom/simdbloom/ribbon"
	"github.com/simdbloom/simdbloom/splitblock"
)

// Bits per key of the filters whose rates are measured.
var (
	fine     = []float64{6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 36, 40}
	counters = []float64{20, 24, 32, 40, 48, 56, 64, 72, 80} // four bits for each of a Bloom filter
	powers   = []float64{8, 16, 32}                          // of sizes that are powers of two
)

// peers are this project's and other libraries' filters.
var peers = []*peer{
	{name: "FastLocal", module: project, own: true, asked: fine, new: newFastLocal, predicted: without(bloom.PredictedFPR), bitsPerKeyFor: bloom.BitsPerKeyFor},
	{name: "Paired", module: project, own: true, asked: fine, new: newPaired, predicted: without(paired.PredictedFPR), bitsPerKeyFor: without(paired.BitsPerKeyFor)},
	{name: "Linear", module: project, own: true, asked: fine, new: newLinear, predicted: without(linear.PredictedFPR), bitsPerKeyFor: without(linear.BitsPerKeyFor)},
	// The bits per key asked for are FastLocal's for the same rate.
	{name: "Ribbon", module: project, own: true, asked: fine, new: newRibbon, predicted: without(ribbon.PredictedFPR), bitsPerKeyFor: ribbon.BitsPerKeyFor},
	{name: "SplitBlock", module: project, own: true, asked: fine, new: newSplitBlock, predicted: without(splitblock.PredictedFPR), bitsPerKeyFor: splitblock.BitsPerKeyFor},
	// The bytes of Pebble's and of goleveldb's.
	{name: "Legacy", module: project, own: true, asked: fine, new: newLegacy, predicted: without(legacy.PredictedFPR), bitsPerKeyFor: legacy.BitsPerKeyFor},
	{name: "LevelDB", module: project, own: true, asked: fine, new: newLevelDB, predicted: without(leveldb.PredictedFPR), bitsPerKeyFor: leveldb.BitsPerKeyFor},
	{name: "Pebble", module: "github.com/cockroachdb/pebble/v2", loops: true, asked: fine, new: newPebble, bitsPerKeyFor: legacy.BitsPerKeyFor},
	{name: "goleveldb", module: "github.com/syndtr/goleveldb", loops: true, asked: fine, new: newGoleveldb, bitsPerKeyFor: leveldb.BitsPerKeyFor},
	{name: "parquet-go", module: "github.com/parquet-go/parquet-go", loops: true, asked: fine, new: newParquet},
	{name: "arrow-go", module: "github.com/apache/arrow-go/v18", asked: powers, new: newArrow},
	{name: "blobloom", module: "github.com/greatroar/blobloom", loops: true, asked: fine, new: newBlobloom},
	{name: "bits-and-blooms", module: "github.com/bits-and-blooms/bloom/v3", loops: true, asked: fine, new: newBitsAndBlooms},
	{name: "ristretto", module: "github.com/dgraph-io/ristretto/v2", loops: true, asked: powers, new: newRistretto},
	{name: "binary fuse", module: "github.com/FastFilter/xorfilter", loops: true, asked: []float64{fuse8, fuse16}, new: newFuse},
	{name: "cuckoo", module: "github.com/seiflotfy/cuckoofilter", loops: true, asked: []float64{9}, new: newCuckoo},
	{name: "counting Bloom", module: "github.com/tylertreat/BoomFilters", loops: true, asked: counters, new: newCounting},
}

const project = "github.com/simdbloom/simdbloom"

func without(f func(n int, x float64, options ...root.Option) float64) func(n int, x float64) float64 {
	return func(n int, x float64) float64 { return f(n, x) }
}

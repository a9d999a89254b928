package main

import (
	"math"

	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/legacy"
	"github.com/simdbloom/simdbloom/leveldb"
	"github.com/simdbloom/simdbloom/linear"
	"github.com/simdbloom/simdbloom/paired"
	"github.com/simdbloom/simdbloom/ribbon"
)

// Bits per key of the filters whose rates are measured.
var (
	fine     = []float64{6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 36, 40}
	counters = []float64{20, 24, 32, 40, 48, 56, 64, 72, 80} // four bits for each of a Bloom filter
	steps    = linearSteps()
)

// linearSteps are the least bits per key for each length of a linear filter's fingerprints.
// More bits per key change nothing before the next step.
func linearSteps() (bitsPerKey []float64) {
	const shortest, longest = 7, 22 // bits, whose rates can be counted
	for r := shortest; r <= longest; r++ {
		bitsPerKey = append(bitsPerKey, linear.BitsPerKeyFor(rateKeys, math.Ldexp(1, -r)))
	}
	return bitsPerKey
}

// fixed are the rates of a filter without settings.
func fixed(bitsPerKey float64) []float64 { return []float64{bitsPerKey} }

// peers are this project's filters and those of other libraries.
var peers = []*peer{
	{name: "FastLocal", module: project, own: true, usual: 10, asked: fine, new: newFastLocal, predicted: bloom.PredictedFPR},
	{name: "Paired", module: project, own: true, usual: 23.4, asked: fine, new: newPaired, predicted: pairedFPR},
	// At every size that is measured, 17.2 bits/key have the rate of binary fuse 16.
	{name: "Linear", module: project, own: true, usual: 17.2, asked: steps, steps: true, new: newLinear, predicted: linear.PredictedFPR},
	// The bits per key asked for are FastLocal's for the same rate.
	{name: "Ribbon", module: project, own: true, usual: 10, asked: fine, new: newRibbon, predicted: ribbon.PredictedFPR},
	// The bytes of Pebble's and of goleveldb's.
	{name: "Legacy", module: project, own: true, usual: 10, asked: fine, new: newLegacy, predicted: legacyFPR},
	{name: "LevelDB", module: project, own: true, usual: 10, asked: fine, new: newLevelDB, predicted: levelDBFPR},
	{name: "Pebble", module: "github.com/cockroachdb/pebble/v2", usual: 10, asked: fine, new: newPebble},
	{name: "goleveldb", module: "github.com/syndtr/goleveldb", usual: 10, asked: fine, new: newGoleveldb},
	{name: "parquet-go", module: "github.com/parquet-go/parquet-go", usual: 10, asked: fine, new: newParquet},
	{name: "blobloom", module: "github.com/greatroar/blobloom", usual: 10, asked: fine, new: newBlobloom},
	{name: "bits-and-blooms", module: "github.com/bits-and-blooms/bloom/v3", usual: 10, asked: fine, heavy: true, new: newBitsAndBlooms},
	{name: "ristretto", module: "github.com/dgraph-io/ristretto/v2", usual: 10, asked: []float64{8, 16, 32}, heavy: true, new: newRistretto},
	{name: "binary fuse 8", module: xorfilterModule, usual: 9, asked: fixed(9), heavy: true, new: newFuse[uint8]},
	{name: "binary fuse 16", module: xorfilterModule, usual: 18, asked: fixed(18), heavy: true, new: newFuse[uint16]},
	{name: "cuckoo", module: "github.com/seiflotfy/cuckoofilter", usual: 9, asked: fixed(9), heavy: true, new: newCuckoo},
	{name: "counting Bloom", module: "github.com/tylertreat/BoomFilters", usual: 40, asked: counters, heavy: true, new: newCounting},
}

const (
	project         = "github.com/simdbloom/simdbloom"
	xorfilterModule = "github.com/FastFilter/xorfilter"
)

func pairedFPR(keys int, bitsPerKey float64) float64 { return paired.PredictedFPR(keys, bitsPerKey) }

func legacyFPR(keys int, bitsPerKey float64) float64 { return legacy.PredictedFPR(keys, bitsPerKey) }

func levelDBFPR(keys int, bitsPerKey float64) float64 { return leveldb.PredictedFPR(keys, bitsPerKey) }

package main

import (
	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/legacy"
	"github.com/simdbloom/simdbloom/leveldb"
	"github.com/simdbloom/simdbloom/linear"
	"github.com/simdbloom/simdbloom/paired"
	"github.com/simdbloom/simdbloom/ribbon"
	"github.com/simdbloom/simdbloom/splitblock"
)

// format is a filter format, with its package's functions of rates.
type format struct {
	name          string
	format        simdbloom.Format
	hash          keyhash.Hash
	options       []simdbloom.Option
	predict       func(n int, bitsPerKey float64, options ...simdbloom.Option) float64
	bitsPerKeyFor func(n int, fpr float64, options ...simdbloom.Option) float64

	// By how much PredictedFPR and EstimatedFPR may be off, beyond what chance explains.
	ofPredicted, ofEstimated float64

	// PredictedFPR is exact from this number of keys on, if it is not 0. Filters of up to betterUpTo bytes have
	// lower rates.
	exactFrom, betterUpTo int

	// fewFilters is set where EstimatedFPR is as slow as millions of lookups.
	fewFilters bool
}

var (
	fastLocal = &format{
		name: "FastLocal", format: simdbloom.FastLocal, hash: keyhash.XX64,
		predict: bloom.PredictedFPR, bitsPerKeyFor: without(bloom.BitsPerKeyFor),
		ofPredicted: 0.05, ofEstimated: 0.05,
	}
	pairedFilter = &format{
		name: "Paired", format: simdbloom.Paired, hash: keyhash.XX64,
		options: []simdbloom.Option{paired.WithBatchBlocks(128)},
		predict: paired.PredictedFPR, bitsPerKeyFor: paired.BitsPerKeyFor,
		ofPredicted: 0.05, ofEstimated: 0.05,
	}
	paired32 = &format{
		name: "Paired-32", format: simdbloom.Paired, hash: keyhash.XX64,
		options: []simdbloom.Option{paired.WithBatchBlocks(32)},
		predict: paired.PredictedFPR, bitsPerKeyFor: paired.BitsPerKeyFor,
		ofPredicted: 0.05, ofEstimated: 0.05,
	}
	linearFilter = &format{
		name: "Linear", format: simdbloom.Linear, hash: keyhash.XX64,
		predict: linear.PredictedFPR, bitsPerKeyFor: linear.BitsPerKeyFor,
		ofPredicted: 0.03, exactFrom: 100_000, betterUpTo: 32*65 + 136,
	}
	ribbonFilter = &format{
		name: "Ribbon", format: simdbloom.Ribbon, hash: keyhash.XX64,
		predict: ribbon.PredictedFPR, bitsPerKeyFor: without(ribbon.BitsPerKeyFor),
		ofPredicted: 0.01, ofEstimated: 0.01,
	}
	splitBlock = &format{
		name: "SplitBlock", format: simdbloom.SplitBlock, hash: keyhash.XX64,
		predict: splitblock.PredictedFPR, bitsPerKeyFor: without(splitblock.BitsPerKeyFor),
		ofPredicted: 0.05, ofEstimated: 0.05,
	}
	legacyFilter = &format{
		name: "Legacy", format: simdbloom.Legacy, hash: keyhash.RocksDB32,
		predict: legacy.PredictedFPR, bitsPerKeyFor: without(legacy.BitsPerKeyFor),
		ofPredicted: 0.02, ofEstimated: 0.02, fewFilters: true,
	}
	levelDB = &format{
		name: "LevelDB", format: simdbloom.LevelDB, hash: keyhash.LevelDB32,
		predict: leveldb.PredictedFPR, bitsPerKeyFor: without(leveldb.BitsPerKeyFor),
		ofPredicted: 0.12, ofEstimated: 0.12, fewFilters: true,
	}

	// formats lists the tables' formats, in their order.
	formats = []*format{fastLocal, pairedFilter, linearFilter, ribbonFilter, splitBlock, legacyFilter, levelDB}
	// modern are those with hashes of 64 bits.
	modern = []*format{fastLocal, pairedFilter, paired32, linearFilter, ribbonFilter, splitBlock}
)

// without is a function of a format whose rates do not depend on options.
func without(f func(n int, x float64) float64) func(int, float64, ...simdbloom.Option) float64 {
	return func(n int, x float64, _ ...simdbloom.Option) float64 { return f(n, x) }
}

// formatOf returns the format of a name.
func formatOf(name string) *format {
	for _, f := range append(modern, legacyFilter, levelDB) {
		if f.name == name {
			return f
		}
	}
	return nil
}

// builder returns a builder of random hashes, of which the formats with hashes of 32 bits take the
// lower half.
func (f *format) builder(bitsPerKey float64) (*simdbloom.Builder, error) {
	return simdbloom.NewBuilder(f.format, bitsPerKey, f.hash, f.options...)
}

func (f *format) predicted(n int, bitsPerKey float64) float64 {
	return f.predict(n, bitsPerKey, f.options...)
}

// bytes returns the size of a filter of n keys.
func (f *format) bytes(n int, bitsPerKey float64) (int, error) {
	b, err := f.builder(bitsPerKey)
	if err != nil {
		return 0, err
	}
	for i := range n {
		b.AddHash(uint64(i) * 0x9e3779b97f4a7c15)
	}
	return b.SizeBytes(), nil
}

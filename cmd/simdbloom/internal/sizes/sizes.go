// Package sizes compares the formats: the memory that they take for a number of keys and a false-positive rate, and
// the rate that they have in a given memory.
package sizes

import (
	"math"

	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/legacy"
	"github.com/simdbloom/simdbloom/leveldb"
	"github.com/simdbloom/simdbloom/linear"
	"github.com/simdbloom/simdbloom/paired"
	"github.com/simdbloom/simdbloom/policy"
	"github.com/simdbloom/simdbloom/ribbon"
	"github.com/simdbloom/simdbloom/splitblock"

	"github.com/simdbloom/simdbloom"
)

// Format is a row's format.
type Format struct {
	simdbloom.Format
	Name    string // of the command's option -format
	Package string
	Absent  string // cache lines that a lookup of an absent key reads
	Present string // and of a present one
	Grows   bool   // keys may be added while it is queried
	Readers string // other programs that read it
	Narrow  bool   // key hashes have 32 bits, and bits per key are whole numbers

	Policy        func(bitsPerKey float64) *policy.Policy
	BitsPerKeyFor func(n int, fpr float64) float64
}

// Formats returns all formats, in the order of the library's pages.
func Formats() []*Format {
	return []*Format{
		{
			Format: simdbloom.FastLocal, Policy: policy.FastLocal, Name: "fastlocal", Package: "bloom", Absent: "1", Present: "1", Grows: true, Readers: "RocksDB since 6.6, Speedb, Pebble through adapters/pebble",
			BitsPerKeyFor: bloom.BitsPerKeyFor,
		},
		{
			Format: simdbloom.Paired, Policy: policy.Paired, Name: "paired", Package: "paired", Absent: "1, seldom 2", Present: "2", Readers: "Speedb, in batches of 32 blocks",
			BitsPerKeyFor: noOptions(paired.BitsPerKeyFor),
		},
		{
			Format: simdbloom.Linear, Policy: policy.Linear, Name: "linear", Package: "linear", Absent: "1 and a header", Present: "the same", Readers: "only this library",
			BitsPerKeyFor: noOptions(linear.BitsPerKeyFor),
		},
		{
			Format: simdbloom.Ribbon, Policy: policy.Ribbon, Name: "ribbon", Package: "ribbon", Absent: "4 to 6", Present: "4 to 9, side by side", Readers: "RocksDB since 6.15, Speedb",
			BitsPerKeyFor: ribbon.BitsPerKeyFor,
		},
		{
			Format: simdbloom.SplitBlock, Policy: policy.SplitBlock, Name: "splitblock", Package: "splitblock", Absent: "1", Present: "1", Grows: true, Readers: "Parquet's readers: DuckDB, Spark, Trino, Arrow",
			BitsPerKeyFor: splitblock.BitsPerKeyFor,
		},
		{
			Format: simdbloom.Legacy, Policy: policy.Legacy, Name: "legacy", Package: "legacy", Absent: "1", Present: "1", Readers: "Pebble, RocksDB",
			BitsPerKeyFor: legacy.BitsPerKeyFor, Narrow: true,
		},
		{
			Format: simdbloom.LevelDB, Policy: policy.LevelDB, Name: "leveldb", Package: "leveldb", Absent: "1 or more, anywhere", Present: "one a probe, anywhere", Readers: "LevelDB, goleveldb, RocksDB before 7.4",
			BitsPerKeyFor: leveldb.BitsPerKeyFor, Narrow: true,
		},
	}
}

func noOptions(f func(n int, x float64, options ...simdbloom.Option) float64) func(n int, x float64) float64 {
	return func(n int, x float64) float64 { return f(n, x) }
}

// Row is one format's size and rate.
type Row struct {
	Format  *Format
	Setting float64 // bits per key that the builder is given
	Bytes   int64
	FPR     float64 // exact
	Filters int64   // that the keys are divided among: more than one if a single filter would be too large
}

// BitsPerKey is the actual number of bits per key.
func (r *Row) BitsPerKey(keys int64) float64 { return 8 * float64(r.Bytes) / float64(keys) }

const (
	mostBytes = 1 << 32 // of a filter; formats say themselves which sizes below that they do not have
	partKeys  = 1 << 22 // of a set's parts
)

// divided returns the number of filters that keys are divided among, a power of two, and the keys of each.
func divided(keys int64, fits func(n int) bool) (filters int64, each int) {
	for filters = 1; ; filters *= 2 {
		n := (keys + filters - 1) / filters
		if n <= partKeys || filters == 1 && n <= math.MaxInt32 && fits(int(n)) {
			return filters, int(n)
		}
	}
}

// ForRate returns the smallest filters of the format that have at most the given rate, or nil if it has none.
func (f *Format) ForRate(keys int64, fpr float64) *Row {
	filters, n := divided(keys, func(n int) bool {
		setting := f.BitsPerKeyFor(n, fpr)
		return !math.IsNaN(setting) && f.bytes(n, setting) > 0
	})
	if setting := f.BitsPerKeyFor(n, fpr); !math.IsNaN(setting) {
		return f.row(filters, n, setting)
	}
	return nil
}

// ForBits returns the filters of the given bits per key, or nil if the format has none.
func (f *Format) ForBits(keys int64, bitsPerKey float64) *Row {
	if f.Narrow {
		bitsPerKey = math.Floor(bitsPerKey)
	}
	if !(bitsPerKey >= 0.5) {
		return nil
	}
	filters, n := divided(keys, func(n int) bool { return f.bytes(n, bitsPerKey) > 0 })
	return f.row(filters, n, bitsPerKey)
}

// ForBytes returns the filters that fill the given memory, or nil if the format has none.
func (f *Format) ForBytes(keys, bytes int64) *Row {
	low, high := 500, int(min(8*float64(bytes)/float64(keys), 2000)*1700) // thousandths; Ribbon's setting is above its size
	var best *Row
	for low < high {
		middle := low + (high-low+1)/2
		if r := f.ForBits(keys, float64(middle)/1000); r != nil && r.Bytes <= bytes {
			best, low = r, middle
		} else {
			high = middle - 1
		}
	}
	return best
}

func (f *Format) row(filters int64, n int, setting float64) *Row {
	bytes, fpr := f.bytes(n, setting), f.Policy(setting).PredictedFPR(n)
	if bytes == 0 || int64(bytes) > math.MaxInt64/filters || math.IsNaN(fpr) || filters > 1 && f.Narrow { // sets need hashes of 64 bits
		return nil
	}
	return &Row{f, setting, int64(bytes) * filters, fpr, filters}
}

// bytes returns the size of a filter of n keys, or 0 if there is none.
func (f *Format) bytes(n int, setting float64) int {
	if bytes := f.Policy(setting).SizeBytes(n); int64(bytes) <= mostBytes {
		return bytes
	}
	return 0
}

// Package goleveldb puts simdbloom's filters into goleveldb
// (github.com/syndtr/goleveldb), where they replace its own Bloom filter:
//
//	import simdbloom "github.com/simdbloom/simdbloom/adapters/goleveldb"
//
//	o := &opt.Options{
//		Filter:       simdbloom.FastLocal(10),
//		AltFilters:   simdbloom.AltFilters(),
//		FilterBaseLg: 30,
//	}
//
// A table records its filter's name, which has the format, the batch and the key hash, but
// not the bits per key: if those change, filters in old tables are still used. Tables with
// filters of other names are read without a filter, unless [AltFilters] knows them.
//
// FilterBaseLg is the binary logarithm of the number of bytes of a table that share a filter: with 30, 1 GiB, each
// table has one. goleveldb's default is 11, 2 KiB, or a block that is larger: a few dozen keys, whose filters are
// rounded up, by FastLocal to whole lines of 64 bytes and 5 bytes more, by [Paired], which requires 30, to 2 KiB and 4
// bytes. One filter has no disadvantage: goleveldb reads, checks and caches all filters of a table as one block in any
// case. A generator keeps 8 bytes for each of the table's keys. From 64 on goleveldb panics. A table records its own
// value, so it may be changed at any time.
//
// [docs/goleveldb.md] has measurements, and explains how to migrate and how to go back.
//
// [docs/goleveldb.md]: https://github.com/simdbloom/simdbloom/blob/HEAD/docs/goleveldb.md
package goleveldb

import (
	"strconv"

	"github.com/syndtr/goleveldb/leveldb/filter"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/policy"
)

// FastLocal returns RocksDB's FastLocal filter for goleveldb. Use it up to 12 bits per key,
// and for tables of fewer than 1,000 keys. Its false-positive rate is 0.97 % at 10
// bits per key, and 0.084 % at 16. It panics on NaN and infinities.
func FastLocal(bitsPerKey float64) filter.Filter { return Filter(policy.FastLocal(bitsPerKey)) }

// Paired returns Speedb's Paired filter for goleveldb, in batches of 32 blocks, 2 KiB, which
// suit goleveldb's tables, of 2 MiB by default. Use it above 12 bits per key. Its
// false-positive rate is 1 in 57,000 at 23.4 bits per key. It requires FilterBaseLg 30. It
// panics on NaN and infinities.
//
// Filter(policy.Paired(bitsPerKey)) builds FastLocal filters of few keys, and batches of 8 KiB from 256 KiB on, which
// have a few per cent fewer false positives.
func Paired(bitsPerKey float64) filter.Filter {
	p, err := policy.Parse("speedb.PairedBloomFilter:" + strconv.FormatFloat(bitsPerKey, 'f', -1, 64))
	if err != nil {
		panic(err)
	}
	return Filter(p)
}

// Linear returns a linear filter for goleveldb, with the least memory for a
// false-positive rate: 1 in 4 million at 23.4 bits per key. Building costs some tens of
// nanoseconds a key. It requires FilterBaseLg 30. It panics on NaN and infinities.
func Linear(bitsPerKey float64) filter.Filter { return Filter(policy.Linear(bitsPerKey)) }

// Ribbon returns RocksDB's Ribbon filter for goleveldb, which has the false-positive rate of FastLocal
// with the same bits per key, in three fifths to three quarters of its memory. At low rates, building
// takes more time than a Linear filter's. It requires FilterBaseLg 30: of few keys the filter is a FastLocal
// one. It panics on NaN and infinities.
func Ribbon(bitsPerKey float64) filter.Filter { return Filter(policy.Ribbon(bitsPerKey)) }

// SplitBlock returns Parquet's split-block filter for goleveldb, for stores whose filters other programs read
// as Parquet's. In the same memory it has more false positives than FastLocal: 1.3 % at 10 bits per key,
// 0.13 % at 16. It panics on NaN and infinities.
func SplitBlock(bitsPerKey float64) filter.Filter { return Filter(policy.SplitBlock(bitsPerKey)) }

// Legacy returns RocksDB's filter of before format_version 5, which Pebble writes, for stores whose filters other
// programs read as RocksDB's. Its false-positive rate is 1.2 % at 10 bits per key, which are rounded to a whole
// number, and several times that for some numbers of keys: [FastLocal] has lower rates. It panics on NaN and
// infinities.
func Legacy(bitsPerKey float64) filter.Filter { return Filter(policy.Legacy(bitsPerKey)) }

// LevelDB returns LevelDB's filter for goleveldb, under this library's name for it: [BuiltIn] has the
// same bytes under goleveldb's own name, which goleveldb reads without this package. Bits per key are rounded to a
// whole number. It panics on NaN and infinities.
func LevelDB(bitsPerKey float64) filter.Filter { return Filter(policy.LevelDB(bitsPerKey)) }

// WithFPR returns a filter for goleveldb of a format that has a false-positive rate, whatever the number of a table's
// keys: see [policy.WithFPR]. A rate that the format cannot have is an error.
func WithFPR(format simdbloom.Format, fpr float64) (filter.Filter, error) {
	p, err := policy.WithFPR(format, fpr)
	if err != nil {
		return nil, err
	}
	return Filter(p), nil
}

// Filter returns p as a filter for goleveldb, for opt.Options.Filter and AltFilters. Its
// name is p.Name(). Below 0.5 bits per key the filters may contain every key.
//
// goleveldb has one filter for all levels, and does not tell it a table's level. So a policy such
// as "ribbonfilter:10:2" builds Ribbon filters in all levels: see [policy.WithLevel].
//
// Any number of goroutines may use the filter at once. Contains allocates nothing and keeps
// nothing. It costs as much as p.MayContain: the key's hash and a few nanoseconds, or a cache
// miss for each line that is not cached. If the bytes show that a filter is truncated,
// damaged or of another format, it may contain every key. One goroutine at a time may use a
// generator. It keeps 8 bytes a key and little more until Generate, and of linear and Ribbon filters
// the last one's memory. Filter panics if p is nil.
func Filter(p *policy.Policy) filter.Filter {
	if p == nil {
		panic("goleveldb: Filter: the policy is nil")
	}
	return &policyFilter{*p}
}

type policyFilter struct {
	policy policy.Policy // by itself: a lookup would have to load a pointer
}

func (f *policyFilter) Name() string { return f.policy.Name() }

func (f *policyFilter) Contains(data, key []byte) bool {
	// goleveldb never queries a filter of zero bytes, which is its own sign of "no keys
	// here": this one is truncated.
	if len(data) == 0 {
		return true
	}
	return f.policy.MayContain(data, key)
}

func (f *policyFilter) NewGenerator() filter.FilterGenerator {
	format := f.policy.Format()
	return &generator{
		builder:   f.policy.NewBuilder(),
		mayDiffer: format == simdbloom.Linear || format == simdbloom.Ribbon,
	}
}

// Package goleveldb puts simdbloom's filters into goleveldb
// (github.com/syndtr/goleveldb), in the place of its own Bloom filter:
//
//	import simdbloom "github.com/simdbloom/simdbloom/adapters/goleveldb"
//
//	o := &opt.Options{
//		Filter:       simdbloom.FastLocal(10),
//		AltFilters:   simdbloom.AltFilters(),
//		FilterBaseLg: simdbloom.FilterBaseLg,
//	}
//
// A table records its filter's name, which says the format, the batch and the key hash, but
// not the bits per key: whoever changes those goes on using the filters of old tables.
// Tables with filters of other names are read without one, unless AltFilters knows them.
//
// FilterBaseLg is not optional with Paired, whose filters are never smaller than 2 KiB:
// by default goleveldb makes one for every 2 KiB of a table, or every block.
//
// What to expect, how to migrate and how to go back: docs/goleveldb.md.
package goleveldb

import (
	"strconv"

	"github.com/syndtr/goleveldb/leveldb/filter"

	"github.com/simdbloom/simdbloom/policy"
)

// FastLocal returns goleveldb's form of RocksDB's FastLocal filter: the choice up to some 12
// bits per key, and for tables of less than some thousand keys. 10 bits per key give 0.97 %
// false positives, 16 give 0.085 %. It panics on NaN and infinities.
func FastLocal(bitsPerKey float64) filter.Filter { return Filter(policy.FastLocal(bitsPerKey)) }

// Paired returns goleveldb's form of Speedb's Paired filter in batches of 32 blocks, 2 KiB,
// which suit goleveldb's tables, of 2 MiB by default: the choice from some 16 bits per key
// on. 23.4 bits per key give 1 false positive in 57,000. It wants FilterBaseLg. It panics on
// NaN and infinities.
//
// In tables whose filters take more than 128 KiB, 45,000 keys at 23.4 bits per key,
// Filter(policy.Paired(bitsPerKey)), in batches of 8 KiB, errs some per cent less often.
func Paired(bitsPerKey float64) filter.Filter {
	p, err := policy.Parse("speedb.PairedBloomFilter:" + strconv.FormatFloat(bitsPerKey, 'f', -1, 64))
	if err != nil {
		panic("goleveldb: " + err.Error())
	}
	return Filter(p)
}

// Filter returns p as goleveldb takes it, for opt.Options' Filter and AltFilters. Its name is
// p.Name(). Below 0.5 bits per key the filters may contain every key.
//
// Any number of goroutines may use the filter at once. Contains allocates nothing and keeps
// nothing; it costs the key's hash and bloom.MayContainHash or paired.MayContainHash. Filters
// of other formats under p's name, truncated or otherwise damaged ones, as far as the bytes
// show it, may contain every key. A generator is for one goroutine at a time, and keeps 8
// bytes a key and little more until Generate.
func Filter(p policy.Policy) filter.Filter {
	return &policyFilter{p, policy.LookupOf(p)}
}

type policyFilter struct {
	policy policy.Policy
	lookup policy.Lookup
}

func (f *policyFilter) Name() string { return f.policy.Name() }

func (f *policyFilter) Contains(data, key []byte) bool {
	// goleveldb never queries a filter of no bytes, which is its own sign of "no keys here":
	// these are of a truncated one.
	if len(data) == 0 {
		return true
	}
	return f.lookup(data, key)
}

func (f *policyFilter) NewGenerator() filter.FilterGenerator {
	return &generator{f.policy.NewBuilder()}
}

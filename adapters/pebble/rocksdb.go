package pebble

import (
	"fmt"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/bloom"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/policy"
)

// ForRocksDB is [FilterPolicy] for tables that RocksDB will read: they record the filter as
// rocksdb.BuiltinBloomFilter, RocksDB's name of FastLocal, Ribbon and legacy filters. RocksDB uses no
// filter of another name. Give it to writers of tables in the format RocksDBv2.
//
// Danger: package bloom of Pebble gives that name to its own filters, and cannot tell another format.
// It panics on small FastLocal and Ribbon filters, and answers "no" for keys that larger ones contain:
// Pebble then loses these keys. No program may read such a table with bloom.FilterPolicy, neither as a
// level's policy nor in Options.Filters. [Filters], [Legacy] and ForRocksDB read all three formats. If
// Pebble's own policy must read the tables, write them with [Legacy], which RocksDB uses, too.
//
// RocksDB looks up whole keys, so the filters must have whole keys: comparer is the Comparer of the
// store, or of the writer, which must be nil, pebble.DefaultComparer, or without a Split. A policy
// cannot see which Comparer writes: of another one's prefixes RocksDB would look up whole keys, and
// lose them.
//
// ForRocksDB panics if p's filters are not RocksDB's, if the Comparer has a Split, and where
// FilterPolicy does.
func ForRocksDB(p *policy.Policy, comparer *pebble.Comparer, options ...simdbloom.Option) pebble.FilterPolicy {
	if p == nil {
		panic("pebble: ForRocksDB: the policy is nil")
	}
	if !inRocksDB(p) {
		panic(fmt.Sprintf("pebble: ForRocksDB: RocksDB does not read the filters of %v", p))
	}
	if comparer != nil && comparer != pebble.DefaultComparer && comparer.Split != nil {
		panic(fmt.Sprintf("pebble: ForRocksDB: the Comparer %q has a Split: RocksDB looks up whole keys, which filters of prefixes do not have", comparer.Name))
	}
	p.NewBuilder(options...) // panics here, and not in a compaction
	return &forRocksDB{filterPolicy{*p, options}}
}

// inRocksDB reports whether RocksDB reads the filters that the policy builds.
func inRocksDB(p *policy.Policy) bool {
	switch p.Format() {
	case simdbloom.FastLocal, simdbloom.Ribbon:
		return p.Hash() == keyhash.XXPH3
	case simdbloom.Legacy:
		return p.Hash() == keyhash.RocksDB32
	}
	return false
}

type forRocksDB struct{ filterPolicy }

// Name is RocksDB's, and that of Pebble's own policy.
func (p *forRocksDB) Name() string { return bloom.FilterPolicy(10).Name() }

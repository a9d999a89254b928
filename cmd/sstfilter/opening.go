package main

import (
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/legacy"
	"github.com/simdbloom/simdbloom/leveldb"
	"github.com/simdbloom/simdbloom/paired"
	"github.com/simdbloom/simdbloom/policy"
	"github.com/simdbloom/simdbloom/ribbon"
)

const (
	builtinName = "rocksdb.BuiltinBloomFilter" // RocksDB's CompatibilityName, and Pebble's bloom.FilterPolicy
	speedbName  = "speedb_paired_bloom_filter" // SpdbPairedBloomFilterPolicy::kCompatibilityName

	levelDBName = "leveldb.BuiltinBloomFilter2" // LevelDB since 1.18
	// oldLevelDBName is the name in LevelDB before 1.18, and, with another hash, in goleveldb.
	oldLevelDBName = "leveldb.BuiltinBloomFilter"
)

// keyFilter is an open filter. Those of all packages are.
type keyFilter interface {
	// ContainsKeys sets hits[i] to whether the filter may contain keys[i].
	ContainsKeys(keys [][]byte, hits []bool)
}

// opener opens a filter. Its error wraps bloom.ErrCorrupt.
type opener func(data []byte) (keyFilter, error)

// openerOf returns what opens a table's filters that are recorded under the name, or nil if the
// name is unknown: the library's own names, and those of databases.
func openerOf(name string) opener {
	if name == builtinName {
		return openBuiltin
	}
	return openers[name]
}

// blockOpenerOf is openerOf for the filters of a filter block.
func blockOpenerOf(name string) opener {
	switch name {
	case levelDBName:
		return openLevelDB()
	case oldLevelDBName:
		return openLevelDB(leveldb.WithEitherHash())
	case builtinName:
		return openLevelDB(leveldb.WithSignedHash())
	}
	return openerOf(name) // as adapters/goleveldb records it
}

func openLevelDB(options ...leveldb.Option) opener {
	return func(data []byte) (keyFilter, error) {
		f, err := leveldb.Open(data, options...)
		if err != nil {
			return nil, err
		}
		return f, nil
	}
}

var openers = func() map[string]opener {
	all := make(map[string]opener)
	for _, p := range policy.Readers() {
		all[p.Name()] = openWith(p)
	}
	for _, name := range []string{"rocksdb.BloomFilter:10", "rocksdb.RibbonFilter:10", "rocksdb.internal.LegacyBloomFilter:10"} {
		all[parsed(name).Name()] = openBuiltin
	}
	all[speedbName] = openWith(parsed("speedb.PairedBloomFilter:10"))
	return all
}()

// openNewer opens RocksDB's filters other than legacy ones.
var openNewer = openWith(parsed("rocksdb.RibbonFilter:10"))

// parsed returns a policy by its name. Bits per key make no difference to a reader.
func parsed(name string) policy.Policy {
	p, err := policy.Parse(name)
	if err != nil {
		panic(err)
	}
	return p
}

func openWith(p policy.Policy) opener {
	return func(data []byte) (keyFilter, error) {
		f, err := p.Open(data)
		if err != nil {
			return nil, err
		}
		return f, nil
	}
}

// openBuiltin opens a filter that RocksDB's name is recorded for: its trailer says which of the
// kinds it is.
func openBuiltin(data []byte) (keyFilter, error) {
	f, err := legacy.Open(data)
	if err != nil {
		return nil, err
	}
	switch f.Kind() {
	case legacy.FastLocal, legacy.Ribbon:
		return openNewer(data)
	}
	return f, nil
}

// fastLocal, pairedFilter and linearFilter have the methods of policies' filters beyond policy.Filter.
type (
	fastLocal interface {
		policy.Filter
		Kind() bloom.Kind
	}
	pairedFilter interface {
		policy.Filter
		Kind() paired.Kind
		BatchBlocks() int
		Verify() error
	}
	linearFilter interface {
		policy.Filter
		FingerprintBits() int
		Layers() []int
	}
)

// unread is a filter that may contain every key, because this version cannot read it.
type unread struct{ why string }

func (unread) ContainsKeys(keys [][]byte, hits []bool) { allTrue(hits[:len(keys)]) }

func allTrue(hits []bool) {
	for i := range hits {
		hits[i] = true
	}
}

// whyAlways returns why the filter may contain every key, or nothing if it may not.
func whyAlways(f keyFilter) string {
	reserved := false
	switch f := f.(type) {
	case unread:
		return f.why
	case *legacy.Filter:
		reserved = f.Kind() == legacy.Reserved
	case *leveldb.Filter:
		reserved = f.NumProbes() == 0 && f.SizeBytes() > 0
	case fastLocal:
		reserved = f.Kind() != bloom.FastLocal && f.Kind() != bloom.Empty
	case ribbonFilter:
		reserved = f.Kind() == ribbon.Reserved
	case pairedFilter:
		reserved = f.Kind() == paired.Reserved
	}
	if reserved {
		return "the filter is " + alwaysTrue
	}
	return ""
}

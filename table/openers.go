package table

import (
	"fmt"
	"slices"

	"github.com/simdbloom/simdbloom/legacy"
	"github.com/simdbloom/simdbloom/leveldb"
	"github.com/simdbloom/simdbloom/policy"
)

// KeyFilter is an open filter of a table. It is a [policy.Filter], a [*legacy.Filter] or a
// [*leveldb.Filter]. Any number of goroutines may use it at once.
type KeyFilter interface {
	// Contains reports whether the filter may have the key.
	Contains(key []byte) bool

	// ContainsKeys sets hits[i] to Contains(keys[i]), in less time than one by one.
	ContainsKeys(keys [][]byte, hits []bool)

	// NumProbes returns the number of bits that a lookup tests: 0 if all keys get the same answer,
	// and for linear filters, which have fingerprints.
	NumProbes() int
}

// The names of filters in RocksDB, LevelDB and their kin.
const (
	builtinName = "rocksdb.BuiltinBloomFilter" // RocksDB's CompatibilityName, and Pebble's bloom.FilterPolicy
	speedbName  = "speedb_paired_bloom_filter" // SpdbPairedBloomFilterPolicy::kCompatibilityName

	levelDBName = "leveldb.BuiltinBloomFilter2" // LevelDB since 1.18
	// oldLevelDBName is the name in LevelDB before 1.18, and, with another hash, in goleveldb.
	oldLevelDBName = "leveldb.BuiltinBloomFilter"
)

// OpenFilter opens a filter by the layout and the FilterName of its table: one that [Table.Filters]
// yields, or one of those in [BlockFilters]' Data. Where a name stands for several
// formats, as RocksDB's does, the filter's trailer says which it is.
//
// The error wraps [ErrUnsupported] if the name is unknown, and bloom.ErrCorrupt if the bytes are no
// filter of that name. The filter keeps the bytes. It takes less than a microsecond, but for linear
// filters, which are checked layer by layer.
func OpenFilter(layout Layout, name string, data []byte) (KeyFilter, error) {
	open := openerOf(layout, name)
	if open == nil {
		return nil, unsupported("%s", unknownFilter(name))
	}
	return open(data)
}

func unknownFilter(name string) string { return fmt.Sprintf("a filter of unknown kind, %q", name) }

// AlwaysTrue reports whether a filter may contain every key, because its bytes are reserved for other
// formats, or because its builder gave up.
func AlwaysTrue(f KeyFilter) bool {
	_, linear := f.(interface{ FingerprintBits() int })
	return !linear && f.NumProbes() == 0 && f.Contains(nil)
}

// opener opens a filter. Its error wraps bloom.ErrCorrupt.
type opener func(data []byte) (KeyFilter, error)

// openerOf returns nil if the name is unknown.
func openerOf(layout Layout, name string) opener {
	if layout == BlockBased {
		switch name {
		case levelDBName:
			return openLevelDB()
		case oldLevelDBName:
			return openLevelDB(leveldb.WithEitherHash())
		case builtinName:
			return openLevelDB(leveldb.WithSignedHash())
		}
	}
	p := readers[name]
	if p == nil {
		return nil
	}
	return openWith(p) // in a filter block, too, as adapters/goleveldb records it
}

// rocksDB has the policies that read each other's filters, whatever they build.
var (
	rocksDB      = []policy.Policy{parsed("rocksdb.BloomFilter:10"), parsed("rocksdb.RibbonFilter:10"), legacyPolicy}
	legacyPolicy = parsed("rocksdb.internal.LegacyBloomFilter:10")
)

// readers has the library's own names, and those of databases.
var readers = func() map[string]policy.Policy {
	all := make(map[string]policy.Policy)
	for _, p := range policy.Readers() {
		all[p.Name()] = p
	}
	all[builtinName] = rocksDB[0]
	all[speedbName] = parsed("speedb.PairedBloomFilter:10")
	return all
}()

// parsed returns a policy by its name. Bits per key make no difference to a reader.
func parsed(name string) policy.Policy {
	p, err := policy.Parse(name)
	if err != nil {
		panic(err)
	}
	return p
}

// openWith opens filters that the policy reads. Legacy ones of RocksDB, which the trailer tells, are
// opened by package legacy, whose filters say more about themselves.
func openWith(p policy.Policy) opener {
	reads := func(other policy.Policy) bool { return other.Name() == p.Name() }
	return func(data []byte) (KeyFilter, error) {
		if slices.ContainsFunc(rocksDB, reads) {
			f, err := legacy.Open(data)
			if err != nil {
				return nil, err
			}
			if f.Kind() != legacy.FastLocal && f.Kind() != legacy.Ribbon {
				return f, nil
			}
		}
		f, err := p.Open(data)
		if err != nil {
			return nil, err
		}
		return f, nil
	}
}

func openLevelDB(options ...leveldb.Option) opener {
	return func(data []byte) (KeyFilter, error) {
		f, err := leveldb.Open(data, options...)
		if err != nil {
			return nil, err
		}
		return f, nil
	}
}

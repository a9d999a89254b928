package policy

import (
	"fmt"
	"strings"

	"github.com/simdbloom/simdbloom"
)

// builtin is the name that RocksDB's tables, and Pebble's, record for filters of all of RocksDB's formats.
const builtin = "rocksdb.BuiltinBloomFilter"

// recordedElsewhere are names that databases record, by the kind of policy that reads their filters.
var recordedElsewhere = map[string]kind{
	builtin: fastLocalXXPH3,

	// RocksDB 7.0.0 to 7.0.2 recorded the class of the policy. The versions from 7.0.3 to 9.10 read each
	// of these as the name above (kBuiltinNameAndAliases in table/block_based/block_based_table_reader.cc).
	"bloomfilter":                                      fastLocalXXPH3,
	"ribbonfilter":                                     fastLocalXXPH3,
	"rocksdb.internal.LegacyBloomFilter":               fastLocalXXPH3,
	"rocksdb.internal.FastLocalBloomFilter":            fastLocalXXPH3,
	"rocksdb.internal.Standard128RibbonFilter":         fastLocalXXPH3,
	"rocksdb.internal.DeprecatedBlockBasedBloomFilter": fastLocalXXPH3,

	"speedb_paired_bloom_filter": speedbXXPH3, // SpdbPairedBloomFilterPolicy::kCompatibilityName

	"leveldb.BuiltinBloomFilter2": levelDBLevelDB32, // LevelDB since 1.18
}

// tiKV begins the names that TiKV 7.2 to 8.1 recorded: FullBloom, Ribbon or BlockBloom follows. TiKV treats
// each as RocksDB's (PrefetchIndexAndFilterBlocks in its fork of RocksDB, 6.29).
const tiKV = builtin + "."

// ForName returns a policy that reads the filters of which a store recorded the name: a [Policy.Name], a
// [simdbloom.Filter.Name] of a filter that a Builder made with a key hash of package keyhash, or
// one that RocksDB, Speedb, TiKV or LevelDB records in its tables, such as "rocksdb.BuiltinBloomFilter". For every name
// of RocksDB's it reads all formats of RocksDB's full and partitioned filters, by their bytes. (RocksDB's old filters
// for ranges of a file have LevelDB's format: see module table.) Its bits per key are 10, which makes no difference to
// a reader. Of the given policies, such as those of [New], it returns the one that records the name. The error wraps
// [simdbloom.ErrUnknown]: such filters cannot be used, so every key may be in the table.
func ForName(recorded string, own ...*Policy) (*Policy, error) {
	for _, p := range own {
		if p.Name() == recorded {
			return p, nil
		}
	}
	if k, ok := recordedElsewhere[recorded]; ok {
		p := reader(k)
		if k.speedbs {
			p.text = recorded + ":10" // the recorded text would be read otherwise
		}
		return p, nil
	}
	if strings.HasPrefix(recorded, tiKV) {
		return reader(fastLocalXXPH3), nil
	}
	if k, ok := kindOf(recorded); ok {
		return reader(k), nil
	}
	return nil, fmt.Errorf("policy: %w: no policy records the name %.200q", simdbloom.ErrUnknown, recorded)
}

// Readers returns a policy for every [Policy.Name] of the overview's names: together they read every filter that
// was built by one of these. [ForName] reads other pairs of a format and a key hash, such as simdbloom.Linear.XXPH3.
func Readers() []*Policy {
	var readers []*Policy
	for _, k := range kinds {
		readers = append(readers, reader(k))
	}
	return readers
}

func reader(k kind) *Policy {
	return &Policy{kind: k, text: k.recorded + ":10", bitsPerKey: 10, bloomBefore: noLevel}
}

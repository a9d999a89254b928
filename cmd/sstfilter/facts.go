package main

import (
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/paired"
	"github.com/simdbloom/simdbloom/policy"
)

// facts is what one filter is like.
type facts struct {
	kind       string
	probes     int // 0 if it has none
	blocks     int
	blockBytes int
	unsound    error // Paired's pair indexes

	rated bool
	rate  float64
	from  string // what the rate is estimated from

	legacyLines uint64 // 0 for other kinds
}

const (
	builtinName = "rocksdb.BuiltinBloomFilter" // RocksDB's CompatibilityName, and Pebble's bloom.FilterPolicy
	speedbName  = "speedb_paired_bloom_filter" // SpdbPairedBloomFilterPolicy::kCompatibilityName

	fromBits = "the bits that are set"
)

// readers has, by the name that a filter is recorded under, what reads it: the
// library's own names and those of databases.
var readers = func() map[string]policy.Policy {
	all := make(map[string]policy.Policy)
	for _, p := range policy.Readers() {
		all[p.Name()] = p
	}
	for recorded, name := range map[string]string{
		builtinName: "rocksdb.BloomFilter:10", // bits per key make no difference to a reader
		speedbName:  "speedb.PairedBloomFilter:10",
	} {
		p, err := policy.Parse(name)
		if err != nil {
			panic(err)
		}
		all[recorded] = p
	}
	return all
}()

// factsOf reads a filter that is recorded under the name, one of so many of its
// table. Its error wraps bloom.ErrCorrupt.
func factsOf(name string, data []byte, filters int) (facts, error) {
	reader, ok := readers[name]
	if !ok {
		return facts{kind: "unknown"}, nil
	}
	filter, err := reader.Open(data)
	if err != nil {
		return facts{}, err
	}
	switch filter := filter.(type) {
	case fastLocal:
		switch {
		case name != builtinName: // the other kinds are RocksDB's alone
		case filter.Kind() == bloom.Legacy:
			return factsOfLegacy(data, filters), nil
		case filter.Kind() == bloom.Ribbon:
			return factsOfRibbon(data), nil
		}
		return factsOfBloom(filter), nil
	case pairedFilter:
		return factsOfPaired(filter), nil
	}
	return facts{kind: "unknown"}, nil
}

// fastLocal and pairedFilter are what filters of policies have beyond policy.Filter.
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
)

func factsOfBloom(filter fastLocal) facts {
	f := facts{rated: true, rate: filter.EstimatedFPR()}
	switch filter.Kind() {
	case bloom.FastLocal:
		f.kind, f.probes, f.from = "FastLocal", filter.NumProbes(), fromBits
		f.blocks, f.blockBytes = (filter.SizeBytes()-trailerBytes)/blockBytes, blockBytes
	case bloom.Empty:
		f.kind = "empty"
	default:
		f.kind = alwaysTrue
	}
	return f
}

func factsOfPaired(filter pairedFilter) facts {
	f := facts{rated: true, rate: filter.EstimatedFPR()}
	switch filter.Kind() {
	case paired.Paired:
		f.kind = "Paired in batches of 128 blocks"
		if filter.BatchBlocks() == 32 {
			f.kind = "Paired in batches of 32 blocks"
		}
		f.probes, f.from, f.unsound = filter.NumProbes(), fromBits, filter.Verify()
		f.blocks, f.blockBytes = filter.SizeBytes()/blockBytes, blockBytes
	case paired.Empty:
		f.kind = "empty"
	default:
		f.kind = alwaysTrue
	}
	return f
}

const (
	blockBytes   = 64
	trailerBytes = 5 // of RocksDB's filters

	alwaysTrue = "always true (reserved, or given up while it was built)"
)

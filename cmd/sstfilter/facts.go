package main

import (
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/paired"
	"github.com/simdbloom/simdbloom/policy"
)

// facts are the properties of one filter.
type facts struct {
	kind       string
	probes     int // 0 if it has none
	blocks     int
	blockBytes int
	unsound    error // Paired's pair indexes

	fingerprint int // a linear filter's bits of it, 0 for other kinds
	layers      int

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

// readers has the policy that reads a filter, by the name that the filter is recorded
// under: the library's own names and those of databases.
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

// factsOf reads a filter that is recorded under the name, one of the given number of its
// table's filters. Its error wraps bloom.ErrCorrupt.
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
		case name != builtinName: // only RocksDB's name has the other kinds
		case filter.Kind() == bloom.Legacy:
			return factsOfLegacy(data, filters), nil
		case filter.Kind() == bloom.Ribbon:
			return factsOfRibbon(data), nil
		}
		return factsOfBloom(filter), nil
	case pairedFilter:
		return factsOfPaired(filter), nil
	case linearFilter:
		return factsOfLinear(filter), nil
	}
	return facts{kind: "unknown"}, nil
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

func factsOfLinear(filter linearFilter) facts {
	f := facts{rated: true, rate: filter.EstimatedFPR()}
	layers := filter.Layers()
	if len(layers) == 0 {
		f.kind = "empty"
		return f
	}
	f.kind, f.from = "Linear", "the length of its fingerprints"
	f.fingerprint, f.layers = filter.FingerprintBits(), len(layers)
	f.blockBytes = blockBytes
	for _, lines := range layers {
		f.blocks += lines
	}
	return f
}

const (
	blockBytes   = 64
	trailerBytes = 5 // of RocksDB's filters

	alwaysTrue = "always true (reserved, or given up while it was built)"
)

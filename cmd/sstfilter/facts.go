package main

import (
	"errors"
	"math/rand/v2"

	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/legacy"
	"github.com/simdbloom/simdbloom/leveldb"
	"github.com/simdbloom/simdbloom/paired"
	"github.com/simdbloom/simdbloom/policy"
	"github.com/simdbloom/simdbloom/table"
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
	blockBytes   = 64
	trailerBytes = 5 // of RocksDB's filters

	alwaysTrue = "always true (reserved, or given up while it was built)"
	fromBits   = "the bits that are set"
	fromHashes = "random hashes looked up"
)

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

// factsIn returns the properties of a filter that is stored in a table of the layout under the
// name, one of the given number.
func factsIn(layout table.Layout, name string, data []byte, filters int) (facts, error) {
	filter, err := table.OpenFilter(layout, name, data)
	if err != nil && !errors.Is(err, table.ErrUnsupported) {
		return facts{}, err
	}
	return factsOf(filter, filters), nil
}

// factsOf returns the properties of a filter, nil if it is unknown, one of the given number of its table's filters.
func factsOf(filter table.KeyFilter, filters int) facts {
	switch filter := filter.(type) {
	case *legacy.Filter:
		return factsOfLegacy(filter, filters)
	case *leveldb.Filter:
		return factsOfLevelDB(filter, filters)
	case ribbonFilter:
		return factsOfRibbon(filter)
	case fastLocal:
		return factsOfBloom(filter)
	case pairedFilter:
		return factsOfPaired(filter)
	case linearFilter:
		return factsOfLinear(filter)
	}
	return facts{kind: "unknown"}
}

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

// factsOfLegacy returns the properties of RocksDB's full filter before format_version 5, which
// Pebble still writes.
func factsOfLegacy(filter *legacy.Filter, filters int) facts {
	switch filter.Kind() {
	case legacy.Legacy:
	case legacy.Empty:
		return facts{kind: "empty", rated: true}
	default:
		return facts{kind: alwaysTrue, rated: true, rate: 1}
	}
	f := facts{
		kind: "legacy", probes: filter.NumProbes(), rated: true, from: fromHashes,
		blocks: filter.NumLines(), blockBytes: (filter.SizeBytes() - trailerBytes) / filter.NumLines(),
		legacyLines: uint64(filter.NumLines()),
	}
	if filters == 1 {
		f.rate = filter.EstimatedFPR()
	} else { // which takes tens of milliseconds for each
		f.rate = sampledRate(filter, filters)
	}
	return f
}

// hashFilter is a filter with hashes of 32 bits. Its rate does not follow from the bits that are
// set, because a key's probes depend on each other.
type hashFilter interface {
	ContainsHashes(hashes []uint32, hits []bool)
}

// sampledRate looks up random hashes, always the same ones, in one of the given number of a
// table's filters: about a million in all of them, but at least one in each.
func sampledRate(filter hashFilter, filters int) float64 {
	random := rand.New(rand.NewPCG(1, 2))
	var hashes [256]uint32
	var hits [len(hashes)]bool
	found, n := 0, 1<<20/filters+1
	for rest := n; rest > 0; rest -= len(hashes) {
		some := min(rest, len(hashes))
		for i := range hashes[:some] {
			hashes[i] = random.Uint32()
		}
		filter.ContainsHashes(hashes[:some], hits[:some])
		for _, hit := range hits[:some] {
			if hit {
				found++
			}
		}
	}
	return float64(found) / float64(n)
}

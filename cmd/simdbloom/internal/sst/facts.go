package sst

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/geometry"
	"github.com/simdbloom/simdbloom/legacy"
	"github.com/simdbloom/simdbloom/leveldb"
	"github.com/simdbloom/simdbloom/paired"
	"github.com/simdbloom/simdbloom/table"
)

// facts are the properties of one filter.
type facts struct {
	kind       string
	format     string // the kind in a word; empty if kind is one
	probes     int    // 0 if it has none
	blocks     int
	blockBytes int
	unsound    error // Paired's pair indexes

	fingerprint int // a linear filter's bits of it, 0 for other kinds
	longer      int // how many 64ths of its keys have the next longer one
	layers      int

	rated bool
	rate  float64
	from  string // the source of the rate's estimate

	legacyLines uint64 // 0 for other kinds
}

const (
	usualBlockBytes = 64

	splitBlockBytes = 32
	trailerBytes    = 5  // of RocksDB's filters
	columnBytes     = 16 // of a block of Ribbon

	unknown    = "unknown"
	empty      = "empty"
	alwaysTrue = "always true (reserved, or given up while it was built)"
	fromBits   = "the bits that are set"
	fromHashes = "random hashes looked up"
)

// factsIn returns the properties of a table's filter, one of the given number.
func factsIn(t *table.Table, data []byte, filters int) (facts, error) {
	opened, err := t.OpenFilter(data)
	switch {
	case errors.Is(err, table.ErrUnsupported):
		return factsOf(nil, filters), nil
	case err != nil:
		return facts{}, err
	}
	return factsOf(opened[0], filters), nil // by either hash the bits are the same
}

// isAlwaysTrue reports whether a filter may contain every key, because its bytes are reserved for other formats, or
// because its builder gave up.
func isAlwaysTrue(f *simdbloom.Filter) bool {
	return f.Format() != simdbloom.Linear && f.NumProbes() == 0 && f.Contains(nil)
}

// factsOf returns the properties of a filter, nil if it is unknown, one of the given number of its table's filters.
func factsOf(filter *simdbloom.Filter, filters int) facts {
	switch {
	case filter == nil:
		return facts{kind: unknown}
	case filter.Format() == simdbloom.Ribbon && strings.HasPrefix(filter.Name(), "simdbloom.Ribbon."):
		// It may have no columns.
	case isAlwaysTrue(filter):
		return facts{kind: alwaysTrue, format: "always-true", rated: true, rate: 1, unsound: paired.Verify(filter)}
	}
	f := facts{rated: true, from: fromBits, probes: filter.NumProbes()}
	bodyBytes := filter.SizeBytes() - trailerBytes
	switch filter.Format() {
	case simdbloom.FastLocal:
		f.kind, f.blocks, f.blockBytes = "FastLocal", bodyBytes/usualBlockBytes, usualBlockBytes
	case simdbloom.SplitBlock:
		f.kind, f.blocks, f.blockBytes = "SplitBlock", filter.SizeBytes()/splitBlockBytes, splitBlockBytes
	case simdbloom.Paired:
		f.format = "Paired"
		f.kind = "Paired in batches of 32 blocks or 128"
		if batch := geometry.Of(filter).BatchBlocks; batch != 0 {
			f.kind = fmt.Sprintf("Paired in batches of %d blocks", batch)
		}
		f.blocks, f.blockBytes, f.unsound = filter.SizeBytes()/usualBlockBytes, usualBlockBytes, paired.Verify(filter)
	case simdbloom.Linear:
		layers := geometry.Layers(filter)
		if len(layers) == 0 {
			return facts{kind: empty, rated: true}
		}
		f.kind, f.from = "Linear", "its headers"
		f.fingerprint, f.longer = geometry.FingerprintBits(filter), geometry.LongerFingerprints(filter)
		f.layers, f.blockBytes = len(layers), usualBlockBytes
		for _, lines := range layers {
			f.blocks += lines
		}
	case simdbloom.Ribbon:
		f.kind, f.from, f.probes = "Ribbon", "the number of its columns", 0
		f.blocks, f.blockBytes = int(geometry.Of(filter).Blocks), columnBytes*filter.NumProbes()
	case simdbloom.Legacy:
		lines := int(geometry.Of(filter).Lines)
		f.kind, f.from = "legacy", fromHashes
		f.blocks, f.blockBytes, f.legacyLines = lines, bodyBytes/lines, uint64(lines)
		if filters > 1 {
			f.rate = sampledRate(legacy.MayContainHash, filter, filters)
			return f
		}
	case simdbloom.LevelDB:
		f.kind, f.format, f.from = levelDBBloom, "LevelDB", fromHashes
		f.rate = sampledRate(leveldb.MayContainHash, filter, filters)
		return f
	case simdbloom.Empty:
		return facts{kind: empty, rated: true}
	default:
		f.kind = filter.Format().String()
	}
	f.rate = filter.EstimatedFPR()
	return f
}

// sampledRate looks up random hashes, always the same ones, in one of the given number of a
// table's filters: about a million in all of them, but at least one in each. The rate of filters with
// hashes of 32 bits does not follow from the bits that are set, because a key's probes depend on each
// other. EstimatedFPR would take tens of milliseconds for each.
func sampledRate(mayContain func(data []byte, hash uint64) bool, filter *simdbloom.Filter, filters int) float64 {
	random := rand.New(rand.NewPCG(1, 2))
	found, n := 0, 1<<20/filters+1
	for range n {
		if mayContain(filter.Bytes(), uint64(random.Uint32())) {
			found++
		}
	}
	return float64(found) / float64(n)
}

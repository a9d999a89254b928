package policy

import (
	"math"

	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/ribbon"
)

// columns is the kind of package ribbon. Tables of the levels below first have FastLocal filters
// instead.
type columns struct{ first int }

// Where the first level with Ribbon filters is, if the name does not say it.
const (
	notFlushed = 0             // RocksDB's default: only flushed tables have FastLocal filters
	everyLevel = math.MinInt32 // RocksDB's tests: no table has one
)

// ribbonFrom returns the format of RocksDB's Ribbon policy with the given first level.
func ribbonFrom(first int) *format {
	return &format{
		"simdbloom.Ribbon.XXPH3", keyhash.XXPH3,
		rocksDB{columns{first}},
		rocksDBContains, rocksDBContainsHash,
	}
}

func (k columns) newBuilder(bitsPerKey float64, hash keyhash.Hash, o builderOptions) (Builder, error) {
	if o.level < k.first {
		return fastLocal{}.newBuilder(bitsPerKey, hash, o)
	}
	return ribbon.NewBuilder(bitsPerKey, hash,
		shared(o, ribbon.WithConcurrency, ribbon.WithVerification, ribbon.WithMaxBytes)...)
}

func (k columns) predictedFPR(n int, bitsPerKey float64, o builderOptions) float64 {
	switch {
	case o.level < k.first:
		return fastLocal{}.predictedFPR(n, bitsPerKey, o)
	case o.limited:
		return ribbon.PredictedFPRWithin(n, bitsPerKey, o.maxBytes)
	}
	return ribbon.PredictedFPR(n, bitsPerKey)
}

func (k columns) entriesFor(bytes int, bitsPerKey float64, o builderOptions) int {
	if o.level < k.first {
		return fastLocal{}.entriesFor(bytes, bitsPerKey, o)
	}
	return ribbon.EntriesFor(bytes, bitsPerKey)
}

func (columns) open(data []byte, hash keyhash.Hash) (Filter, error) {
	f, err := ribbon.Open(data, hash)
	if err != nil {
		return nil, err
	}
	return ribbonFilter{f}, nil
}

// ribbonFilter is a Filter: its CopyAligned returns one.
type ribbonFilter struct{ *ribbon.Filter }

func (f ribbonFilter) CopyAligned() Filter { return ribbonFilter{f.Filter.CopyAligned()} }

package policy

import (
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/xx64"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/paired"
)

// pairedIn is the kind of package paired, with batches of one size.
type pairedIn struct{ batchBlocks int }

func (k pairedIn) newBuilder(bitsPerKey float64, hash keyhash.Hash, o builderOptions) (Builder, error) {
	return paired.NewBuilder(bitsPerKey, hash, k.options(o)...)
}

func (k pairedIn) predictedFPR(n int, bitsPerKey float64, o builderOptions) float64 {
	return paired.PredictedFPR(n, bitsPerKey, k.options(o)...)
}

func (k pairedIn) entriesFor(bytes int, bitsPerKey float64, o builderOptions) int {
	return paired.EntriesFor(bytes, bitsPerKey, k.options(o)...)
}

func (k pairedIn) options(o builderOptions) []paired.Option {
	options := shared(o, paired.WithConcurrency, paired.WithVerification, paired.WithMaxBytes)
	if o.roundDown {
		options = append(options, paired.WithRoundDown())
	}
	return append(options, paired.WithBatchBlocks(k.batchBlocks))
}

func (pairedIn) open(data []byte, hash keyhash.Hash) (Filter, error) {
	f, err := paired.Open(data, hash)
	if err != nil {
		return nil, err
	}
	return pairedFilter{f}, nil
}

// pairedFilter is a Filter: its CopyAligned returns one.
type pairedFilter struct{ *paired.Filter }

func (f pairedFilter) CopyAligned() Filter { return pairedFilter{f.Filter.CopyAligned()} }

// pairedXX64Contains is [paired.MayContainHash] of a key's XX64. For usual filters and short
// keys it calls only the kernel: two more calls would add a tenth to its time.
func pairedXX64Contains(data, key []byte) bool {
	if f := asm.UsualPaired(data); f.OK() && xx64.IsShort(len(key)) {
		return f.Contains(xx64.Finish(xx64.Rest(xx64.First(key), key)))
	}
	return paired.MayContainHash(data, keyhash.XX64.Sum64(key))
}

func pairedXXPH3Contains(data, key []byte) bool {
	return paired.MayContainHash(data, keyhash.XXPH3.Sum64(key))
}

package policy

import (
	"bytes"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/xx64"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/linear"
)

// inLines is the kind of package linear.
type inLines struct{}

func (inLines) newBuilder(bitsPerKey float64, hash keyhash.Hash, o builderOptions) (Builder, error) {
	return linear.NewBuilder(bitsPerKey, hash,
		shared(o, linear.WithConcurrency, linear.WithVerification, linear.WithMaxBytes)...)
}

func (inLines) predictedFPR(n int, bitsPerKey float64, o builderOptions) float64 {
	if o.limited {
		return linear.PredictedFPRWithin(n, bitsPerKey, o.maxBytes)
	}
	return linear.PredictedFPR(n, bitsPerKey)
}

func (inLines) entriesFor(bytes int, bitsPerKey float64, _ builderOptions) int {
	return linear.EntriesFor(bytes, bitsPerKey)
}

// open also reads what policies write in place of a filter, which is not in the format.
func (inLines) open(data []byte, hash keyhash.Hash) (Filter, error) {
	if bytes.Equal(data, appendAlwaysTrue(nil)) {
		return fastLocal{}.open(data, hash)
	}
	f, err := linear.Open(data, hash)
	if err != nil {
		return nil, err
	}
	return linearFilter{f}, nil
}

// linearFilter is a Filter: its CopyAligned returns one.
type linearFilter struct{ *linear.Filter }

func (f linearFilter) CopyAligned() Filter { return linearFilter{f.Filter.CopyAligned()} }

// NumProbes is 0: a lookup does not test single bits.
func (f linearFilter) NumProbes() int { return 0 }

// linearXX64Contains is [linear.MayContainHash] of a key's XX64. As in fastLocalXX64Contains,
// short keys take fewer calls.
func linearXX64Contains(data, key []byte) bool {
	if xx64.IsShort(len(key)) {
		if contains, ok := asm.LinearContains(data, xx64.Finish(xx64.Rest(xx64.First(key), key))); ok {
			return contains
		}
	}
	return linear.MayContainHash(data, keyhash.XX64.Sum64(key))
}

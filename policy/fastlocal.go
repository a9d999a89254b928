package policy

import (
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/internal/xx64"
	"github.com/simdbloom/simdbloom/keyhash"
)

// fastLocal is the kind of package bloom.
type fastLocal struct{}

func (fastLocal) newBuilder(bitsPerKey float64, hash keyhash.Hash, o builderOptions) (Builder, error) {
	return bloom.NewBuilder(bitsPerKey, hash,
		shared(o, bloom.WithConcurrency, bloom.WithVerification, bloom.WithMaxBytes)...)
}

func (fastLocal) predictedFPR(n int, bitsPerKey float64, o builderOptions) float64 {
	if o.limited {
		return bloom.PredictedFPRWithin(n, bitsPerKey, o.maxBytes)
	}
	return bloom.PredictedFPR(n, bitsPerKey)
}

func (fastLocal) entriesFor(bytes int, bitsPerKey float64, _ builderOptions) int {
	return bloom.EntriesFor(bytes, bitsPerKey)
}

func (fastLocal) open(data []byte, hash keyhash.Hash) (Filter, error) {
	f, err := bloom.Open(data, hash)
	if err != nil {
		return nil, err
	}
	return fastLocalFilter{f}, nil
}

// fastLocalFilter is a Filter: its CopyAligned returns one.
type fastLocalFilter struct{ *bloom.Filter }

func (f fastLocalFilter) CopyAligned() Filter { return fastLocalFilter{f.Filter.CopyAligned()} }

// fastLocalXX64Contains is [bloom.MayContainHash] of a key's XX64. For usual filters and short
// keys it calls only the kernel: two more calls would add a tenth to its time.
func fastLocalXX64Contains(data, key []byte) bool {
	if f := asm.UsualFastLocal(data); f.OK() && xx64.IsShort(len(key)) {
		return f.Contains(xx64.Finish(xx64.Rest(xx64.First(key), key)))
	}
	return bloom.MayContainHash(data, keyhash.XX64.Sum64(key))
}

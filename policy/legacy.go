package policy

import (
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/legacy"
)

// rocksDB32 is the key hash of RocksDB's legacy filters.
var rocksDB32 = keyhash.New("RocksDB32", func(key []byte) uint64 { return uint64(legacy.Hash(key)) })

// legacyContains is rocksDBContains, with a call less for legacy filters.
func legacyContains(data, key []byte) bool {
	if f := asm.UsualLegacy(data); f.OK() {
		return f.ContainsKey(key)
	}
	return rocksDBContains(data, key)
}

func legacyContainsHash(data []byte, hash uint64) bool {
	return legacy.MayContainHash(data, uint32(hash))
}

// lines is the kind of package legacy.
type lines struct{}

func (lines) newBuilder(bitsPerKey float64, _ keyhash.Hash, o builderOptions) (Builder, error) {
	if err := o.checkConcurrency(); err != nil {
		return nil, err
	}
	b, err := legacy.NewBuilder(bitsPerKey, notConcurrent(o, legacy.WithVerification, legacy.WithMaxBytes)...)
	return widenedBuilder{b, b}, err
}

func (lines) predictedFPR(n int, bitsPerKey float64, o builderOptions) float64 {
	return legacy.PredictedFPR(n, bitsPerKey, notConcurrent(o, legacy.WithVerification, legacy.WithMaxBytes)...)
}

func (lines) entriesFor(bytes int, bitsPerKey float64, _ builderOptions) int {
	return legacy.EntriesFor(bytes, bitsPerKey)
}

func (lines) open(data []byte, hash keyhash.Hash) (Filter, error) {
	f, err := legacy.Open(data)
	if err != nil {
		return nil, err
	}
	return legacyFilter(f, hash), nil
}

func legacyFilter(f *legacy.Filter, hash keyhash.Hash) Filter {
	return widened{f, f, hash, func() Filter { return legacyFilter(f.CopyAligned(), hash) }}
}

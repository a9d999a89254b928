package policy

import (
	"slices"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/legacy"
)

// rocksDB32 is the key hash of RocksDB's legacy filters.
var rocksDB32 = keyhash.New("RocksDB32", func(key []byte) uint64 { return uint64(legacy.Hash(key)) })

// rocksDB is the kind of a filter in RocksDB's tables. These have filters of several formats
// under one name, so whatever such a kind builds, it also reads the other one.
type rocksDB struct {
	kind
	isOther   func(data []byte) bool
	other     kind
	otherHash keyhash.Hash
}

func (k rocksDB) open(data []byte, hash keyhash.Hash) (Filter, error) {
	if !k.isOther(data) {
		return k.kind.open(data, hash)
	}
	f, err := k.other.open(data, k.otherHash)
	if err != nil {
		return nil, err
	}
	return keysOnly{f, f, hash}, nil
}

// A filter's trailer has five bytes. Its first one is 1 to mostLegacy, which is the number of
// probes, in a legacy filter.
const (
	trailerBytes    = 5
	mostLegacy      = 0x7f
	markerFastLocal = 0xff
)

func isLegacy(data []byte) bool { return marker(data)-1 < mostLegacy }

func isFastLocal(data []byte) bool { return marker(data) == markerFastLocal }

func marker(data []byte) byte {
	if len(data) <= trailerBytes {
		return 0
	}
	return data[len(data)-trailerBytes]
}

// rocksDBContains looks up a key in a filter of RocksDB's tables, or Pebble's.
func rocksDBContains(data, key []byte) bool {
	if isFastLocal(data) {
		return bloom.MayContainHash(data, keyhash.XXPH3.Sum64(key))
	}
	return legacy.MayContain(data, key) // other formats may contain every key
}

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

// keysOnly is a filter that was built with another key hash than the policy's. It looks up
// keys, and may contain every hash.
type keysOnly struct {
	keyFilter
	filter Filter
	hash   keyhash.Hash
}

func (f keysOnly) Hash() keyhash.Hash { return f.hash }

func (f keysOnly) CopyAligned() Filter {
	filter := f.filter.CopyAligned()
	return keysOnly{filter, filter, f.hash}
}

func (keysOnly) ContainsHash(uint64) bool { return true }

func (keysOnly) ContainsHashes(hashes []uint64, hits []bool) {
	for i := range hits[:len(hashes)] {
		hits[i] = true
	}
}

func (keysOnly) ContainsHashBits(hashes, hits []uint64) {
	words := hits[:asm.Words(len(hashes))]
	for i := range words {
		words[i] = ^uint64(0)
	}
	if rest := len(hashes) % 64; rest > 0 {
		words[len(words)-1] = 1<<rest - 1
	}
}

func (keysOnly) AppendHits(dst []int, hashes []uint64) []int {
	dst = slices.Grow(dst, len(hashes))
	for i := range hashes {
		dst = append(dst, i)
	}
	return dst
}

// Package policy gives filters by name, as databases configure them: one string
// says the format, the bits per key and the key hash, so that what builds a
// filter and what reads it cannot disagree. The filters are those of packages
// [github.com/simdbloom/simdbloom/bloom] and
// [github.com/simdbloom/simdbloom/paired].
//
//	p, err := policy.Parse("speedb.PairedBloomFilter:23.4")
//	b := p.NewBuilder()
//	b.Add(key)               // ... every key of a table
//	data, err := b.Finish()  // the bytes to store in the table
//
//	p.MayContain(data, key)  // before reading the table
//
// The names, where B is bits per key, a decimal number:
//
//	simdbloom.Bloom:B                        FastLocal, XX64
//	simdbloom.Paired:B                       Paired in 128-block batches, XX64
//	rocksdb.BloomFilter:B, bloomfilter:B     what RocksDB calls so: FastLocal, XXPH3
//	    (either also with ":false" behind, as old option files have it)
//	rocksdb.internal.FastLocalBloomFilter:B  the same
//	speedb.PairedBloomFilter:B               what Speedb calls so: Paired in
//	speedb_paired_bloom_filter:B             32-block batches, XXPH3
package policy

import (
	"github.com/simdbloom/simdbloom/keyhash"
)

// Policy is a way to build and read filters. Any number of goroutines may use it
// at once.
type Policy interface {
	// Name is what a store should record beside the filters: the format, the
	// batch and the hash, without the bits per key. Policies of one name read
	// each other's filters.
	Name() string

	// String is the text that Parse was given.
	String() string

	// Hash is the key hash that filters are built and queried with.
	Hash() keyhash.Hash

	// NewBuilder returns an empty builder. Below 0.5 bits per key, which RocksDB's
	// users write for "no filter", it builds RocksDB's six zero bytes, which may
	// contain every key; that builder keeps no keys, so Len counts all of them.
	//
	// It panics if an option is invalid (a concurrency below 1, or MaxBytes below the
	// smallest filter's size), whatever the bits per key.
	NewBuilder(options ...BuilderOption) Builder

	// PredictedFPR returns the expected false-positive rate of a filter of n different
	// keys that is built with the same options. Below 0.5 bits per key it is 1, and
	// NaN if an option is invalid. See [bloom.PredictedFPR] and [paired.PredictedFPR].
	PredictedFPR(n int, options ...BuilderOption) float64

	// Open returns the filter whose bytes are data, without copying them. It takes
	// any bytes. Its error wraps [bloom.ErrCorrupt]. See [bloom.Open] and
	// [paired.Open].
	Open(data []byte) (Filter, error)

	// MayContain is Open and Contains in one call that keeps nothing and
	// allocates nothing, for stores that find the bytes anew at every lookup. It
	// answers true for bytes that Open refuses and for other formats'.
	MayContain(data, key []byte) bool

	// MayContainHash is MayContain of a key by its hash, which is Hash's: a key that
	// is looked up in many tables need be hashed only once.
	MayContainHash(data []byte, hash uint64) bool
}

// Builder is what all builders have in common. Its methods are those of
// [bloom.Builder] and [paired.Builder]. One goroutine at a time may use it.
type Builder interface {
	Add(key []byte)
	AddString(key string)
	AddKeys(keys [][]byte)
	AddHash(hash uint64)
	AddHashes(hashes []uint64)
	Len() int
	SizeBytes() int
	Finish() ([]byte, error)
	AppendFinish(dst []byte) ([]byte, error)
	Reset()
}

// Filter is what all filters have in common. Its methods are those of [bloom.Filter]
// and [paired.Filter]. Any number of goroutines may use it at once.
//
// What only one package's filters have is found by a type assertion, such as
// f.(interface{ Kind() bloom.Kind }).
type Filter interface {
	Contains(key []byte) bool
	ContainsString(key string) bool
	ContainsHash(hash uint64) bool
	ContainsHashes(hashes []uint64, hits []bool)
	ContainsHashBits(hashes, hits []uint64)
	ContainsKeys(keys [][]byte, hits []bool)
	AppendHits(dst []int, hashes []uint64) []int
	Hash() keyhash.Hash
	NumProbes() int
	SizeBytes() int
	Bytes() []byte
	EstimatedFPR() float64

	// CopyAligned returns the same filter over an aligned copy of its bytes. The
	// packages' own methods of this name return their own types, so *bloom.Filter and
	// *paired.Filter are no Filters: Policy.Open wraps them.
	CopyAligned() Filter
}

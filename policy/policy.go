// Package policy builds and reads filters by name, as databases configure them. One
// string gives the format, the bits per key and the key hash, so a filter's builder
// and its readers cannot disagree. The filters are those of packages [bloom], [paired],
// [linear], [ribbon], [legacy] and [leveldb].
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
//	simdbloom.Linear:B                       Linear, XX64
//	rocksdb.BloomFilter:B, bloomfilter:B     RocksDB's filter: FastLocal, XXPH3
//	    (also with ":false" at the end, as in old option files)
//	rocksdb.internal.FastLocalBloomFilter:B  the same
//	rocksdb.RibbonFilter:B, ribbonfilter:B   RocksDB's Ribbon filter, and FastLocal for flushed
//	                                         tables: see [WithLevel]; XXPH3
//	    (also with a level at the end, such as ":2": FastLocal below it, Ribbon from there on)
//	rocksdb.internal.Standard128RibbonFilter:B
//	                                         Ribbon in every level
//	rocksdb.internal.LegacyBloomFilter:B     RocksDB's filter before format_version 5, which
//	                                         Pebble writes: legacy, with a hash of 32 bits
//	leveldb.BuiltinBloomFilter2:B            LevelDB's filter, with a hash of 32 bits
//	speedb.PairedBloomFilter:B               Speedb's filter: Paired in
//	speedb_paired_bloom_filter:B             32-block batches, XXPH3
//
// For new filters that no other program reads, take simdbloom.Bloom up to 10 bits per
// key and simdbloom.Paired above: see [paired.BitsPerKeyFor]. simdbloom.Linear takes the least
// memory and more time to build: see [linear.BitsPerKeyFor].
package policy

import (
	"github.com/simdbloom/simdbloom/keyhash"
)

// Policy builds and reads filters of one format with one key hash. [Parse] returns it.
// Any number of goroutines may use it at once. Do not implement it elsewhere: it may get
// more methods.
type Policy interface {
	// Name is what a store should record beside the filters: the format, the
	// batch and the hash, without the bits per key. Policies of one name read
	// each other's filters.
	Name() string

	// String is the text that [Parse] was given.
	String() string

	// Hash is the key hash that filters are built and queried with.
	Hash() keyhash.Hash

	// NewBuilder returns an empty builder. Below 0.5 bits per key, which RocksDB's
	// users write for "no filter", it builds RocksDB's six zero bytes, which may
	// contain every key; that builder keeps no keys, so Len counts repeated ones too.
	//
	// It panics if an option is invalid (WithConcurrency below 1, WithMaxBytes below the
	// smallest filter's size), whatever the bits per key.
	NewBuilder(options ...BuilderOption) Builder

	// PredictedFPR returns the expected false-positive rate of a filter of n different
	// keys that is built with the same options. Below 0.5 bits per key it is 1, and
	// NaN if an option is invalid. See [bloom.PredictedFPR], [paired.PredictedFPR],
	// [linear.PredictedFPR], [ribbon.PredictedFPR], [legacy.PredictedFPR] and
	// [leveldb.PredictedFPR].
	PredictedFPR(n int, options ...BuilderOption) float64

	// EntriesFor returns how many keys a filter of the given number of bytes has room for, if it is
	// built with the same options: what package filterblock, and RocksDB, cut a table's filter into
	// partitions by. It is 0 if no filter is that small, and if an option is invalid. Below 0.5
	// bits per key there is room for any number. It takes microseconds at most. See
	// [bloom.EntriesFor], [paired.EntriesFor], [linear.EntriesFor], [ribbon.EntriesFor],
	// [legacy.EntriesFor] and [leveldb.EntriesFor].
	EntriesFor(bytes int, options ...BuilderOption) int

	// Open returns the filter whose bytes are data, without copying them. It takes
	// any bytes. Its error wraps [bloom.ErrCorrupt]. See [bloom.Open], [paired.Open],
	// [linear.Open], [ribbon.Open], [legacy.Open] and [leveldb.Open].
	Open(data []byte) (Filter, error)

	// MayContain is Open and Contains in one call, which allocates nothing. Use it where
	// every lookup finds the bytes anew, as in a block cache. It answers true for bytes
	// that Open refuses and for those of other formats. It costs the key's hash and a few
	// nanoseconds if the filter's lines are cached, otherwise a cache miss for each.
	MayContain(data, key []byte) bool

	// MayContainHash is MayContain of a key by its hash, which must be that of Hash. Use
	// it to look up a key in many tables and hash it once. It answers true if the filter was
	// built with another key hash: see HashApplies.
	MayContainHash(data []byte, hash uint64) bool

	// HashApplies reports whether the bytes are a filter of the policy's key hash. Old
	// tables of RocksDB have legacy filters, whose hash is another one than that of its newer
	// filters, FastLocal and Ribbon. Their policies' Open and MayContain look up keys in all three,
	// by what the bytes say, but a hash can be looked up only in filters of its own kind. Others may
	// contain every hash. It looks at one byte.
	HashApplies(data []byte) bool
}

// Builder collects keys and builds one filter after another. Its methods are those of
// [bloom.Builder], [paired.Builder], [linear.Builder] and [ribbon.Builder], which say more, and for
// hashes of 32 bits, the lower half of these, of [legacy.Builder] and [leveldb.Builder]. One goroutine
// at a time may use it.
type Builder interface {
	// Add adds a key. AddString is the same for a string.
	Add(key []byte)
	AddString(key string) // see Add

	// AddKeys adds many keys, in less time than one by one.
	AddKeys(keys [][]byte)

	// AddHash adds a key by its hash, which must be that of the policy's Hash. AddHashes
	// is the same for many.
	AddHash(hash uint64)
	AddHashes(hashes []uint64) // see AddHash

	// Len returns the number of keys kept since the last Finish.
	Len() int

	// SizeBytes returns the exact size of the filter that Finish would return. A linear
	// filter may be smaller, and one of hashes chosen to fit no Ribbon filter has another size: see
	// [linear.Builder.SizeBytes] and [ribbon.Builder.SizeBytes].
	SizeBytes() int

	// Finish returns the filter's bytes, and leaves the builder empty and ready for the
	// next filter. After an error the builder still has every key.
	Finish() ([]byte, error)

	// AppendFinish is Finish into the caller's memory: it appends the filter's bytes to
	// dst. See [AppendFilter] for databases whose interface returns no error.
	AppendFinish(dst []byte) ([]byte, error)

	// Reset drops all keys.
	Reset()
}

// Filter is an open filter, as [Policy.Open] returns it. Its methods are those of
// [bloom.Filter], [paired.Filter], [linear.Filter] and [ribbon.Filter], which say more, and for hashes
// of 32 bits, the lower half of these, of [legacy.Filter] and [leveldb.Filter]. Any number of
// goroutines may use it at once.
//
// Filters also have their package's MarshalBinary, WriteTo and so on, except where one was built
// with another key hash than the policy's: see HashApplies. Package filterfile stores all.
//
// To call a method that only one package's filters have, use a type assertion, such as
// f.(interface{ Kind() bloom.Kind }).
type Filter interface {
	// Contains reports whether the key may have been added. False means that it was not.
	Contains(key []byte) bool
	ContainsString(key string) bool // see Contains
	ContainsHash(hash uint64) bool  // of a key by its hash

	// ContainsHashes sets hits[i] to ContainsHash(hashes[i]). It is the fastest way to
	// look up many keys.
	ContainsHashes(hashes []uint64, hits []bool)

	// ContainsHashBits sets bit i%64 of hits[i/64] to ContainsHash(hashes[i]).
	ContainsHashBits(hashes, hits []uint64)

	// ContainsKeys sets hits[i] to Contains(keys[i]), in less time than one by one.
	ContainsKeys(keys [][]byte, hits []bool)

	// AppendHits appends to dst the index of every hash that may have been added.
	AppendHits(dst []int, hashes []uint64) []int

	// Hash returns the key hash, which is the policy's.
	Hash() keyhash.Hash

	// NumProbes returns the number of bits that a lookup tests, or of a Ribbon filter's columns: 0
	// if all keys get the same answer, and for linear filters, which have FingerprintBits instead.
	NumProbes() int

	// SizeBytes and Bytes return the size and the bytes that the filter was opened from.
	SizeBytes() int
	Bytes() []byte // do not change them

	// EstimatedFPR returns the false-positive rate, computed from the bits that are set, for
	// which it reads the whole filter, or from the length of fingerprints.
	EstimatedFPR() float64

	// CopyAligned returns the same filter over an aligned copy of its bytes. The methods
	// of this name in packages bloom, paired, linear and ribbon return their own types, so
	// *bloom.Filter, for one, does not implement Filter: Policy.Open wraps it.
	CopyAligned() Filter
}

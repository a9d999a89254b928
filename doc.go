// Package simdbloom is the filter layer of Go storage engines: the filters of RocksDB, Speedb,
// Pebble, LevelDB and Parquet, byte for byte, and one of our own, with SIMD kernels and no cgo.
//
// A filter stands for a set of keys in a few bits per key. "No" is always right; "may contain" has a
// small false-positive rate. A table whose filter answers "no" need not be read.
//
//	b, err := linear.NewBuilder(16, keyhash.XX64) // 16 bits per key
//	b.AddString("apple")                          // ... every key
//	f, err := b.Filter()
//	f.ContainsString("cherry")                    // false; true for 1 absent key in 38,500
//
//	data, err := f.MarshalBinary()                // format, key hash and checksums included
//	var g simdbloom.Filter
//	err = g.UnmarshalBinary(data)                 // checksums are verified
//
//	seen, err := bloom.NewConcurrent(1_000_000, 10, keyhash.XX64) // a million keys, 10 bits each
//	isNew := seen.AddStringIfAbsent("https://example.com/")       // from any goroutine
//
// Package [filterfile] stores the same bytes in files; [filterset] has sets of them, for any number of keys. Raw bytes
// (Builder.Finish and Open) record neither format nor key hash, and have no checksum: they are for engines that keep
// all this elsewhere. [policy] has names to record, [filterblock] the filters of sorted tables.
//
// # Formats
//
//	format      package     take it for
//	Linear      linear      all keys are known: least memory; slower to build
//	FastLocal   bloom       keys that arrive while it is queried; fast lookups and building
//	Paired      paired      fewer false positives than FastLocal above 12 bits per key
//	Ribbon      ribbon      as little memory, in RocksDB's files
//	SplitBlock  splitblock  Parquet's files
//	Blobloom    blobloom    filters of the Go module blobloom, and Milvus's
//	Legacy      legacy      filters that Pebble wrote
//	LevelDB     leveldb     filters that LevelDB wrote
//
// These packages have NewBuilder, Open and MayContainHash, and compute rates and sizes: PredictedFPR, BitsPerKeyFor,
// KeysFor. Their types are those of this package, so one slice of *Filter can have all formats: [AppendFilters] looks
// up a key in all of its filters, [Candidates] many keys; package [sliced] does both for thousands of filters.
// Packages bitsandblooms, dcso and redisbloom query filters that bits-and-blooms/bloom, DCSO/bloom and RedisBloom
// stored. They have types of their own.
//
// # Keys
//
// Keys are bytes, strings (AddString) or 64-bit integers (AddUint64). Builder and readers need the
// same key hash: [keyhash.XX64] for new filters, [keyhash.XXPH3] for RocksDB's files. AddHash and
// ContainsHash take hashes that you have already. Sequential numbers are no hashes: use AddUint64.
// Batches (AddKeys, ContainsKeys, ContainsHashes, ContainsUint64s) take less time than single keys.
//
// Columns of numbers and strings, such as Apache Arrow's, are a [keyhash.Column]: AddColumn adds its values, and
// ContainsColumn and AppendColumnHits look them up.
//
// # Filters that accept keys
//
// [Mutable] accepts keys between queries, [Concurrent] from any number of goroutines: bloom.NewMutable
// and bloom.NewConcurrent, which take bits per key, bloom.NewMutableForFPR and bloom.NewConcurrentForFPR, which take
// a rate, and the first two of splitblock and blobloom. All other filters need all keys before they are built.
//
// # Options, errors, goroutines
//
// NewBuilder takes options, such as [WithMaxBytes]. Errors wrap [ErrCorrupt], [ErrUnknown],
// [ErrTooLarge] or [ErrVerification] where these apply. No input, however corrupt, causes a panic or an out-of-bounds
// read. Any number of goroutines may query a Filter; one at a time may use a Builder.
//
// For Pebble, goleveldb and table files there are separate modules. [All pages].
//
// [filterfile]: https://pkg.go.dev/github.com/simdbloom/simdbloom/filterfile
// [filterset]: https://pkg.go.dev/github.com/simdbloom/simdbloom/filterset
// [policy]: https://pkg.go.dev/github.com/simdbloom/simdbloom/policy
// [filterblock]: https://pkg.go.dev/github.com/simdbloom/simdbloom/filterblock
// [sliced]: https://pkg.go.dev/github.com/simdbloom/simdbloom/sliced
// [All pages]: https://github.com/simdbloom/simdbloom/tree/HEAD/docs
package simdbloom

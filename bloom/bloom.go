// Package bloom builds and reads RocksDB's FastLocal Bloom filter, bit for bit
// (util/bloom_impl.h, FastLocalBloomImpl; RocksDB writes it since format_version
// 5). All of a key's bits are in one 64-byte line of memory, so a lookup costs
// at most one cache miss.
//
// A filter answers "may contain" or "does not contain". The second is always
// true. The first has a false-positive rate of 1 in 103 at 10 bits per key, and of 1
// in 15,600 at 23.4. [PredictedFPR] says more.
//
//	b, err := bloom.NewBuilder(10, keyhash.XX64)
//	b.Add(key)               // ... every key
//	data, err := b.Finish()  // the bytes to store
//
//	f, err := bloom.Open(data, keyhash.XX64)
//	f.Contains(key)
//
// # Filters that grow
//
// [Mutable] takes keys and answers at any time; [Concurrent] does so for any number of
// goroutines at once. Their bytes are the same filter's at every moment.
//
//	m, err := bloom.NewMutable(1_000_000, 10, keyhash.XX64) // room for a million keys
//	isNew := m.AddIfAbsent(key)
//	m.Contains(key)
//
// Their size is fixed, and more keys than expected only raise the false-positive rate:
// [Mutable.PredictedFPR] computes it, [Mutable.EstimatedFPR] and [Mutable.Full] tell from the
// bits. ([PredictedFPRWithin] is the rate of a filter that is built for that many keys in the
// same bytes. It is lower, because fewer probes suit fewer bits per key.) A filter for a million
// keys at 10 bits per key has a rate of 1 in 103 with a million, 1 in 22 with 1.5 million, and
// 1 in 8 with two.
//
// A set whose size nobody knows takes a list of filters, the newest first. When the newest
// has as many keys as its Capacity, a larger one is put before it. A lookup goes through the
// list, and the rates add up: the example of NewMutable shows it. If the keys are stored
// elsewhere, one larger filter can be rebuilt from them instead, and is faster to look up.
//
// Paired, linear and Ribbon filters cannot grow. In package [paired]'s filter, the numbers of
// keys in all blocks of a batch decide which two blocks are paired, so all keys must be known
// first. The bits of a linear or Ribbon filter solve a system of equations, one for each key.
//
// # Stored filters
//
// Finish's bytes are the filter alone, as RocksDB's tables have it. What MarshalBinary and WriteTo
// of a [Filter], a Mutable or a Concurrent write also names the format and the key hash, and has
// checksums of every byte. UnmarshalBinary and ReadFrom read it, so gob, key-value stores and HTTP
// bodies need nothing else. Package [filterfile] has the same bytes in files, which it maps.
//
//	data, err := f.MarshalBinary()
//
//	var g bloom.Filter
//	err = g.UnmarshalBinary(data)
//
// # Other filters
//
// Package [paired] trades a slower lookup for fewer false positives in the same
// memory: 1.6 times fewer at 16 bits per key, 3.8 times at 23.4. [docs/choosing.md] compares
// the filters of all packages.
//
// Packages [linear] and [ribbon] have filters that need less memory for the same rate. They take
// more time to build and to look up. RocksDB reads those of package ribbon.
//
// Measured times are in [docs/performance.md].
//
// [filterfile]: https://pkg.go.dev/github.com/simdbloom/simdbloom/filterfile
// [linear]: https://pkg.go.dev/github.com/simdbloom/simdbloom/linear
// [paired]: https://pkg.go.dev/github.com/simdbloom/simdbloom/paired
// [ribbon]: https://pkg.go.dev/github.com/simdbloom/simdbloom/ribbon
// [docs/choosing.md]: https://github.com/simdbloom/simdbloom/blob/HEAD/docs/choosing.md
// [docs/performance.md]: https://github.com/simdbloom/simdbloom/blob/HEAD/docs/performance.md
package bloom

import (
	"github.com/simdbloom/simdbloom/internal/answers"
	"github.com/simdbloom/simdbloom/internal/building"
)

var (
	// ErrCorrupt is wrapped by every error about a filter's bytes. It is the same
	// value in all packages of filters.
	ErrCorrupt = answers.ErrCorrupt

	// ErrTooLarge is wrapped by Finish's error if the keys need more bytes than the
	// format's 4 GiB, or than a slice can have on this machine. [WithMaxBytes] prevents
	// that.
	//
	// The errors of [NewMutable] and [NewConcurrent] wrap it in the same cases.
	ErrTooLarge = building.ErrTooLarge

	// ErrVerification is wrapped by Finish's error if [WithVerification] found that
	// the filter lacks a key that was added.
	ErrVerification = building.ErrVerification
)

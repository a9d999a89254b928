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
// Package [paired] trades a slower lookup for fewer false positives in the same
// memory: 1.6 times fewer at 16 bits per key, 3.8 times at 23.4.
//
// Measured times are in [docs/performance.md].
//
// [paired]: https://pkg.go.dev/github.com/simdbloom/simdbloom/paired
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
	ErrTooLarge = building.ErrTooLarge

	// ErrVerification is wrapped by Finish's error if [WithVerification] found that
	// the filter lacks a key that was added.
	ErrVerification = building.ErrVerification
)

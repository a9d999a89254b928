// Package bloom builds and reads RocksDB's FastLocal Bloom filter, bit for bit
// (util/bloom_impl.h, FastLocalBloomImpl; RocksDB writes it since format_version
// 5): all of a key's bits are in one 64-byte line of memory, so a lookup costs
// one cache miss at most.
//
// A filter answers "may contain" or "does not contain". The second is always
// true. The first is wrong for 1 absent key in 103 at 10 bits per key, and 1 in
// 15,600 at 23.4 (PredictedFPR says more).
//
//	b, err := bloom.NewBuilder(10, keyhash.XX64)
//	b.Add(key)               // ... every key
//	data, err := b.Finish()  // the bytes to store
//
//	f, err := bloom.Open(data, keyhash.XX64)
//	f.Contains(key)
//
// Package paired has a twin that errs less often in the same memory, by a factor
// of 1.6 at 16 bits per key and of 3.8 at 23.4, for a dearer lookup.
package bloom

import (
	"github.com/simdbloom/simdbloom/internal/answers"
	"github.com/simdbloom/simdbloom/internal/building"
)

var (
	// ErrCorrupt is wrapped by Open's errors about the bytes. It is the same
	// value as paired.ErrCorrupt.
	ErrCorrupt = answers.ErrCorrupt

	// ErrTooLarge is wrapped by Finish's error when the keys need more bytes
	// than the format's 4 GiB, or than a slice can have on this machine:
	// WithMaxBytes prevents that.
	ErrTooLarge = building.ErrTooLarge

	// ErrVerification is wrapped by Finish's error when WithVerification found
	// that the filter lacks a key that was added.
	ErrVerification = building.ErrVerification
)

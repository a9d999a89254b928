// Package paired builds and reads Speedb's paired block Bloom filter, bit for
// bit (plugin/speedb/paired_filter in Speedb's source).
//
// Like package [bloom]'s filter it consists of 64-byte lines, but half of a key's
// bits are in its own line and half in the line that this one is paired with.
// Lines are paired within batches, the fullest with the emptiest. Full lines, which
// have most of a cache-line filter's false positives, are thus evened out. At 23.4 bits
// per key the false-positive rate is 1 in about 60,000, where package bloom has 1 in
// 15,600. For an absent key, a lookup almost always reads one line; for a present one,
// two.
//
//	b, err := paired.NewBuilder(23.4, keyhash.XX64)
//	b.Add(key)               // ... every key
//	data, err := b.Finish()  // the bytes to store
//
//	f, err := paired.Open(data, keyhash.XX64)
//	f.Contains(key)
//
// A batch has 128 lines, 8 KiB, as the algorithm was published, or 32, 2 KiB, as in
// Speedb's files. A filter is a whole number of batches, so 32 suit small filters
// better: see [WithBatchBlocks]. [BitsPerKeyFor] says when package bloom's filter needs less
// memory.
//
// Measured times are in [docs/performance.md].
//
// [bloom]: https://pkg.go.dev/github.com/simdbloom/simdbloom/bloom
// [docs/performance.md]: https://github.com/simdbloom/simdbloom/blob/HEAD/docs/performance.md
package paired

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

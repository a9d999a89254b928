// Package paired builds and reads Speedb's paired block Bloom filter, bit for
// bit (plugin/speedb/paired_filter in Speedb's source).
//
// Like package [bloom]'s filter it consists of 64-byte lines, but half of a key's
// bits are in its own line and half in the line that this one is paired with.
// Lines are paired within batches, the fullest with the emptiest, which evens
// out what makes a cache-line filter inaccurate. At 23.4 bits per key it has a
// false-positive rate of 1 in about 60,000, where package bloom has 1 in 15,600. For
// an absent key, a lookup almost always reads one line; for a present one, two.
//
//	b, err := paired.NewBuilder(23.4, keyhash.XX64)
//	b.Add(key)               // ... every key
//	data, err := b.Finish()  // the bytes to store
//
//	f, err := paired.Open(data, keyhash.XX64)
//	f.Contains(key)
//
// Batches are of 128 lines, 8 KiB, as the algorithm was published, or of 32,
// 2 KiB, as Speedb's files have them. A filter is a whole number of batches, so 32
// suit small filters better: see [WithBatchBlocks]. For which of the two packages to
// use, see [BitsPerKeyFor].
//
// [bloom]: https://pkg.go.dev/github.com/simdbloom/simdbloom/bloom
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

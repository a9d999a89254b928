// Package ribbon builds and reads RocksDB's Ribbon filter, Standard128Ribbon, bit for bit
// (util/ribbon_impl.h; RocksDB has it since 6.15). It has the false-positive rate of package
// [bloom]'s filter in two thirds to three quarters of the memory. Building takes several times as
// long, and so does a lookup.
//
// Bits per key are those of the Bloom filter that has the same rate, as in RocksDB's policy
// "ribbonfilter:10": the filter itself takes about 7.1 for 10, and 15 for 23.4.
//
// A filter answers "may contain" or "does not contain". The second is always
// true. The first has a false-positive rate of 1 in 105 at 10 bits per key, and of 1
// in 20,000 at 23.4. [PredictedFPR] says more.
//
//	b, err := ribbon.NewBuilder(10, keyhash.XX64)
//	b.Add(key)               // ... every key
//	data, err := b.Finish()  // the bytes to store
//
//	f, err := ribbon.Open(data, keyhash.XX64)
//	f.Contains(key)
//
// Of few keys, RocksDB builds a FastLocal filter where that is smaller, and so does this package:
// the bytes are those that package bloom writes. [Open] reads both.
//
// Package [linear]'s filter is faster, but no other program reads it. [docs/ribbon.md] says when to
// take which.
//
// [bloom]: https://pkg.go.dev/github.com/simdbloom/simdbloom/bloom
// [linear]: https://pkg.go.dev/github.com/simdbloom/simdbloom/linear
// [docs/ribbon.md]: https://github.com/simdbloom/simdbloom/blob/HEAD/docs/ribbon.md
package ribbon

import (
	"github.com/simdbloom/simdbloom/internal/answers"
	"github.com/simdbloom/simdbloom/internal/building"
)

var (
	// ErrCorrupt is wrapped by every error about a filter's bytes. It is the same
	// value in all packages of filters.
	ErrCorrupt = answers.ErrCorrupt

	// ErrTooLarge is wrapped by Finish's error if the filter, or what building it takes, needs more
	// bytes than a slice can have on this machine. It is also wrapped if more than 950,000,000
	// keys, of which a FastLocal filter is built, need more than 4 GiB; [WithMaxBytes] prevents
	// that.
	ErrTooLarge = building.ErrTooLarge

	// ErrVerification is wrapped by Finish's error if [WithVerification] found that
	// the filter lacks a key that was added.
	ErrVerification = building.ErrVerification
)

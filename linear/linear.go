// Package linear builds and reads linear filters, which need less memory than Bloom filters
// with the same false-positive rate: 17.0 bits per key for 1 in 65,536, where package [paired]
// needs 23.6. No other program writes them. [docs/linear.md] explains them, and
// [docs/linear-format.md] describes the format.
//
// Every line, 64 bytes, is a system of linear equations over bits, and a key is an equation.
// A line that cannot hold all of its keys leaves some out, which are in the next of a few
// layers of lines. A lookup reads one line for most keys, and two for up to a quarter.
//
// A filter answers "may contain" or "does not contain". The second is always true. The first
// has a false-positive rate of 2^-r, where the fingerprints have r bits: from 7 bits, which
// take 7.3 bits per key, to 31, which take 33.7. More bits per key make no filter better, and
// fewer are raised to 7.3.
//
//	b, err := linear.NewBuilder(17, keyhash.XX64)
//	b.Add(key)               // ... every key
//	data, err := b.Finish()  // the bytes to store
//
//	f, err := linear.Open(data, keyhash.XX64)
//	f.Contains(key)
//
// Building takes longer than in package [bloom], on the order of 10 ns a key with kernels, and
// lookups take longer while the filter is in the caches.
//
// [bloom]: https://pkg.go.dev/github.com/simdbloom/simdbloom/bloom
// [paired]: https://pkg.go.dev/github.com/simdbloom/simdbloom/paired
// [docs/linear.md]: https://github.com/simdbloom/simdbloom/blob/HEAD/docs/linear.md
// [docs/linear-format.md]: https://github.com/simdbloom/simdbloom/blob/HEAD/docs/linear-format.md
package linear

import (
	"github.com/simdbloom/simdbloom/internal/answers"
	"github.com/simdbloom/simdbloom/internal/building"
)

var (
	// ErrCorrupt is wrapped by every error about a filter's bytes. It is the same
	// value in all packages of filters.
	ErrCorrupt = answers.ErrCorrupt

	// ErrTooLarge is wrapped by Finish's error if the keys need more than the format's
	// 2^32-1 lines, 256 GiB, or more bytes than a slice can have on this machine.
	// [WithMaxBytes] prevents that.
	ErrTooLarge = building.ErrTooLarge

	// ErrVerification is wrapped by Finish's error if [WithVerification] found that
	// the filter lacks a key that was added.
	ErrVerification = building.ErrVerification
)

// Package linear builds and reads linear filters, which need less memory than Bloom filters
// with the same false-positive rate: with a million keys 17.0 bits per key for 1 in 75,600, where package
// [paired] needs 23.9. No other program writes them. [docs/linear.md] explains them and their format.
//
// Every line, 64 bytes, is a system of linear equations over bits, and a key is an equation.
// A line that cannot hold all of its keys leaves some out, which are in the next of a few
// layers of lines. A header of one byte tells which. A lookup reads headers, a 65th of the filter,
// until it knows its line, and then that line.
//
// A filter answers "may contain" or "does not contain". The second is always true. The first
// has a false-positive rate of 2^-r, where the fingerprints have r bits: from 7, which take 7.35 bits
// per key, to 32, which take 34.3. A filter has fingerprints of two neighbouring lengths, so that the rate falls
// steadily between these. More bits per key make no filter better, and fewer are raised to 7.35.
//
//	b, err := linear.NewBuilder(17, keyhash.XX64)
//	b.Add(key)                     // ... every key
//	f, err := b.Filter()
//	f.Contains(key)
//	data, err := f.MarshalBinary() // to store: with format, key hash and checksums
//
// Finish and [Open] are for engines that store raw bytes, and record format and key hash elsewhere.
//
// Building is slower than in package [bloom], some tens of nanoseconds a key with kernels, and
// so are lookups.
//
// [bloom]: https://pkg.go.dev/github.com/simdbloom/simdbloom/bloom
// [paired]: https://pkg.go.dev/github.com/simdbloom/simdbloom/paired
// [docs/linear.md]: https://github.com/simdbloom/simdbloom/blob/HEAD/docs/linear.md
package linear

import (
	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/formats"
	"github.com/simdbloom/simdbloom/internal/formats/contents"
	"github.com/simdbloom/simdbloom/internal/formats/linear"
	"github.com/simdbloom/simdbloom/keyhash"
)

func init() {
	formats.Link(asm.Linear, linear.NewScheme, linear.Read)
	formats.LinkRates(asm.Linear, formats.Rates{PredictedFPR: linear.PredictedFPR, BitsPerKeyFor: linear.BitsPerKeyFor})
}

// NewBuilder returns an empty builder of filters with the given number of bits
// per key, for keys hashed with hash. They count in thousandths, rounded to the nearest, and more than
// 1000 count as 1000. Less than 0.5, NaN, infinities, the zero Hash and an invalid option are errors.
//
// Filters of fewer than 7.35 bits per key do not exist: fewer count as that. From 35 on,
// more bits only let lines leave out fewer keys, and more than 130 are not used.
//
// NewBuilder(1000, hash, WithMaxBytes(n)) fills n bytes, as far as more bits per key lower the rate.
// Below 7.35 bits per key, package bloom's filters are better.
func NewBuilder(bitsPerKey float64, hash keyhash.Hash, options ...simdbloom.Option) (*simdbloom.Builder, error) {
	return simdbloom.NewBuilder(simdbloom.Linear, bitsPerKey, hash, options...)
}

// WithFasterLookups makes lookups faster (by how much: [docs/linear.md]), for 4 to 7 % more bits per key at the same
// false-positive rate: lines are less full, so that about a twelfth of the keys, instead of a fifth to a quarter, is in
// later layers. The bytes are of the same format. Fewer than 7.65 bits per key count as that.
//
// [docs/linear.md]: https://github.com/simdbloom/simdbloom/blob/HEAD/docs/linear.md#memory
func WithFasterLookups() simdbloom.Option {
	return func(o *building.Options) { o.Given |= building.GivenFasterLookups }
}

// Open returns the filter whose bytes are data, as [simdbloom.Open] does: data is not copied, and must neither
// change nor be freed while the filter is in use.
//
// Open checks the bytes in the time of a lookup, however many they are. Zero bytes contain no key. Bytes of other
// formats and truncated ones are an error that wraps [simdbloom.ErrCorrupt].
func Open(data []byte, hash keyhash.Hash) (*simdbloom.Filter, error) {
	return simdbloom.OpenLinked(simdbloom.Linear, data, hash)
}

// MayContainHash is [Open] and ContainsHash in one call, without allocating. It answers true for bytes that
// Open refuses. Any number of goroutines may call it at once.
//
// Use it where every lookup finds the bytes anew, as in a block cache. It costs a few nanoseconds more than
// ContainsHash.
func MayContainHash(data []byte, hash uint64) bool {
	return asm.LinearMayContain(data, hash, otherMayContain)
}

// otherMayContain looks a hash up in bytes that are no linear filter's with a layer.
func otherMayContain(data []byte, hash uint64) bool {
	return contents.Reader(linear.Read).MayContain(data, hash)
}

// KeysFor returns how many keys a filter of the given number of bytes, trailer included, has room
// for, or 0 for arguments that NewBuilder refuses. It costs microseconds at most.
//
// Of the options, only WithFasterLookups matters.
func KeysFor(bytes int, bitsPerKey float64, options ...simdbloom.Option) int {
	return linear.KeysFor(bytes, bitsPerKey, building.Apply(options))
}

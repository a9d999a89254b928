// Package linear builds and reads linear filters, which need less memory than Bloom filters
// with the same false-positive rate: 17.0 bits per key for 1 in 65,536, where package [paired]
// needs 23.6. No other program writes them. [docs/linear.md] explains them and
// their format.
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
//	b.Add(key)                     // ... every key
//	f, err := b.Filter()
//	f.Contains(key)
//	data, err := f.MarshalBinary() // to store: with format, key hash and checksums
//
// Finish and [Open] are for engines that store raw bytes, and record format and key hash elsewhere.
//
// Building takes longer than in package [bloom], on the order of 10 ns a key with kernels, and
// lookups take longer while the filter is in the caches.
//
// [bloom]: https://pkg.go.dev/github.com/simdbloom/simdbloom/bloom
// [paired]: https://pkg.go.dev/github.com/simdbloom/simdbloom/paired
// [docs/linear.md]: https://github.com/simdbloom/simdbloom/blob/HEAD/docs/linear.md
package linear

import (
	"math"
	"sort"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/layout"
	"github.com/simdbloom/simdbloom/internal/linearplan"
	"github.com/simdbloom/simdbloom/keyhash"
)

// NewBuilder returns an empty builder of filters with the given number of bits
// per key, for keys hashed with hash. They count in thousandths, rounded to the nearest, and more than
// 1000 count as 1000. Less than 0.5, NaN, infinities, the zero Hash and an invalid option are errors.
//
// Filters of fewer than 7.3 bits per key do not exist: fewer count as that. From 34 on,
// more bits only make second lines rarer, and from 128 on a filter leaves them out.
//
// NewBuilder(1000, hash, WithMaxBytes(n)) fills n bytes, as far as more bits per key lower the rate.
// Below 7.3 bits per key, package bloom's filters are better.
func NewBuilder(bitsPerKey float64, hash keyhash.Hash, options ...simdbloom.Option) (*simdbloom.Builder, error) {
	o, p, err := chosen(bitsPerKey, options)
	o.Overwrites = true
	return simdbloom.NewBuilder(simdbloom.Linear, &scheme{plan: p}, hash, o, err)
}

// Open returns the filter whose bytes are data, as [simdbloom.Open] does. It checks them in the time that a
// lookup takes, however many they are. Zero bytes contain no key. Bytes of other formats and
// truncated ones are an error that wraps [simdbloom.ErrCorrupt] and says what is wrong.
func Open(data []byte, hash keyhash.Hash) (*simdbloom.Filter, error) {
	return simdbloom.Open(simdbloom.Linear, data, hash)
}

// MayContainHash is [Open] and ContainsHash in one call: see package bloom's. It costs a few nanoseconds
// more than ContainsHash.
func MayContainHash(data []byte, hash uint64) bool {
	if contains, ok := asm.LinearContains(data, hash); ok {
		return contains
	}
	_, flaw := layout.Linear(data)
	return flaw != "" // otherwise there are no layers
}

// KeysFor returns how many keys a filter of the given number of bytes, trailer included, has room
// for, or 0 for arguments that NewBuilder refuses. It takes microseconds at most.
func KeysFor(bytes int, bitsPerKey float64) int {
	millibits, err := millibitsOf(bitsPerKey)
	if err != nil || bytes < asm.BlockBytes {
		return 0
	}
	bits := 8 * min(uint64(bytes), linearplan.MaxLines*asm.BlockBytes)
	const leastBitsPerKey = 4 // fewer than any filter has
	most := min(bits/leastBitsPerKey, 1000*bits/millibits, math.MaxInt)
	return sort.Search(int(most), func(n int) bool {
		lines := linearplan.LinesWithin(uint64(n+1), millibits, math.MaxUint64)
		return lines > linearplan.MaxLines || mostBytes(lines) > uint64(bytes)
	})
}

// FingerprintBits returns r, the number of bits in a key's fingerprint: the false-positive
// rate is 2^-r. It is 31 for a filter without keys, and 0 for one of another format.
func FingerprintBits(f *simdbloom.Filter) int {
	if format := f.Format(); format != simdbloom.Linear && format != simdbloom.Empty { // others' bytes may look like it
		return 0
	}
	c, _ := layout.Linear(f.Bytes())
	return c.Bits
}

// Layers returns the number of lines, of 64 bytes, in each layer. A filter without keys has
// no layers.
func Layers(f *simdbloom.Filter) []int {
	if f.Format() != simdbloom.Linear {
		return nil
	}
	c, _ := layout.Linear(f.Bytes())
	layers := make([]int, c.NumLayers)
	for i, lines := range c.Layers() {
		layers[i] = int(lines)
	}
	return layers
}

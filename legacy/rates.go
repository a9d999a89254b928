package legacy

import (
	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/formats/legacy"
)

// PredictedFPR returns the expected false-positive rate of a filter of n different keys that is built with
// the same options: 0 without keys, NaN for arguments that NewBuilder refuses and for more keys than a filter
// holds.
//
// The format has two weaknesses, which it accounts for. A key's hash has only 32 bits: n keys
// give at least n/2^32 of all others their answer. And one hash chooses the line, and the bits
// in it: if the number of lines is near a power of two from 2^14 on, the hashes of a line have
// similar bits. At 10 bits per key the rate is 1.2 % for most numbers of keys, but 2.8 % for
// 1,677,772 (2^15+1 lines), 6.9 % for 3,355,392 (2^16-1), and 1.3 % again for 3,358,771
// (2^16+65).
//
// It makes lines and looks up hashes in them, always the same ones, which costs tens of
// milliseconds. A rate of 1 % is within 2 % of the real one.
func PredictedFPR(n int, bitsPerKey float64, options ...simdbloom.Option) float64 {
	return legacy.PredictedFPR(n, bitsPerKey, building.Apply(options))
}

// BitsPerKeyFor returns the fewest bits per key, a whole number, at which a filter of n keys has a
// PredictedFPR of at most fpr, or NaN, which NewBuilder refuses, if no setting has that rate: the hash
// has 32 bits, so n keys have a rate of n/2^32 at least. It costs up to tens of milliseconds for each number
// that it tries, and less than a second in all.
func BitsPerKeyFor(n int, fpr float64) float64 {
	return legacy.BitsPerKeyFor(n, fpr)
}

package leveldb

import (
	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/formats/leveldb"
)

// PredictedFPR returns the expected false-positive rate of a filter of n different keys that is built with
// the same options: 0 without keys, NaN for arguments that NewBuilder refuses and for more keys than a filter
// holds.
//
// It accounts for the 32 bits of a hash, from which LevelDB derives all probes. At 10 bits per key the rate is 1 in 118
// for 3,001 keys. It is 1 in 108 for 3,000, since the number of bits is then a multiple of 3 and of 5, 1 in 83 for
// 100,003, since the third probes of all keys share 196,605 bits, and 1 in 48 for 300,000, where both come together.
//
// From 300 to a million keys and up to 16 bits per key it is within 5 % of the measured rate. The
// measured one is up to 20 % higher with fewer than 10,000 keys at 23 to 50 bits, and it is higher
// for few keys: by 13 % for 100 at 16 bits, by two thirds for 6 at 10. At 10 bits it is twice as
// high where 65,537 divides the number of bits, as in 65,537 bytes. It costs up to some hundredths of a second.
func PredictedFPR(n int, bitsPerKey float64, options ...simdbloom.Option) float64 {
	return leveldb.PredictedFPR(n, bitsPerKey, building.Apply(options))
}

// BitsPerKeyFor returns the least number of bits per key, a whole number, at which a filter of n
// keys has a PredictedFPR of at most fpr. It is NaN if no number has that rate: the hash has 32
// bits, so n keys have a rate of n/2^32 at least. It costs up to a second.
func BitsPerKeyFor(n int, fpr float64) float64 {
	return leveldb.BitsPerKeyFor(n, fpr)
}

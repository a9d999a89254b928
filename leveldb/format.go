package leveldb

import (
	"math"
	"math/bits"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/answers"
	"github.com/simdbloom/simdbloom/internal/building"
)

// A filter is its body and a byte with the number of probes.
const (
	trailerBytes  = 1
	leastBodyBits = 64

	// mostBodyBytes has the most bits that 32 bits count. The next byte would make it 2^32
	// bits, where goleveldb divides by zero.
	mostBodyBytes = 1<<29 - 1

	// mostBitsPerKey is far more than any filter fits with; higher values count as it.
	mostBitsPerKey = 1 << 40
)

// wholeBits returns bits per key as RocksDB rounds them (table/block_based/filter_policy.cc,
// BloomLikeFilterPolicy), but with no upper limit: LevelDB has none.
func wholeBits(bitsPerKey float64) (int64, error) {
	if err := building.CheckBitsPerKey(bitsPerKey); err != nil {
		return 0, err
	}
	product := float64(min(max(bitsPerKey, 1), mostBitsPerKey) * 1000) // not fused with the sum
	return (int64(product+0.500001) + 500) / 1000, nil
}

// numProbes returns k, about ln 2 for each bit (BloomFilterPolicy's constructor).
func numProbes(bitsPerKey int64) int {
	return int(min(max(float64(bitsPerKey)*0.69, 1), asm.MaxProbes))
}

// bodyBytes returns the size of the body for the given number of keys, whether the format
// allows it or not.
func bodyBytes(keys int, bitsPerKey int64) uint64 {
	high, total := bits.Mul64(uint64(keys), uint64(bitsPerKey))
	if high > 0 || total > math.MaxInt64 {
		return math.MaxInt64
	}
	return (max(total, leastBodyBits) + 7) / 8
}

// read returns the body and the number of probes, or what is wrong with the bytes. Bytes that
// may contain every key have no probes; a filter of no bytes has a body without bits.
func read(data []byte) (body []byte, probes int, flaw string) {
	switch n := len(data) - trailerBytes; {
	case n < 0:
		return answers.Fixed(false), 1, ""
	case n == 0:
		return nil, 0, "too short for a body and the number of probes, 2 bytes"
	default:
		probes = int(data[n])
		if probes > asm.MaxProbes {
			probes = 0 // LevelDB reserves these for other formats
		}
		return data[:n], probes, ""
	}
}

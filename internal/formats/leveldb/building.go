package leveldb

import (
	"math"
	"math/bits"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/hashlog"
)

const (
	leastBodyBits = 64
	leastBytes    = leastBodyBits/8 + TrailerBytes

	// MostBodyBytes has the most bits that 32 bits count. The next byte would make it 2^32
	// bits, where goleveldb divides by zero.
	MostBodyBytes = 1<<29 - 1

	// mostBitsPerKey is far more than any filter fits with; higher values count as it.
	mostBitsPerKey = 1 << 40
)

// plan holds a builder's settings.
type plan struct {
	bitsPerKey int64 // whole, as the format has them
	limit      building.Limit
}

// NewScheme returns how filters are built.
func NewScheme(bitsPerKey float64, o *building.Options) (building.Scheme, error) {
	p, err := chosen(bitsPerKey, o)
	o.KeepEqual = true
	return scheme{plan: p}, err
}

// chosen returns the plan that the bits per key and the options make.
func chosen(bitsPerKey float64, o *building.Options) (plan, error) {
	err := o.Check(building.GivenSizeBytes, leastBytes)
	if err == nil {
		err = o.Limit.CheckUnits(1, MostBodyBytes, TrailerBytes)
	}
	if err != nil {
		return plan{}, err
	}
	whole, err := WholeBits(bitsPerKey)
	return plan{whole, o.Limit}, err
}

// WholeBits returns bits per key as RocksDB rounds them (table/block_based/filter_policy.cc,
// BloomLikeFilterPolicy), but with no upper limit: LevelDB has none.
func WholeBits(bitsPerKey float64) (int64, error) {
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

// BodyBytes returns the size of the body for the given number of keys, whether the format
// allows it or not.
func BodyBytes(keys uint64, bitsPerKey int64) uint64 {
	high, total := bits.Mul64(keys, uint64(bitsPerKey))
	if high > 0 || total > math.MaxInt64 {
		return math.MaxInt64
	}
	return (max(total, leastBodyBits) + 7) / 8
}

// size returns the size of the body of a filter of the given number of keys, and the number of
// probes: those of the bits per key, or as many as the limit allows.
func (p plan) size(keys uint64) (body uint64, probes int) {
	body = BodyBytes(keys, p.bitsPerKey)
	if most := p.limit.Body(1, MostBodyBytes, TrailerBytes); body > most || p.limit.Exact() {
		return most, numProbes(int64(8 * most / max(keys, 1)))
	}
	return body, numProbes(p.bitsPerKey)
}

// scheme builds filters of one plan.
type scheme struct {
	building.InOrder
	plan plan
}

// Size returns the size of the filter.
func (s scheme) Size(log *hashlog.Log) (bytes uint64, allowed bool) {
	body, _ := s.plan.size(uint64(log.Len()))
	return body + TrailerBytes, body <= MostBodyBytes
}

// Build sets the keys' bits.
func (s scheme) Build(log *hashlog.Log, _ int, memory building.Memory) ([]byte, error) {
	data, err := memory(s.Size(log))
	if err != nil {
		return nil, err
	}
	_, probes := s.plan.size(uint64(log.Len()))
	filter := newFilling(data, probes)
	for hashes := range log.All() {
		filter.add(hashes)
	}
	return data, nil
}

// filling is a filter that hashes are being added to.
type filling struct {
	body    []byte
	modulus fallback.Modulus
	probes  int
}

// newFilling makes zero bytes of a filter's size a filter without keys.
func newFilling(data []byte, probes int) filling {
	end := len(data) - TrailerBytes
	data[end] = byte(probes)
	return filling{data[:end], fallback.NewModulus(8 * uint64(end)), probes}
}

func (f *filling) add(hashes []uint64) {
	fallback.LevelDBAdd(f.body, f.modulus, f.probes, hashes)
}

// AppendFilter appends the filter of some hashes, which has the given number of bytes.
func AppendFilter(dst []byte, bytes uint64, bitsPerKey int64, hashes []uint64) []byte {
	from := len(dst)
	dst = append(dst, make([]byte, bytes)...)
	filter := newFilling(dst[from:], numProbes(bitsPerKey))
	filter.add(hashes)
	return dst
}

// KeysFor returns the number of keys that a filter of the given size has room for, or 0 for what builders refuse.
func KeysFor(bytes int, bitsPerKey float64) int {
	whole, err := WholeBits(bitsPerKey)
	if err != nil || bytes < leastBytes {
		return 0
	}
	body := min(int64(bytes)-TrailerBytes, MostBodyBytes)
	return int(min(8*body/whole, math.MaxInt))
}

package legacy

import (
	"math"
	"math/bits"
	"sort"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/formats/rocksdb"
	"github.com/simdbloom/simdbloom/internal/hashlog"
)

const (
	lineBits   = 8 * asm.BlockBytes
	leastBytes = asm.BlockBytes + rocksdb.TrailerBytes

	mostBuiltProbes = 30
	mostBits        = 0xffff0000 // in a filter that RocksDB writes
)

// plan holds a builder's settings.
type plan struct {
	bitsPerKey uint64 // whole, as the format has them
	pebble     bool
	limit      building.Limit
}

// NewScheme returns how filters are built.
func NewScheme(bitsPerKey float64, o *building.Options) (building.Scheme, error) {
	p, err := chosen(bitsPerKey, o)
	return scheme{plan: p}, err
}

// chosen returns the plan that the bits per key and the options make.
func chosen(bitsPerKey float64, o *building.Options) (plan, error) {
	err := o.Check(building.GivenPebble|building.GivenSizeBytes, leastBytes)
	if err == nil {
		// An odd number of lines: one, and pairs of them.
		err = o.Limit.CheckUnits(2*asm.BlockBytes, mostBody(o.Pebble)-asm.BlockBytes, leastBytes)
	}
	if err != nil {
		return plan{}, err
	}
	whole, err := wholeBits(bitsPerKey, o.Pebble)
	return plan{whole, o.Pebble, o.Limit}, err
}

// mostBody returns the size of the largest body, which has an odd number of lines.
func mostBody(pebble bool) uint64 {
	if pebble {
		return asm.MaxBodyBytes
	}
	return odd(mostBits) * asm.BlockBytes
}

// wholeBits rounds bits per key to whole ones, as RocksDB does. Pebble's are whole, and may be
// 0, or more than RocksDB's 100.
func wholeBits(bitsPerKey float64, pebble bool) (uint64, error) {
	if pebble && bitsPerKey >= 0 && bitsPerKey < math.MaxInt32 {
		return uint64(math.Round(bitsPerKey)), nil
	}
	millibits, err := building.Millibits(bitsPerKey)
	return uint64(millibits+500) / 1000, err
}

// size returns the number of lines and of probes of a filter of the given number of keys, at
// least one.
func (p plan) size(keys uint64) (lines uint64, probes int) {
	high, total := bits.Mul64(keys, p.bitsPerKey)
	if high > 0 || total > math.MaxInt64 {
		total = math.MaxInt64
	}
	if !p.pebble {
		total = min(total, mostBits)
	}
	lines = odd(total)
	most := p.limit.Body(asm.BlockBytes, uint64(math.MaxInt64)&^(asm.BlockBytes-1), rocksdb.TrailerBytes) / asm.BlockBytes
	if lines > most || p.limit.Exact() {
		lines = most - (most+1)%2
		return lines, numProbes(lines * lineBits / keys)
	}
	return lines, numProbes(p.bitsPerKey)
}

// odd returns how many lines hold the bits, at least one. An even number becomes the next odd one, so that
// more of a hash's bits choose the line.
func odd(bits uint64) uint64 { return (bits+lineBits-1)/lineBits | 1 }

// numProbes returns k, a little less than ln(2) times the bits per key.
func numProbes(bitsPerKey uint64) int {
	return int(min(max(float64(bitsPerKey)*0.69, 1), mostBuiltProbes))
}

// scheme builds filters of one plan.
// bytes returns the size of a filter of keys, at least one.
func (p plan) bytes(keys uint64) uint64 {
	lines, _ := p.size(keys)
	return lines*asm.BlockBytes + rocksdb.TrailerBytes
}

// SizeOf returns the size of a filter of n keys, at least one, or an error for what builders refuse.
func SizeOf(n int, bitsPerKey float64, o *building.Options) (uint64, error) {
	p, err := chosen(bitsPerKey, o)
	if err != nil {
		return 0, err
	}
	return p.bytes(uint64(n)), nil
}

type scheme struct {
	building.InOrder
	plan plan
}

// Size returns the size of the filter.
func (s scheme) Size(log *hashlog.Log) (bytes uint64, allowed bool) {
	switch {
	case log.Len() > 0:
		bytes = s.plan.bytes(uint64(log.Len()))
		return bytes, bytes <= asm.MaxBodyBytes+rocksdb.TrailerBytes
	case s.plan.pebble:
		return rocksdb.TrailerBytes, true
	}
	return 0, true
}

// Build fills the lines.
func (s scheme) Build(log *hashlog.Log, _ int, memory building.Memory) ([]byte, error) {
	data, err := memory(s.Size(log))
	if err != nil || log.Len() == 0 {
		return data, err
	}
	lines, probes := s.plan.size(uint64(log.Len()))
	body := data[:len(data)-rocksdb.TrailerBytes]
	for hashes := range log.All() {
		asm.LegacyAdd(body, uint32(lines), probes, hashes)
	}
	PutTrailer(data[len(body):], uint32(lines), probes)
	return data, nil
}

// KeysFor returns the number of keys that a filter of the given size has room for, or 0 for what builders refuse.
func KeysFor(bytes int, bitsPerKey float64) int {
	whole, err := wholeBits(bitsPerKey, false)
	if err != nil || bytes < leastBytes {
		return 0
	}
	p := plan{bitsPerKey: whole}
	most := min(8*min(uint64(bytes), mostBits/8)/p.bitsPerKey+1, math.MaxInt)
	return sort.Search(int(most), func(n int) bool {
		return p.bytes(uint64(n+1)) > uint64(bytes)
	})
}

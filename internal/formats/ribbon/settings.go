package ribbon

import (
	"math"
	"math/bits"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/formats/fastlocal"
	"github.com/simdbloom/simdbloom/internal/formats/rocksdb"
)

const (
	// mostKeys is the most that RocksDB builds a Ribbon filter of.
	mostKeys = 950_000_000

	// fewSlots is the number of slots below which a smaller FastLocal filter is built.
	fewSlots = 1024
)

// plan holds a builder's settings. It, the number of keys and the first key's hash give a
// filter's size.
type plan struct {
	millibits int
	oneIn     float64 // the wanted rate is one in this number
	limit     building.Limit
}

func newPlan(bitsPerKey float64) (plan, error) {
	millibits, err := building.Millibits(bitsPerKey)
	if err != nil {
		return plan{}, err
	}
	return plan{millibits: millibits, oneIn: wantedOneIn(bitsPerKey, millibits)}, nil
}

// NewScheme returns how filters are built.
func NewScheme(bitsPerKey float64, o *building.Options) (building.Scheme, error) {
	p, err := chosen(bitsPerKey, o)
	return &scheme{plan: p}, err
}

// chosen returns the plan that the bits per key and the options make.
func chosen(bitsPerKey float64, o *building.Options) (plan, error) {
	err := o.Check(building.GivenSizeBytes, fastlocal.LeastBytes)
	if err == nil {
		err = o.Limit.CheckUnits(asm.BlockBytes, asm.MaxBodyBytes, rocksdb.TrailerBytes)
	}
	if err != nil {
		return plan{}, err
	}
	p, err := newPlan(bitsPerKey)
	p.limit = o.Limit
	return p, err
}

// wantedOneIn returns the inverse of the rate of a FastLocal filter
// (BloomMath::CacheLocalFpRate in util/bloom_impl.h): of the mean of two crowded and uncrowded
// lines. RocksDB uses exp and pow of the C library; Go's differ in the last places.
func wantedOneIn(bitsPerKey float64, millibits int) float64 {
	k := float64(fastlocal.NumProbes(millibits))
	standard := func(bitsPerKey float64) float64 {
		return math.Pow(1-math.Exp(-k/bitsPerKey), k)
	}
	const lineBits = 8 * asm.BlockBytes
	perLine := lineBits / min(max(bitsPerKey, 1), building.MostBitsPerKey)
	deviation := math.Sqrt(perLine)
	return 1 / ((standard(lineBits/(perLine+deviation)) + standard(lineBits/(perLine-deviation))) / 2)
}

// size describes a filter of some number of keys.
type size struct {
	body   uint64
	blocks uint32 // 0 for a FastLocal filter
	probes int    // of a FastLocal filter
}

// size returns the size for a number of keys, at least one, the first of which has the given
// hash (Standard128RibbonBitsBuilder in table/block_based/filter_policy.cc).
func (p plan) size(keys, first uint64) size {
	if p.limit.Exact() {
		return p.exactly(keys)
	}
	fastLocal := p.fastLocal(keys)
	if keys > mostKeys {
		return fastLocal
	}
	slots := numSlots(keys)
	body := bodyBytes(slots, p.oneIn, uint32(first>>32))
	if slots < fewSlots && fastlocal.Layout.BodyBytes(keys, p.millibits) < body {
		return fastLocal
	}
	body = min(body, p.limit.Body(fallback.RibbonSegmentBytes, math.MaxUint64, rocksdb.TrailerBytes))
	return size{body: body, blocks: slots / fallback.RibbonBlockSlots}
}

// exactly returns an exact size of the limit: that of the filter with the lower rate. Sizes are those that
// FastLocal filters may have, which replace Ribbon filters that cannot be solved.
func (p plan) exactly(keys uint64) size {
	s := p.exactlyRibbon(keys)
	if s.blocks == 0 {
		return s
	}
	if slots := numSlots(keys); slots >= fewSlots && s.blocks == slots/fallback.RibbonBlockSlots {
		return s // FastLocal's rate is lower only for few keys, and with more than 32 bits per key
	}
	if f := p.fastLocal(keys); f.predictedFPR(keys) < s.predictedFPR(keys) {
		return f
	}
	return s
}

// exactlyRibbon returns an exact size for a Ribbon filter, if there may be one of this number of keys. It has more
// slots than the keys need if all columns of those are fewer bytes.
func (p plan) exactlyRibbon(keys uint64) size {
	s := p.fastLocal(keys)
	if keys > mostKeys {
		return s
	}
	const mostOfBlock = fallback.RibbonSegmentBytes * fallback.MostRibbonColumns
	least := numSlots(keys) / fallback.RibbonBlockSlots
	return size{body: s.body, blocks: max(least, uint32((s.body+mostOfBlock-1)/mostOfBlock))}
}

// fastLocal returns the size of a FastLocal filter.
func (p plan) fastLocal(keys uint64) size {
	body, probes := fastlocal.Layout.Size(keys, p.millibits, p.limit)
	return size{body: body, probes: probes}
}

// fits reports whether the format allows the size, and this machine the memory for building. A Ribbon
// filter is never too large.
func (s size) fits() bool {
	if s.blocks == 0 {
		return s.body <= asm.MaxBodyBytes
	}
	return uint64(s.blocks)*fallback.RibbonBlockSlots*slotBytes <= math.MaxInt
}

// bodyBytes returns the size of the body that has the wanted rate. The entropy, which are the
// first key's upper bits, rounds the number of columns up or down.
func bodyBytes(slots uint32, oneIn float64, entropy uint32) uint64 {
	rate := 1 / oneIn
	switch {
	case !(oneIn > 1 && rate < 1):
		return fallback.RibbonSegmentBytes
	case oneIn > math.MaxUint32:
		return uint64(slots) / 8 * fallback.MostRibbonColumns
	}
	columns := bits.Len32(uint32(oneIn)) - 1
	lower, upper := math.Ldexp(1, -columns), math.Ldexp(1, -columns-1)
	blocks := slots / fallback.RibbonBlockSlots
	starts := slots - (fallback.RibbonBlockSlots - 1)
	share := (rate - upper) / (lower - upper) // of starts with a column less
	fewer := (float64(share*float64(starts)) + (float64(entropy)+0.5)/(1<<32)) / fallback.RibbonBlockSlots
	return fallback.RibbonSegmentBytes * (uint64(blocks)*uint64(columns+1) - uint64(fewer))
}

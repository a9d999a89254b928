package ribbon

import (
	"encoding/binary"
	"math"
	"math/bits"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/fastlocal"
)

const (
	trailerBytes = fastlocal.TrailerBytes

	// A byte of the trailer, behind the marker.
	trailerSeed = 1 // ordinal; three bytes with the number of blocks follow

	// mostKeys is the most that RocksDB builds a Ribbon filter of.
	mostKeys = 950_000_000

	// fewSlots is the number of slots below which a smaller FastLocal filter is built.
	fewSlots = 1024
)

// layout is what a builder's options say. It, the number of keys and the first key's hash give a
// filter's size.
type layout struct {
	millibits int
	oneIn     float64 // the wanted rate is one in so many
	limit     building.Limit
}

func newLayout(bitsPerKey float64) (layout, error) {
	millibits, err := building.Millibits(bitsPerKey)
	if err != nil {
		return layout{}, err
	}
	return layout{millibits: millibits, oneIn: wantedOneIn(bitsPerKey, millibits)}, nil
}

// wantedOneIn returns the inverse of the rate of a FastLocal filter
// (BloomMath::CacheLocalFpRate in util/bloom_impl.h): of the mean of two crowded and uncrowded
// lines. RocksDB takes exp and pow from the C library; Go's differ in the last places.
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

// plan describes a filter of some number of keys.
type plan struct {
	body   uint64
	blocks uint32 // 0 for a FastLocal filter
	probes int    // of a FastLocal filter
}

// plan returns the plan for a number of keys, at least one, the first of which has the given
// hash (Standard128RibbonBitsBuilder in table/block_based/filter_policy.cc).
func (l layout) plan(keys, first uint64) plan {
	fastLocal := l.fastLocal(keys)
	if keys > mostKeys {
		return fastLocal
	}
	slots := numSlots(keys)
	body := bodyBytes(slots, l.oneIn, uint32(first>>32))
	if slots < fewSlots && fastlocal.BodyBytes(keys, l.millibits) < body {
		return fastLocal
	}
	body = min(body, l.limit.Body(asm.RibbonSegmentBytes, math.MaxUint64, trailerBytes))
	return plan{body: body, blocks: slots / asm.RibbonBlockSlots}
}

// fastLocal returns the plan for a FastLocal filter.
func (l layout) fastLocal(keys uint64) plan {
	body, probes := fastlocal.Size(keys, l.millibits, l.limit)
	return plan{body: body, probes: probes}
}

// fits reports whether the format allows the size, and this machine what building takes. A Ribbon
// filter is never too large.
func (p plan) fits() bool {
	if p.blocks == 0 {
		return p.body <= asm.MaxBodyBytes
	}
	return uint64(p.blocks)*asm.RibbonBlockSlots*slotBytes <= math.MaxInt
}

// bodyBytes returns the size of the body that has the wanted rate. The entropy, which are the
// first key's upper bits, rounds the number of columns up or down.
func bodyBytes(slots uint32, oneIn float64, entropy uint32) uint64 {
	rate := 1 / oneIn
	switch {
	case !(oneIn > 1 && rate < 1):
		return asm.RibbonSegmentBytes
	case oneIn > math.MaxUint32:
		return uint64(slots) / 8 * asm.MostRibbonColumns
	}
	columns := bits.Len32(uint32(oneIn)) - 1
	lower, upper := math.Ldexp(1, -columns), math.Ldexp(1, -columns-1)
	blocks := slots / asm.RibbonBlockSlots
	starts := slots - (asm.RibbonBlockSlots - 1)
	share := (rate - upper) / (lower - upper) // of starts with a column less
	fewer := (float64(share*float64(starts)) + (float64(entropy)+0.5)/(1<<32)) / asm.RibbonBlockSlots
	return asm.RibbonSegmentBytes * (uint64(blocks)*uint64(columns+1) - uint64(fewer))
}

func putTrailer(trailer []byte, seed byte, blocks uint32) {
	trailer[fastlocal.TrailerMarker] = fastlocal.MarkerRibbon
	binary.LittleEndian.PutUint32(trailer[trailerSeed:], blocks<<8|uint32(seed))
}

func putFastLocalTrailer(trailer []byte, probes int) {
	written := fastlocal.Trailer(probes)
	copy(trailer, written[:])
}

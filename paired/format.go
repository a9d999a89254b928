package paired

import (
	"fmt"
	"math"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/layout"
	"github.com/simdbloom/simdbloom/internal/rates"
)

// numProbes returns k for bits per key in thousandths, an even number. It is
// Speedb's choice (CalcNumProbes), whole-number division included, except at the
// few lowest settings, where Speedb's 0 would make a filter that matches every key.
func numProbes(millibits, batchBlocks int) int {
	const blockBits = 8 * asm.BlockBytes
	bloomBits := millibits * (blockBits - rates.PairedIndexBits(batchBlocks)) / blockBits / 1000
	half := int(math.Ceil(math.Ln2 * float64(bloomBits) / 2))
	return min(2*max(half, 1), asm.MaxProbes)
}

// plan is what a builder's arguments say. It and the number of keys give a filter's format.
type plan struct {
	millibits   int
	batchBlocks int
	anyBatch    bool // batchBlocks may change if the limit makes the filter smaller
	roundDown   bool
	limit       building.Limit
}

func init() {
	building.Link(asm.Paired, func(bitsPerKey float64, o *building.Options) (building.Scheme, error) {
		p, err := chosen(bitsPerKey, o)
		return building.NewBlocks(func(hashes uint64) building.Format { return p.format(hashes).blocks() }), err
	})
}

// chosen returns the plan that the bits per key and the options make.
func chosen(bitsPerKey float64, o *building.Options) (plan, error) {
	const has = building.GivenSizeBytes | building.GivenBatchBlocks | building.GivenRoundDown
	if err := o.Check(has, math.MinInt); err != nil { // limits are checked below
		return plan{}, err
	}
	p := plan{batchBlocks: layout.PublishedBlocks, anyBatch: true, roundDown: o.RoundDown, limit: o.Limit}
	smallest := batchBytes(layout.SpeedbBlocks)
	if o.Given&building.GivenBatchBlocks != 0 {
		p.batchBlocks, p.anyBatch = o.BatchBlocks, false
		if p.batchBlocks != layout.SpeedbBlocks && p.batchBlocks != layout.PublishedBlocks {
			return p, fmt.Errorf("WithBatchBlocks must be %d or %d, not %d", layout.SpeedbBlocks, layout.PublishedBlocks, p.batchBlocks)
		}
	}
	if !p.anyBatch || o.Limit.Exact() {
		p.anyBatch = false
		smallest = batchBytes(p.batchBlocks)
	}
	err := o.Limit.Check(int(smallest) + layout.PairedTrailerBytes)
	if err == nil {
		err = o.Limit.CheckUnits(smallest, maxBodyBytes(p.batchBlocks), layout.PairedTrailerBytes)
	}
	if err == nil {
		p.millibits, err = building.Millibits(bitsPerKey)
	}
	return p, err
}

// format returns the format of a filter of the given number of hashes: as large as the
// bits per key require, or, if the limit is below that, the best within the limit.
func (p plan) format(hashes uint64) format {
	body := p.bodyBytes(hashes)
	if body > p.mostBody(p.batchBlocks) || p.limit.Exact() {
		return p.largest(hashes)
	}
	return format{body, p.batchBlocks, numProbes(p.millibits, p.batchBlocks)}
}

// bodyBytes returns the size of the body for the given number of hashes, whether the format
// allows it or not.
func (p plan) bodyBytes(hashes uint64) uint64 {
	batch := batchBytes(p.batchBlocks)
	bytes := building.TotalMillibits(hashes, p.millibits) / 8000
	if !p.roundDown {
		bytes += batch - 1
	}
	return max(bytes/batch, 1) * batch
}

func batchBytes(batchBlocks int) uint64 { return uint64(batchBlocks) * asm.BlockBytes }

// maxBodyBytes returns the size of the largest body that the format allows.
func maxBodyBytes(batchBlocks int) uint64 {
	batch := batchBytes(batchBlocks)
	return asm.MaxBodyBytes / batch * batch
}

// format has the size, the batches and the probes of one filter.
type format struct {
	body        uint64 // its bytes
	batchBlocks int
	probes      int
}

// near is the size at which both ways take the same time on a Zen 4 (L2 1 MiB). At
// 4 MiB hashes in any order take 1.2 times as long in AVX-512, 1.5 times in AVX2.
const near = 1 << 20

// blocks returns how the filter is built.
func (f format) blocks() building.Format {
	return building.Format{
		BodyBytes: f.body, MaxBodyBytes: maxBodyBytes(f.batchBlocks), TrailerBytes: layout.PairedTrailerBytes,
		BlockBytes: asm.BlockBytes, UnitBlocks: f.batchBlocks, Probes: f.probes, NearBytes: near, Frame: putTrailer, Fill: fill,
	}
}

func putTrailer(data []byte, f building.Format) {
	layout.PutPaired(data[f.BodyBytes:], f.UnitBlocks, f.Probes)
}

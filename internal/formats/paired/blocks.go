package paired

import (
	"fmt"
	"math"
	"sort"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/formats/fastlocal"
)

// NumProbes returns k for bits per key in thousandths, an even number. It is
// Speedb's choice (CalcNumProbes), whole-number division included, except at the
// few lowest settings, where Speedb's 0 would make a filter that matches every key.
func NumProbes(millibits, batchBlocks int) int {
	bloomBits := millibits * (blockBits - IndexBits(batchBlocks)) / blockBits / 1000
	half := int(math.Ceil(math.Ln2 * float64(bloomBits) / 2))
	return min(2*max(half, 1), asm.MaxProbes)
}

// plan holds a builder's settings. It and the number of keys give a filter's format.
type plan struct {
	millibits   int
	batchBlocks int
	anyBatch    bool // the size decides: see bySize
	roundDown   bool
	limit       building.Limit
}

// NewScheme returns how filters are built.
func NewScheme(bitsPerKey float64, o *building.Options) (building.Scheme, error) {
	p, err := chosen(bitsPerKey, o)
	return building.NewBlocks(func(hashes uint64) building.Format { return p.format(hashes).blocks() }, o), err
}

// chosen returns the plan that the bits per key and the options make.
func chosen(bitsPerKey float64, o *building.Options) (plan, error) {
	const has = building.GivenSizeBytes | building.GivenBatchBlocks | building.GivenRoundDown
	if err := o.Check(has, math.MinInt); err != nil { // limits are checked below
		return plan{}, err
	}
	p := plan{batchBlocks: PublishedBlocks, anyBatch: true, roundDown: o.RoundDown, limit: o.Limit}
	if o.Given&building.GivenBatchBlocks != 0 {
		p.batchBlocks, p.anyBatch = o.BatchBlocks, false
		if p.batchBlocks != SpeedbBlocks && p.batchBlocks != PublishedBlocks {
			return p, fmt.Errorf("WithBatchBlocks must be %d or %d, not %d", SpeedbBlocks, PublishedBlocks, p.batchBlocks)
		}
	}
	p.anyBatch = p.anyBatch && !o.Limit.Exact()
	unit := batchBytes(p.batchBlocks)
	least := int(unit) + TrailerBytes
	if p.anyBatch {
		least = fastlocal.LeastBytes
	}
	err := o.Limit.Check(least)
	if err == nil {
		err = o.Limit.CheckUnits(unit, maxBodyBytes(p.batchBlocks), TrailerBytes)
	}
	if err == nil {
		p.millibits, err = building.Millibits(bitsPerKey)
	}
	return p, err
}

// format returns the format of a filter of the given number of hashes: as large as the
// bits per key require, or, if the limit is below that, the best within the limit.
func (p plan) format(hashes uint64) format {
	if p.anyBatch {
		if f, ok := p.bySize(hashes); ok {
			return f
		}
	}
	body := p.bodyBytes(hashes)
	if body > p.mostBody(p.batchBlocks) || p.limit.Exact() {
		return p.largest(hashes)
	}
	return format{body, p.batchBlocks, NumProbes(p.millibits, p.batchBlocks)}
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
	batchBlocks int    // 0 in a FastLocal filter
	probes      int
}

// fits reports whether the format allows the size.
func (f format) fits() bool { return f.batchBlocks == 0 || f.body <= maxBodyBytes(f.batchBlocks) }

// near is the size at which both ways take the same time on a Zen 4 (L2 1 MiB). At
// 4 MiB hashes in any order take 1.2 times as long in AVX-512, 1.5 times in AVX2.
const near = 1 << 20

// blocks returns how the filter is built.
func (f format) blocks() building.Format {
	if f.batchBlocks == 0 {
		b := fastlocal.Layout.Format(f.body, f.probes, fastlocal.Fill)
		b.NearBytes = near // as of larger filters: a builder asks before it knows the size
		return b
	}
	return building.Format{
		Layout: building.Layout{
			BlockBytes: asm.BlockBytes, MaxBodyBytes: maxBodyBytes(f.batchBlocks), TrailerBytes: TrailerBytes, Frame: frame,
		},
		BodyBytes: f.body, UnitBlocks: f.batchBlocks, Probes: f.probes, NearBytes: near, Fill: fill,
	}
}

func frame(data []byte, batchBlocks, probes int) {
	PutTrailer(data[len(data)-TrailerBytes:], batchBlocks, probes)
}

// KeysFor returns the number of keys that a filter of the given size has room for, or 0 for what builders refuse.
func KeysFor(bytes int, bitsPerKey float64, o *building.Options) int {
	p, err := chosen(bitsPerKey, o)
	if err != nil {
		return 0
	}
	p.limit = building.Limit{}
	most := int(min(asm.MaxBodyBytes*8000/uint64(p.millibits)+8*batchBytes(p.batchBlocks), math.MaxInt-1))
	return max(sort.Search(most, func(keys int) bool {
		size, fits := p.format(uint64(keys)).blocks().Size()
		return !fits || size > uint64(max(bytes, 0))
	})-1, 0)
}

package bloom

import (
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/fastlocal"
	"github.com/simdbloom/simdbloom/internal/layout"
)

// plan is what a builder's arguments say. It and the number of keys give a filter's format.
type plan struct {
	millibits int
	limit     building.Limit
}

func init() {
	building.Link(asm.FastLocal, func(bitsPerKey float64, o *building.Options) (building.Scheme, error) {
		p, err := chosen(bitsPerKey, o)
		return building.NewBlocks(p.format), err
	})
}

// chosen returns the plan that the bits per key and the options make.
func chosen(bitsPerKey float64, o *building.Options) (plan, error) {
	millibits, err := o.CheckBlocks(bitsPerKey, asm.BlockBytes, asm.MaxBodyBytes, layout.TrailerBytes)
	return plan{millibits, o.Limit}, err
}

// format returns the format of a filter of the given number of hashes: as large as the
// bits per key require, or, if the limit is below that, as large as it allows, with the
// number of probes that suits the bits per key that are left.
func (p plan) format(hashes uint64) building.Format {
	body, probes := fastlocal.Size(hashes, p.millibits, p.limit)
	return building.Format{
		BodyBytes: body, MaxBodyBytes: asm.MaxBodyBytes, TrailerBytes: layout.TrailerBytes, BlockBytes: asm.BlockBytes,
		UnitBlocks: 1, Probes: probes, NearBytes: building.NearBytes, Frame: putTrailer, Fill: fill,
	}
}

func putTrailer(data []byte, f building.Format) { layout.PutFastLocal(data[f.BodyBytes:], f.Probes) }

func fill(body []byte, part building.Part, f building.Format) {
	for hashes := range part.Hashes() {
		asm.FastLocalAdd(body, f.Probes, hashes)
	}
}

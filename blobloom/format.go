package blobloom

import (
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/blobs"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/layout"
)

// plan is what a builder's arguments say. It and the number of keys give a filter's format.
type plan struct {
	millibits int
	limit     building.Limit
}

func init() {
	building.Link(asm.Blobloom, func(bitsPerKey float64, o *building.Options) (building.Scheme, error) {
		p, err := chosen(bitsPerKey, o)
		return building.NewBlocks(p.format), err
	})
}

// chosen returns the plan that the bits per key and the options make.
func chosen(bitsPerKey float64, o *building.Options) (plan, error) {
	millibits, err := o.CheckBlocks(bitsPerKey, asm.BlockBytes, asm.MaxBodyBytes, layout.BlobloomHeaderBytes)
	return plan{millibits, o.Limit}, err
}

func (p plan) format(hashes uint64) building.Format {
	body, probes := blobs.Size(hashes, p.millibits, p.limit)
	return building.Format{
		BodyBytes: body, MaxBodyBytes: asm.MaxBodyBytes, HeaderBytes: layout.BlobloomHeaderBytes, BlockBytes: asm.BlockBytes,
		UnitBlocks: 1, Probes: probes, NearBytes: building.NearBytes, Frame: putHeader, Fill: fill,
	}
}

func putHeader(data []byte, f building.Format) {
	layout.PutBlobloom(data, f.BodyBytes/asm.BlockBytes, f.Probes)
}

func fill(body []byte, part building.Part, f building.Format) {
	for hashes := range part.Hashes() {
		asm.BlobloomAdd(body, f.Probes, hashes)
	}
}

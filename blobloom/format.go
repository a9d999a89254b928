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

func (p plan) format(hashes uint64) format {
	body, probes := blobs.Size(hashes, p.millibits, p.limit)
	f := format{body: body, probes: probes}
	layout.PutBlobloom(f.header[:], body/asm.BlockBytes, probes)
	return f
}

// format has the size, the probes and the header of one filter.
type format struct {
	body   uint64 // its bytes
	probes int
	header [layout.BlobloomHeaderBytes]byte
}

func (f *format) BodyBytes() uint64 { return f.body }

func (f *format) MaxBodyBytes() uint64 { return asm.MaxBodyBytes }

func (f *format) Header() []byte { return f.header[:] }

func (f *format) Trailer() []byte { return nil }

func (f *format) NearBytes() uint64 { return building.NearBytes }

func (f *format) BlockBytes() uint64 { return asm.BlockBytes }

func (f *format) UnitBlocks() int { return 1 }

func (f *format) Fill(body []byte, part building.Part) {
	for hashes := range part.Hashes() {
		asm.BlobloomAdd(body, f.probes, hashes)
	}
}

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
func (p plan) format(hashes uint64) format {
	body, probes := fastlocal.Size(hashes, p.millibits, p.limit)
	f := format{body: body, probes: probes}
	layout.PutFastLocal(f.trailer[:], probes)
	return f
}

// format has the size, the probes and the trailer of one filter.
type format struct {
	body    uint64 // its bytes
	probes  int
	trailer [layout.TrailerBytes]byte
}

func (f *format) BodyBytes() uint64 { return f.body }

func (f *format) MaxBodyBytes() uint64 { return asm.MaxBodyBytes }

func (f *format) Trailer() []byte { return f.trailer[:] }

func (f *format) NearBytes() uint64 { return building.NearBytes }

func (f *format) BlockBytes() uint64 { return asm.BlockBytes }

func (f *format) UnitBlocks() int { return 1 }

func (f *format) Fill(body []byte, part building.Part) {
	for hashes := range part.Hashes() {
		asm.FastLocalAdd(body, f.probes, hashes)
	}
}

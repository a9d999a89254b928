package blobloom

import (
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/formats/fastlocal"
)

// Layout is the layout of filters: the header and blocks. Filters have as many probes as FastLocal's of the same bits
// per key.
var Layout = building.Layout{
	BlockBytes: asm.BlockBytes, MaxBodyBytes: asm.MaxBodyBytes, HeaderBytes: HeaderBytes, NumProbes: fastlocal.NumProbes, Frame: frame,
}

func frame(data []byte, _, probes int) {
	PutHeader(data, uint64(len(data)-HeaderBytes)/asm.BlockBytes, probes)
}

// NewScheme returns how filters are built.
func NewScheme(bitsPerKey float64, o *building.Options) (building.Scheme, error) {
	return Layout.Scheme(bitsPerKey, o, fill)
}

func fill(body []byte, part building.Part, f building.Format) {
	for hashes := range part.Hashes() {
		asm.BlobloomAdd(body, f.Probes, hashes)
	}
}

// NewKernel returns the kernel that adds keys to blocks and looks them up. Many goroutines may add to shared ones at
// once.
func NewKernel(blocks []byte, probes int, shared bool) asm.Kernel {
	if shared {
		return asm.NewSharedBlobloom(blocks, probes)
	}
	return asm.NewBlobloom(blocks, probes)
}

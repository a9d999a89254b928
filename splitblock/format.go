package splitblock

import (
	"math"
	"math/bits"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/hashlog"
	"github.com/simdbloom/simdbloom/internal/split"
)

// plan is what a builder's arguments say. It and the number of keys give a filter's size.
type plan struct {
	millibits int
	limit     building.Limit
}

func init() {
	building.Link(asm.SplitBlock, func(bitsPerKey float64, o *building.Options) (building.Scheme, error) {
		p, err := chosen(bitsPerKey, o)
		o.Mix, o.AtOnce = swap, addAtOnce(o.Limit)
		return building.NewBlocks(p.format), err
	})
}

// chosen returns the plan that the bits per key and the options make.
func chosen(bitsPerKey float64, o *building.Options) (plan, error) {
	millibits, err := o.CheckBlocks(bitsPerKey, asm.SplitBlockBytes, asm.MaxSplitBlockBytes, 0)
	return plan{millibits, o.Limit}, err
}

func (p plan) format(hashes uint64) building.Format {
	return building.Format{
		BodyBytes: split.Size(hashes, p.millibits, p.limit), MaxBodyBytes: asm.MaxSplitBlockBytes,
		BlockBytes: asm.SplitBlockBytes, UnitBlocks: 1, NearBytes: building.NearBytes, Fill: fill,
	}
}

func fill(body []byte, part building.Part, _ building.Format) {
	for hashes := range part.Hashes() {
		asm.SplitBlockAdd(body, hashes, part.Mixed())
	}
}

// addAtOnce is the builders' option of that name, for filters of an exact size that hashes fill in any order.
func addAtOnce(limit building.Limit) func(body []byte) asm.Kernel {
	if limit.Exact() && uint64(limit.Within(math.MaxInt)) <= building.NearBytes {
		return asm.NewSplitBlock
	}
	return nil
}

// swap swaps the halves of hashes. Lists are by the low half, and blocks by the high half: so a list has the
// hashes of one part of the filter.
var swap = hashlog.Mix{Do: swapHalves, Undo: swapHalves}

func swapHalves(dst, hashes []uint64) {
	for i, hash := range hashes {
		dst[i] = bits.RotateLeft64(hash, 32)
	}
}

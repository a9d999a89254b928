package splitblock

import (
	"math"
	"math/bits"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/hashlog"
)

// Layout is the layout of filters: blocks, and nothing else.
var Layout = building.Layout{BlockBytes: asm.SplitBlockBytes, MaxBodyBytes: asm.MaxSplitBlockBytes, NumProbes: numProbes}

func numProbes(int) int { return NumProbes }

// NewScheme returns how filters are built.
func NewScheme(bitsPerKey float64, o *building.Options) (building.Scheme, error) {
	o.Mix, o.AtOnce = swap, addAtOnce(o.Limit)
	return Layout.Scheme(bitsPerKey, o, fill)
}

func fill(body []byte, part building.Part, _ building.Format) {
	for hashes := range part.Hashes() {
		asm.SplitBlockAdd(body, hashes, part.Mixed())
	}
}

// addAtOnce is the builders' option of that name, for filters of an exact size that hashes fill in any order.
func addAtOnce(limit building.Limit) func(body []byte) (add func(hashes []uint64)) {
	if limit.Exact() && uint64(limit.Within(math.MaxInt)) <= building.UsualNearBytes {
		return func(body []byte) func(hashes []uint64) {
			k := asm.NewSplitBlock(body)
			k.EnableAdd()
			return k.AddAll
		}
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

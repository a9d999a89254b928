package simdbloom

import (
	"fmt"
	"strings"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/fastlocal"
	"github.com/simdbloom/simdbloom/internal/layout"
	"github.com/simdbloom/simdbloom/internal/split"
)

// growth is what filters that grow need to know of their format.
type growth struct {
	blockBytes   int
	trailerBytes uint64
	mostBytes    uint64 // of a body
	putTrailer   func(trailer []byte, probes int)
	prepare      func(body []byte, probes int, shared bool) asm.Kernel

	size      func(keys uint64, millibits int) (body uint64, probes int)
	keysFor   func(bytes uint64, millibits int) uint64
	millibits func(probes int) int // of bytes that do not say how many bits per key they were made with

	predictedFPR  func(body uint64, probes int, keys uint64) float64
	estimatedKeys func(set, body uint64, probes int) float64
}

// growths are those of the formats that have it.
var growths = [...]*growth{
	FastLocal: {
		blockBytes: asm.BlockBytes, trailerBytes: layout.TrailerBytes, mostBytes: asm.MaxBodyBytes,
		putTrailer: layout.PutFastLocal,
		prepare: func(body []byte, probes int, shared bool) asm.Kernel {
			if shared {
				return asm.NewSharedFastLocal(body, probes)
			}
			return asm.NewFastLocal(body, probes)
		},
		size: func(keys uint64, millibits int) (body uint64, probes int) {
			return fastlocal.Size(keys, millibits, building.Limit{})
		},
		keysFor: fastlocal.KeysFor, millibits: fastlocal.LeastMillibits,
		predictedFPR: fastlocal.PredictedFPR, estimatedKeys: fastlocal.EstimatedKeys,
	},
	SplitBlock: {
		blockBytes: asm.SplitBlockBytes, mostBytes: asm.MaxSplitBlockBytes,
		putTrailer: func([]byte, int) {},
		prepare: func(body []byte, _ int, shared bool) asm.Kernel {
			if shared {
				return asm.NewSharedSplitBlock(body)
			}
			return asm.NewSplitBlock(body)
		},
		size: func(keys uint64, millibits int) (body uint64, probes int) {
			return split.BodyBytes(keys, millibits), split.NumProbes
		},
		keysFor: split.KeysFor, millibits: func(int) int { return split.UsualMillibits },
		predictedFPR:  func(body uint64, _ int, keys uint64) float64 { return split.PredictedFPR(body, keys) },
		estimatedKeys: func(set, body uint64, _ int) float64 { return split.EstimatedKeys(set, body) },
	},
}

// growthOf returns an error for formats that keys cannot be added to.
func growthOf(format Format) (*growth, error) {
	if int(format) < len(growths) && growths[format] != nil {
		return growths[format], nil
	}
	var names []string
	for f, g := range growths {
		if g != nil {
			names = append(names, Format(f).String())
		}
	}
	return nil, fmt.Errorf("keys can be added to %s filters only, not to %v", strings.Join(names, " and "), format)
}

package simdbloom

import (
	"fmt"
	"strings"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/blobs"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/fastlocal"
	"github.com/simdbloom/simdbloom/internal/layout"
	"github.com/simdbloom/simdbloom/internal/split"
)

// growth is what filters that grow need to know of their format.
type growth struct {
	blockBytes   int
	headerBytes  int
	trailerBytes int
	mostBytes    uint64                        // of a body
	frame        func(data []byte, probes int) // writes the header or the trailer
	prepare      func(body []byte, probes int, shared bool) asm.Kernel

	size      func(keys uint64, millibits int) (body uint64, probes int)
	keysFor   func(bytes uint64, millibits int) uint64
	millibits func(probes int) int // of bytes that do not say how many bits per key they were made with

	predictedFPR  func(body uint64, probes int, keys uint64) float64
	estimatedKeys func(set, body uint64, probes int) float64
}

// body returns the body of a filter's bytes, which has the given size.
func (g *growth) body(data []byte, size int) []byte {
	return data[g.headerBytes:][:size:size]
}

// growths are those of the formats that have it.
var growths = [...]*growth{
	FastLocal: {
		blockBytes: asm.BlockBytes, trailerBytes: layout.TrailerBytes, mostBytes: asm.MaxBodyBytes,
		frame: func(data []byte, probes int) { layout.PutFastLocal(data[len(data)-layout.TrailerBytes:], probes) },
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
		frame: func([]byte, int) {},
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
	Blobloom: {
		blockBytes: asm.BlockBytes, headerBytes: layout.BlobloomHeaderBytes, mostBytes: asm.MaxBodyBytes,
		frame: func(data []byte, probes int) {
			layout.PutBlobloom(data, uint64(len(data)-layout.BlobloomHeaderBytes)/asm.BlockBytes, probes)
		},
		prepare: func(body []byte, probes int, shared bool) asm.Kernel {
			if shared {
				return asm.NewSharedBlobloom(body, probes)
			}
			return asm.NewBlobloom(body, probes)
		},
		size: func(keys uint64, millibits int) (body uint64, probes int) {
			return blobs.Size(keys, millibits, building.Limit{})
		},
		keysFor: blobs.KeysFor, millibits: fastlocal.LeastMillibits,
		predictedFPR: blobs.PredictedFPR, estimatedKeys: fastlocal.EstimatedKeys,
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
	return nil, fmt.Errorf("keys can be added to %s filters only, not to %v", strings.Join(names, ", "), format)
}

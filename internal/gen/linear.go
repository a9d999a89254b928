package main

import "github.com/simdbloom/simdbloom/internal/gen/kernel"

// linear emits the kernels of linear filters (docs/linear.md).
func linear(f *kernel.File) {
	linearSingles(f)
	linearBatch512(f)
	linearBatch256(f)
}

// The constants of a linear filter's hash, as package fallback has them.
const (
	linearMix  = 0xff51afd7ed558ccd
	linearHigh = 0x9e3779b1
	linearLow  = 0x85ebca77
	linearNext = 0xd6e8feb86659fd93
)

// linearSeeds are the multipliers that rows come from.
var linearSeeds = [4]uint64{0xed5ad4bb, 0xac4c1b51, 0xf1357ae9, 0xc2b2ae3d}

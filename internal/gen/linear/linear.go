// Package linear emits the kernels that look keys up in linear filters, and those that build them.
package linear

import (
	"github.com/simdbloom/simdbloom/internal/gen/kernel"
)

// Lookups emits the kernels of linear filters (docs/linear.md).
func Lookups(f *kernel.File) {
	singles(f)
	batch512(f)
	batch256(f)
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

// less is a comparison of the instructions VPCMP.
const less = 1

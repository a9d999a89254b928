package asm

import (
	"fmt"

	"github.com/simdbloom/simdbloom/fallback"
)

// mostRibbonBlocks is the largest number of blocks: a trailer has 24 bits for it.
const mostRibbonBlocks = 1<<24 - 1

// ribbonGroup is how many columns kernels load together. A unit is two groups.
const ribbonGroup = 4

// NewRibbon prepares a body of any size. It panics if the number of blocks is not one from
// [fallback.LeastRibbonBlocks] to 2^24-1.
//
// Kernels are for four columns and more in every block.
func NewRibbon(body []byte, blocks uint32, seed byte) Kernel {
	checkRibbon(blocks)
	shape := fallback.NewRibbonShape(uint64(len(body)), blocks, seed)
	columns, fewer := shape.Columns, shape.Fewer
	k := Kernel{
		body: body, format: Ribbon, probes: columns, ribbon: shape,
		lastSegment: uint64((int(blocks)-1)*columns - fewer),
		unitBytes:   uint64((columns+2*ribbonGroup-1)/(2*ribbonGroup)*2*ribbonGroup) * fallback.RibbonSegmentBytes,
	}
	if columns-min(fewer, 1) >= ribbonGroup {
		k.form = formOf(1)
	}
	k.oneByOne = oneByOne(Ribbon, k.form, body)
	k.use(&ribbonFunctions)
	return k
}

func ribbonContainsGo(k *Kernel, hash uint64) (_ uint64, found bool) {
	return 0, fallback.RibbonContains(k.body, &k.ribbon, hash)
}

func ribbonBitsInGo(k *Kernel, hashes, hits []uint64) {
	fallback.RibbonContainsBatch(k.body, &k.ribbon, hashes, hits)
}

func checkRibbon(blocks uint32) {
	if blocks-fallback.LeastRibbonBlocks > mostRibbonBlocks-fallback.LeastRibbonBlocks {
		panic(fmt.Sprintf("asm: a Ribbon filter must have %d to %d blocks, not %d", fallback.LeastRibbonBlocks, mostRibbonBlocks, blocks))
	}
}

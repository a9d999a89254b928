package asm

import (
	"fmt"
	"runtime"
	"unsafe"

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
	own := &ribbonFilter{
		body: unsafe.SliceData(body), shape: shape,
		lastSegment: uint64((int(blocks)-1)*columns - fewer),
		unitBytes:   uint64((columns+2*ribbonGroup-1)/(2*ribbonGroup)*2*ribbonGroup) * fallback.RibbonSegmentBytes,
	}
	k := Kernel{body: body, format: Ribbon, probes: columns, own: unsafe.Pointer(own)}
	*(*ribbonFirst)(unsafe.Pointer(&k.eight)) = ribbonFirst{shape.Seed, shape.Starts, columns, fewer}
	if columns-min(fewer, 1) >= ribbonGroup {
		k.form = formOf(1)
	}
	k.oneByOneMax = oneByOneMaxOf(Ribbon, k.form, body)
	k.use(&ribbonFunctions)
	return k
}

// ribbonFirst is the part of the shape for which a lookup of one key waits first. It takes the place of other formats'
// first multipliers.
type ribbonFirst struct {
	seed, starts   uint64
	columns, fewer int
}

// ribbonFilter has the fields of a Ribbon filter that are not in Kernel. Kernels for batches read only this.
type ribbonFilter struct {
	body        *byte
	shape       fallback.RibbonShape
	lastSegment uint64 // the number of the last block's first segment
	unitBytes   uint64 // of a block's columns, in units of eight
}

func (k *Kernel) ribbon() *ribbonFilter { return (*ribbonFilter)(k.own) }

func ribbonContainsGo(k *Kernel, hash uint64) (_ uint64, found bool) {
	found = fallback.RibbonContains(k.body, &k.ribbon().shape, hash)
	runtime.KeepAlive(k)
	return 0, found
}

func ribbonBitsInGo(k *Kernel, hashes, hits []uint64) {
	fallback.RibbonContainsBatch(k.body, &k.ribbon().shape, hashes, hits)
	runtime.KeepAlive(k)
}

func checkRibbon(blocks uint32) {
	if blocks-fallback.LeastRibbonBlocks > mostRibbonBlocks-fallback.LeastRibbonBlocks {
		panic(fmt.Sprintf("asm: a Ribbon filter must have %d to %d blocks, not %d", fallback.LeastRibbonBlocks, mostRibbonBlocks, blocks))
	}
}

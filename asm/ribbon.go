package asm

import (
	"fmt"
	"unsafe"

	"github.com/simdbloom/simdbloom/fallback"
)

const (
	// RibbonBlockSlots is the number of slots in a block of a Ribbon filter.
	RibbonBlockSlots = fallback.RibbonBlockSlots

	// RibbonSegmentBytes is the size of a block's column.
	RibbonSegmentBytes = fallback.RibbonSegmentBytes

	// MostRibbonColumns is the largest number of columns.
	MostRibbonColumns = fallback.MostRibbonColumns

	// LeastRibbonBlocks is the smallest number of blocks: filters of fewer do not exist.
	LeastRibbonBlocks = 2

	// MostRibbonBlocks is the largest: a trailer has 24 bits for it.
	MostRibbonBlocks = 1<<24 - 1
)

// Ribbon is a Ribbon filter's body, prepared for lookups. It is immutable, and any number of
// goroutines may query it.
//
// Kernels are for four columns and more in every block.
type Ribbon struct {
	body   []byte
	shape  RibbonShape
	places ribbonPlaces
}

// NewRibbon prepares a body of any size. It panics if the number of blocks is not one from
// LeastRibbonBlocks to MostRibbonBlocks.
func NewRibbon(body []byte, blocks uint32, seed byte) Ribbon {
	f := Ribbon{body: body, shape: NewRibbonShape(uint64(len(body)), blocks, seed)}
	f.places = newRibbonPlaces(body, &f.shape)
	return f
}

// RibbonShape is [fallback.RibbonShape].
type RibbonShape = fallback.RibbonShape

// NewRibbonShape is [fallback.NewRibbonShape]. It panics as NewRibbon does.
func NewRibbonShape(bodyBytes uint64, blocks uint32, seed byte) RibbonShape {
	checkRibbon(blocks)
	return fallback.NewRibbonShape(bodyBytes, blocks, seed)
}

func checkRibbon(blocks uint32) {
	if blocks-LeastRibbonBlocks > MostRibbonBlocks-LeastRibbonBlocks {
		panic(fmt.Sprintf("asm: a Ribbon filter of %d blocks", blocks))
	}
}

// Shape returns the body's shape.
func (f *Ribbon) Shape() RibbonShape { return f.shape }

// containsBits is ContainsBits in pure Go.
func (f *Ribbon) containsBits(hashes, hits []uint64) {
	fallback.RibbonContainsBatch(f.body, &f.shape, hashes, hits)
}

// ContainsBools sets hits[i] to Contains(hashes[i]) for every hash.
func (f *Ribbon) ContainsBools(hashes []uint64, hits []bool) { f.boolsOfBits(hashes, hits) }

// RibbonContains is NewRibbon and Contains.
func RibbonContains(body []byte, blocks uint32, seed byte, hash uint64) bool {
	checkRibbon(blocks)
	return RibbonBytes{unsafe.SliceData(body), uint64(len(body)) / RibbonSegmentBytes, blocks, uint32(seed)}.Contains(hash)
}

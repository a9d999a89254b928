package asm

import (
	"fmt"

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

// Ribbon is a Ribbon filter's body, prepared for lookups. There are no kernels for it: package
// fallback runs everywhere.
type Ribbon struct {
	body  []byte
	shape RibbonShape
}

// NewRibbon prepares a body of any size. It panics if the number of blocks is not one from
// LeastRibbonBlocks to MostRibbonBlocks.
func NewRibbon(body []byte, blocks uint32, seed byte) Ribbon {
	return Ribbon{body, NewRibbonShape(uint64(len(body)), blocks, seed)}
}

// RibbonShape is [fallback.RibbonShape].
type RibbonShape = fallback.RibbonShape

// NewRibbonShape is [fallback.NewRibbonShape]. It panics as NewRibbon does.
func NewRibbonShape(bodyBytes uint64, blocks uint32, seed byte) RibbonShape {
	if blocks-LeastRibbonBlocks > MostRibbonBlocks-LeastRibbonBlocks {
		panic(fmt.Sprintf("asm: a Ribbon filter of %d blocks", blocks))
	}
	return fallback.NewRibbonShape(bodyBytes, blocks, seed)
}

// Shape returns the body's shape.
func (f *Ribbon) Shape() RibbonShape { return f.shape }

// Contains is [fallback.RibbonContains].
func (f *Ribbon) Contains(hash uint64) bool {
	return fallback.RibbonContains(f.body, &f.shape, hash)
}

// ContainsBits is [fallback.RibbonContainsBatch].
func (f *Ribbon) ContainsBits(hashes, hits []uint64) {
	checkBits(hashes, hits)
	fallback.RibbonContainsBatch(f.body, &f.shape, hashes, hits)
}

// ContainsBools sets hits[i] to Contains(hashes[i]) for every hash.
func (f *Ribbon) ContainsBools(hashes []uint64, hits []bool) {
	checkBools(hashes, hits)
	var words [expanded / 64]uint64
	for len(hashes) > 0 {
		n := min(expanded, len(hashes))
		f.ContainsBits(hashes[:n], words[:])
		expand(hits[:n], words[:])
		hashes, hits = hashes[n:], hits[n:]
	}
}

// RibbonContains is NewRibbon and Contains.
func RibbonContains(body []byte, blocks uint32, seed byte, hash uint64) bool {
	shape := NewRibbonShape(uint64(len(body)), blocks, seed)
	return fallback.RibbonContains(body, &shape, hash)
}

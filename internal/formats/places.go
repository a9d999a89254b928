package formats

import (
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/keyhash"
)

// PlaceOf returns the size of the one block of a filter's bytes that a lookup reads, and where it begins. place is nil
// if a lookup may read any bytes, or if keys are looked up by another hash than the given one.
func PlaceOf(format asm.Format, data []byte, hash keyhash.Hash) (blockBytes int, place func(hash uint64) int) {
	if int(format) >= len(places) || places[format].blockOf == nil || Of(format).Narrow != (hash.Bits() == 32) {
		return 0, nil
	}
	c, flaw := readers[format](data)
	if flaw != "" || c.Body == nil {
		return 0, nil
	}
	blockBytes = places[format].blockBytes
	if blockBytes == 0 {
		blockBytes = len(c.Body) / int(c.Lines)
	}
	before, blockOf, blocks := Of(format).HeaderBytes, places[format].blockOf, uint32(len(c.Body)/blockBytes)
	return blockBytes, func(hash uint64) int { return before + int(blockOf(hash, blocks))*blockBytes }
}

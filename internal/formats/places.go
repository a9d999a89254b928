package formats

import (
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/keyhash"
)

// PlaceOf returns the size of the one block of a filter's bytes that a lookup reads, and where it begins. place is nil if
// a lookup may read any bytes, or if keys are looked up by another hash than the given one. Lookups in Paired may read
// the block's pair, too, which is in the same batch.
func PlaceOf(format asm.Format, data []byte, hash keyhash.Hash) (blockBytes int, place func(hash uint64) int) {
	row := Of(format)
	if row.BlockOf == nil || row.Narrow != (hash.Bits() == 32) {
		return 0, nil
	}
	c, flaw := row.Read(data)
	if flaw != "" || c.Body == nil {
		return 0, nil
	}
	blockBytes = row.BlockBytes
	if blockBytes == 0 {
		blockBytes = len(c.Body) / int(c.Lines)
	}
	blocks := uint32(len(c.Body) / blockBytes)
	return blockBytes, func(hash uint64) int {
		return row.HeaderBytes + int(row.BlockOf(hash, blocks))*blockBytes
	}
}

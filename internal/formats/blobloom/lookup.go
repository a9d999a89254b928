package blobloom

import (
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/formats/contents"
)

// Lookup returns how hashes are looked up by single blocks of a body of the given size.
func Lookup(c *contents.Contents, bodyBytes uint64) contents.Lookup {
	probes := c.Probes
	return &contents.Blocks{
		Before: HeaderBytes, BlockBytes: asm.BlockBytes, Blocks: uint32(bodyBytes / asm.BlockBytes), BlockOf: fallback.Block,
		Has: func(block []byte, hash uint64) bool { return fallback.BlobloomContains(block, probes, hash) },
	}
}

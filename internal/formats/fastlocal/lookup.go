package fastlocal

import (
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/formats/contents"
)

// Lookup returns how hashes are looked up by single blocks of a body of the given size. A filter of one block has the
// same answers for the hashes of that block.
func Lookup(c *contents.Contents, bodyBytes uint64) contents.Lookup {
	probes := c.Probes
	return &contents.Blocks{
		BlockBytes: asm.BlockBytes, Blocks: uint32(bodyBytes / asm.BlockBytes), BlockOf: fallback.Block,
		Has: func(block []byte, hash uint64) bool { return fallback.FastLocalContains(block, probes, hash) },
	}
}

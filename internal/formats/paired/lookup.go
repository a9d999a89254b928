package paired

import (
	"math/bits"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/formats/contents"
)

// Lookup returns how hashes are looked up by single batches of a body of the given size. A filter of one batch has the
// same answers for hashes whose low half chooses the same block of the batch.
func Lookup(c *contents.Contents, bodyBytes uint64) contents.Lookup {
	if c.BatchBlocks == 0 {
		return nil // batches of both sizes fit
	}
	batch, probes, blocks := uint32(c.BatchBlocks), c.Probes, uint32(bodyBytes/asm.BlockBytes)
	shift := 32 - bits.TrailingZeros32(batch)
	return &contents.Blocks{
		BlockBytes: batch * asm.BlockBytes,
		BlockOf:    func(hash uint64, _ uint32) uint32 { return fallback.Block(hash, blocks) / batch },
		Has: func(data []byte, hash uint64) bool {
			own := fallback.Block(hash, blocks) % batch
			return probes < 2 || fallback.PairedContains(data, int(batch), probes, hash>>32<<32|uint64(own)<<shift)
		},
	}
}

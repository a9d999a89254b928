package splitblock

import (
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/formats/contents"
)

// Lookup returns how hashes are looked up by single blocks of a body of the given size.
func Lookup(_ *contents.Contents, bodyBytes uint64) contents.Lookup {
	return &contents.Blocks{
		BlockBytes: asm.SplitBlockBytes, Blocks: uint32(bodyBytes / asm.SplitBlockBytes), BlockOf: fallback.SplitBlockOf,
		Has: fallback.SplitBlockContains,
	}
}

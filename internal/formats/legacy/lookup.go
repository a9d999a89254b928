package legacy

import (
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/formats/contents"
)

// Lookup returns how hashes are looked up by single lines of a body of the given size.
func Lookup(c *contents.Contents, bodyBytes uint64) contents.Lookup {
	probes := c.Probes
	return &contents.Blocks{
		BlockBytes: uint32(bodyBytes / uint64(c.Lines)), Blocks: c.Lines,
		BlockOf: LineOf,
		Has:     func(line []byte, hash uint64) bool { return fallback.LegacyContains(line, 1, probes, hash) },
	}
}

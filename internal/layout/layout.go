// Package layout says what the bytes of each format mean: it reads a filter's trailer, and
// prepares what looks up in the filter. It takes any bytes. The formats' packages write them.
package layout

import (
	"fmt"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/answers"
)

// Contents is what a filter's bytes say to the readers of one format. Numbers that the format
// does not have are 0.
type Contents struct {
	Format asm.Format // what the bytes are
	Body   []byte     // without the trailer or header; nil if the readers do not know the format

	Probes      int    // of FastLocal, Paired, Legacy, LevelDB and Blobloom
	BatchBlocks int    // of Paired
	Lines       uint32 // of Legacy
	Blocks      uint32 // of Ribbon
	Seed        byte   // of Ribbon
	Linear      fallback.LinearLayers
}

// A Reader finds out what bytes are to the readers of one format, or what is wrong with them. It
// takes constant time (Linear: a step for each layer).
type Reader func(data []byte) (c Contents, flaw string)

var readers = [...]Reader{
	asm.FastLocal: FastLocal,
	asm.Paired:    Paired,
	asm.Linear:    Linear,
	asm.Ribbon:    Ribbon,
	asm.Legacy:    Legacy,
	asm.LevelDB:   LevelDB,

	asm.SplitBlock: SplitBlock,
	asm.Blobloom:   Blobloom,
}

// ReaderOf returns the Reader of a format, or nil if nothing reads it.
func ReaderOf(format asm.Format) Reader {
	if int(format) < len(readers) {
		return readers[format]
	}
	return nil
}

// Read reads bytes. Its error wraps answers.ErrCorrupt and says what is wrong with them.
func (read Reader) Read(data []byte) (Contents, error) {
	c, flaw := read(data)
	if flaw != "" {
		return Contents{}, fmt.Errorf("%w: %d bytes: %s", answers.ErrCorrupt, len(data), flaw)
	}
	return c, nil
}

// MayContain looks up a hash in bytes, and answers true for those that have a flaw. It is for
// bytes that are not as builders write them: preparing takes longer than the lookup.
func (read Reader) MayContain(data []byte, hash uint64) bool {
	c, flaw := read(data)
	if flaw != "" {
		return true
	}
	if c.Body == nil { // in pure Go, the kernel is on the heap
		return c.Format != asm.Empty
	}
	kernel := c.Kernel()
	return kernel.Contains(hash)
}

// Kernel returns what looks up in the filter. A format that the readers do not know may contain
// every key.
func (c *Contents) Kernel() asm.Kernel {
	if c.Body == nil {
		return asm.NewConstant(c.Format != asm.Empty)
	}
	switch c.Format {
	case asm.FastLocal:
		return asm.NewFastLocal(c.Body, c.Probes)
	case asm.Paired:
		if c.Probes < 2 { // half of the probes, rounded down, go to each of two blocks: none
			return asm.NewConstant(true)
		}
		return asm.NewPaired(c.Body, c.BatchBlocks, c.Probes)
	case asm.Linear:
		return asm.NewLinear(c.Body, c.Linear)
	case asm.Ribbon:
		return asm.NewRibbon(c.Body, c.Blocks, c.Seed)
	case asm.Legacy:
		return asm.NewLegacy(c.Body, c.Lines, c.Probes)
	case asm.SplitBlock:
		return asm.NewSplitBlock(c.Body)
	case asm.Blobloom:
		return asm.NewBlobloom(c.Body, c.Probes)
	default:
		return asm.NewLevelDB(c.Body, c.Probes)
	}
}

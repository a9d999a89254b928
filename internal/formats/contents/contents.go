// Package contents describes the bytes of filters of all formats.
package contents

import (
	"fmt"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/keyhash"
)

// Contents has the facts that a format's reader finds in a filter's bytes. Numbers that the format does not have are 0.
type Contents struct {
	Format asm.Format // of the bytes
	Body   []byte     // without the trailer or header; nil if the reader does not know the format

	Probes      int    // of Bloom filters
	BatchBlocks int    // of Paired
	Lines       uint32 // of Legacy
	Blocks      uint32 // of Ribbon
	Seed        byte   // of Ribbon
	Trailer     []byte // of Linear, which has the layers: these themselves would make opening take a third longer

	Prepare func(c Contents) asm.Kernel // returns the kernel of the body
	OfXXPH3 func(c Contents) Contents   // returns the contents if the key hash is Speedb's; nil if they are c
}

// Decide makes c the contents of the bytes if keys have the given hash.
func (c *Contents) Decide(hash keyhash.Hash) {
	if c.OfXXPH3 != nil && hash == keyhash.XXPH3 {
		*c = c.OfXXPH3(*c)
	}
}

// Kernel returns the kernel that looks up in the filter. A format that the reader does not know may contain every key.
// It is inlined, which saves copying the Kernel, of 800 bytes.
func (c *Contents) Kernel() asm.Kernel {
	prepare := c.Prepare
	if c.Body == nil {
		prepare = constant
	}
	return prepare(*c)
}

func constant(c Contents) asm.Kernel { return asm.NewConstant(c.Format != asm.Empty) }

// A Reader parses a filter's bytes for the readers of one format, or returns the mistake in them. It accepts any bytes,
// and constant time (Linear: a step for each layer).
type Reader func(data []byte) (c Contents, flaw string)

// Read reads bytes. Its error wraps [ErrCorrupt].
func (read Reader) Read(data []byte) (Contents, error) {
	c, flaw := read(data)
	if flaw != "" {
		return Contents{}, fmt.Errorf("%w: %d bytes: %s", ErrCorrupt, len(data), flaw)
	}
	return c, nil
}

// MayContain looks up a hash in bytes, and answers true for those that have a flaw. It serves bytes that differ from
// those of builders: preparing is slower than the lookup.
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

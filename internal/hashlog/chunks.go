package hashlog

import (
	"math/bits"
	"sync"
	"unsafe"

	"github.com/simdbloom/simdbloom/internal/aligned"
)

const (
	smallest  = 64      // hashes in the first chunk
	pooled    = 1 << 10 // hashes in the smallest chunk that is pooled
	chunkBits = 16
	chunkSize = 1 << chunkBits // hashes in the largest chunk
)

type chunk [chunkSize]uint64

// pools have the first hashes of chunks, by the logarithm of their size. New builders find there
// the memory of earlier ones: its pages are there, and need not be zero.
var pools [1 + chunkBits]sync.Pool

// chunks are never copied into others: first small ones, so that a small filter costs
// little, then chunks of 512 KiB. A million hashes take at most 8.6 bytes each.
type chunks struct {
	inSize [][]uint64 // in order of size: full ones, the one being filled, unused small ones
	used   int        // those with hashes in them
}

// next returns the chunk that follows the full last one. It is as large as all n
// hashes before it together, up to chunkSize.
func (c *chunks) next(last []uint64, n int) []uint64 {
	if c.used > 0 {
		c.inSize[c.used-1] = last
	}
	if c.used == len(c.inSize) {
		c.inSize = append(c.inSize, newChunk(min(max(smallest, n), chunkSize)))
	}
	c.used++
	return c.inSize[c.used-1]
}

// newChunk returns room for a power of two of hashes.
func newChunk(size int) []uint64 {
	if size >= pooled {
		if first, _ := pools[bits.TrailingZeros(uint(size))].Get().(*uint64); first != nil {
			return unsafe.Slice(first, size)[:0]
		}
	}
	c := make([]uint64, size)
	aligned.Populate(c)
	return c[:0]
}

// free gives back a chunk that is pooled.
func free(c []uint64) {
	pools[bits.TrailingZeros(uint(cap(c)))].Put(unsafe.SliceData(c))
}

// all yields the hashes in order, the given last ones included.
func (c *chunks) all(last []uint64, yield func([]uint64) bool) {
	for i := range c.used - 1 {
		if !yield(c.inSize[i]) {
			return
		}
	}
	if len(last) > 0 {
		yield(last)
	}
}

// drain puts the hashes into lists. These take over the pooled chunks one by one, as memory
// for the hashes that follow.
func (c *chunks) drain(last []uint64, into *lists) {
	c.inSize[c.used-1] = c.inSize[c.used-1][:len(last)]
	for i, hashes := range c.inSize[:c.used] {
		into.add(hashes)
		if cap(hashes) == chunkSize {
			into.source.take((*chunk)(hashes[:chunkSize]))
			c.inSize[i] = nil
		}
	}
	c.reset()
}

// reset empties the chunks. Those that are not pooled stay, 8 KiB in all.
func (c *chunks) reset() {
	small := 0
	for i, hashes := range c.inSize {
		switch {
		case cap(hashes) >= pooled:
			free(hashes)
		case hashes != nil: // else it was taken over
			c.inSize[i] = hashes[:0]
			small = i + 1
		}
	}
	clear(c.inSize[small:])
	c.inSize, c.used = c.inSize[:small], 0
}

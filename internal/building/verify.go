package building

import (
	"math/bits"
	"sync/atomic"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/batches"
	"github.com/simdbloom/simdbloom/internal/hashlog"
	"github.com/simdbloom/simdbloom/internal/parallel"
)

// containsAll reads a filter's bytes, and reports whether it contains every hash of the log.
func (b *Builder) containsAll(data []byte) bool {
	if b.log.Len() == 0 {
		return true
	}
	c, flaw := b.reader(data)
	if flaw != "" {
		return false
	}
	kernel := c.Kernel()
	if !b.log.Partitioned() {
		return containsEach(&kernel, b.log.All(), nil)
	}
	var failed atomic.Bool
	parallel.Each(b.goroutines(), hashlog.Lists, func(_, list int) {
		if !failed.Load() && !containsEach(&kernel, b.log.List(list), b.undoMix) {
			failed.Store(true)
		}
	})
	return !failed.Load()
}

// containsEach reports whether the filter contains all hashes, after undo.
func containsEach(kernel *asm.Kernel, all func(yield func([]uint64) bool), undo func(dst, hashes []uint64)) bool {
	var hits [batches.ManyBits / 64]uint64
	var undone []uint64
	if undo != nil {
		undone = make([]uint64, batches.ManyBits)
	}
	for hashes := range all {
		for len(hashes) > 0 {
			n := min(batches.ManyBits, len(hashes))
			some := hashes[:n]
			if undo != nil {
				undo(undone, some)
				some = undone[:n]
			}
			kernel.ContainsBits(some, hits[:])
			found := 0
			for _, word := range hits[:asm.Words(n)] {
				found += bits.OnesCount64(word)
			}
			if found < n {
				return false
			}
			hashes = hashes[n:]
		}
	}
	return true
}

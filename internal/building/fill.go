package building

import (
	"math"
	"runtime"
	"sort"
	"sync/atomic"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/parallel"
)

// sharedFrom is the size of a body beyond which it pays to put the hashes into lists for
// several goroutines, so that each finds its own. With two of them, a FastLocal filter
// took 1.09 of one's time at 2 MiB, 0.9 at 3 and 4, 0.74 at 8 (Sapphire Rapids).
const sharedFrom = 2 << 20

// partitionFrom is the size from which on tests have the hashes put into lists, unless
// it is nil.
var partitionFrom *uint64

// PartitionFrom lets builders that are made from now on put the hashes of filters
// larger than the given size into lists, until restore is called. Finish fills those
// in sections of no more bytes. Only tests use it, and not while builders are at work.
func PartitionFrom(bytes uint64) (restore func()) {
	from, section := partitionFrom, sectionBytes
	partitionFrom, sectionBytes = &bytes, min(sectionBytes, bytes)
	return func() { partitionFrom, sectionBytes = from, section }
}

// mostLinear returns how many hashes a log keeps before it puts them into lists.
func mostLinear(layout Layout, concurrency int) int {
	from := layout(0).NearBytes()
	if concurrency > 1 {
		from = min(from, sharedFrom)
	}
	if partitionFrom != nil {
		from = *partitionFrom
	}
	return sort.Search(math.MaxInt32, func(hashes int) bool { return layout(uint64(hashes)).BodyBytes() > from })
}

// fillBody writes the hashes into the body with as many goroutines as there may be,
// and reports whether the verification that was asked for found every hash.
func (b *Builder) fillBody(format Format, body []byte) bool {
	b.log.Flush()
	b.cut(uint32(len(body)/asm.BlockBytes), uint32(format.UnitBlocks()))
	b.each(format, body, fillPart)
	return !b.settings.Verification || b.each(format, body, verifyPart)
}

func fillPart(format Format, body []byte, part Part) bool {
	format.Fill(body, part)
	return true
}

// each does something to every part, and reports whether all went well.
func (b *Builder) each(format Format, body []byte, do func(Format, []byte, Part) bool) bool {
	if len(b.parts) == 1 { // without an allocation
		return do(format, body, b.parts[0])
	}
	var failed atomic.Bool
	parallel.Each(b.goroutines(), len(b.parts), func(_, i int) {
		if !do(format, body, b.parts[i]) {
			failed.Store(true)
		}
	})
	return !failed.Load()
}

// goroutines returns how many there may be.
func (b *Builder) goroutines() int { return min(b.settings.Concurrency, runtime.GOMAXPROCS(0)) }

// cut cuts the body into parts of about as many hashes each, as far as whole units
// allow it: one for each goroutine there may be, or one if the hashes are in no
// lists.
func (b *Builder) cut(blocks, unit uint32) {
	parts := uint64(1)
	if b.log.Partitioned() {
		parts = uint64(b.goroutines())
	}
	b.parts = b.parts[:0]
	from, list, before := uint32(0), 0, uint64(0) // hashes in the lists before
	for i := range parts {
		to := blocks
		if i+1 < parts {
			share := uint64(b.log.Len()) * (i + 1) / parts
			for before+uint64(b.log.ListLen(list)) <= share {
				before += uint64(b.log.ListLen(list))
				list++
			}
			// The hashes of a list should lie close enough to evenly.
			within := float64(share-before) / float64(b.log.ListLen(list))
			hash := uint64(list)<<asm.ListShift + uint64(within*(1<<asm.ListShift))
			to = asm.Block(hash, blocks) / unit * unit
		}
		if to > from {
			b.parts = append(b.parts, newPart(&b.log, blocks, unit, from, to))
			from = to
		}
	}
}

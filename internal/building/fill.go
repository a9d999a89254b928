package building

import (
	"math"
	"sort"
	"sync/atomic"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/parallel"
)

// sharedFrom is the size of a body beyond which it pays to put the hashes into lists for
// several goroutines, so that each finds its own. With two goroutines, a FastLocal filter
// took 1.09 of one's time at 2 MiB, 0.9 at 3 and 4, 0.74 at 8 (Sapphire Rapids).
const sharedFrom = 2 << 20

// partitionFrom, if not nil, is a size that tests set: larger filters' hashes are put into
// lists.
var partitionFrom *uint64

// PartitionFrom lets builders that are made from now on put the hashes of filters
// larger than the given size into lists, until restore is called. Finish fills those in
// sections of at most this size. Used only by tests, while no builder is working.
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
	return mostWithin(from, func(hashes uint64) uint64 { return layout(hashes).BodyBytes() })
}

// MostLinear returns how many hashes a log keeps before it puts them into lists, for a
// builder that has no Layout: the given number, unless PartitionFrom says otherwise.
func MostLinear(hashes int, bodyBytes func(hashes uint64) uint64) int {
	if partitionFrom == nil {
		return hashes
	}
	return mostWithin(*partitionFrom, bodyBytes)
}

// mostWithin returns the largest number of hashes whose filter's body has at most the given
// size, or the one that PartitionFrom sets.
func mostWithin(size uint64, bodyBytes func(hashes uint64) uint64) int {
	if partitionFrom != nil {
		size = *partitionFrom
	}
	return sort.Search(math.MaxInt32, func(hashes int) bool { return bodyBytes(uint64(hashes)) > size })
}

// fillBody writes the hashes into the body, with all goroutines that it may use. If
// verification is on, it reports whether every hash was found.
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

// each calls do for every part, and reports whether all calls returned true.
func (b *Builder) each(format Format, body []byte, do func(Format, []byte, Part) bool) bool {
	if len(b.parts) == 1 { // without an allocation
		return do(format, body, b.parts[0])
	}
	var failed atomic.Bool
	parallel.Each(b.Goroutines(), len(b.parts), func(_, i int) {
		if !do(format, body, b.parts[i]) {
			failed.Store(true)
		}
	})
	return !failed.Load()
}

// cut cuts the body into parts with about equal numbers of hashes, as far as whole units
// allow: one for each goroutine, or one in all if the hashes are not in lists.
func (b *Builder) cut(blocks, unit uint32) {
	parts := uint64(1)
	if b.log.Partitioned() {
		parts = uint64(b.Goroutines())
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
			// The hashes of a list are taken to be evenly spread.
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

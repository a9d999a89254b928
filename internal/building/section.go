package building

import (
	"iter"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/hashlog"
)

// sectionBytes of a filter fit into a core's cache, of 1 MiB and more. A section is whole
// lists, though, up to twice as much, and from filters of 256 MiB on a single list, which is
// 2 MiB at 1 GiB: finer lists cost more than the next cache.
const sectionBytes = 512 << 10

// listsPerSection returns how many lists make a section of the given size, which is no smaller than a
// unit.
func listsPerSection(blocks, unit uint32, sectionBytes uint64) int {
	want := max(sectionBytes/asm.BlockBytes, uint64(unit)) * hashlog.Lists
	return int(min((want+uint64(blocks)-1)/uint64(blocks), hashlog.Lists))
}

// Sections returns how many sections the part has.
func (p Part) Sections() int { return (p.end - p.list + p.perSection - 1) / p.perSection }

// Section yields the hashes of a section, some at a time. Each slice is valid, and
// read-only, until the next one is yielded.
func (p Part) Section(i int) iter.Seq[[]uint64] {
	return func(yield func([]uint64) bool) {
		list := p.list + i*p.perSection
		p.inLists(list, min(list+p.perSection, p.end), yield)
	}
}

// SectionBlocks returns the first block that the hashes of a section may belong to,
// and the one after the last.
func (p Part) SectionBlocks(i int) (from, to uint32) {
	if p.Sections() == 1 {
		return p.from, p.to
	}
	list := p.list + i*p.perSection
	end := min(list+p.perSection, p.end)
	return max(p.from, firstBlock(list, p.blocks)), min(p.to, lastBlock(end-1, p.blocks)+1)
}

// firstBlock returns the first block that has hashes of a list.
func firstBlock(list int, blocks uint32) uint32 {
	return fallback.Block(uint64(list)<<fallback.ListShift, blocks)
}

// lastBlock returns the last block that has hashes of a list.
func lastBlock(list int, blocks uint32) uint32 {
	return fallback.Block(uint64(list+1)<<fallback.ListShift-1, blocks)
}

// firstList returns the first list with hashes of a block.
func firstList(block, blocks uint32) int {
	lowest := (uint64(block)<<32 + uint64(blocks) - 1) / uint64(blocks)
	return int(lowest >> fallback.ListShift)
}

// lastList returns the last list with hashes of a block.
func lastList(block, blocks uint32) int {
	beyond := (uint64(block+1)<<32 + uint64(blocks) - 1) / uint64(blocks)
	return int((beyond - 1) >> fallback.ListShift)
}

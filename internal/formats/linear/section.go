package linear

import (
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/fallback"
)

// section is a section of a layer while it is built.
type section struct {
	bits           int // of a fingerprint
	multiplier     uint32
	from, to       uint64 // the low halves of its keys' hashes, to excluded
	lines, headers []byte
}

// sectionOf returns a section of the last layer, and whether it has lines. memory has the lines and
// headers of all layers.
func sectionOf(layers *fallback.LinearLayers, number int, m memory) (s section, exists bool) {
	of, n, share := layers.Section(layers.Number()-1, number)
	s = section{bits: layers.Bits(number), multiplier: of.Multiplier, to: share << (32 - 6)}
	if number == 1 {
		s.from, s.to = 1<<32-s.to, 1<<32
	}
	first := uint64(of.First)
	s.lines = m.lines[first*asm.BlockBytes : (first+n)*asm.BlockBytes]
	s.headers = m.headers[first : first+n]
	return s, n > 0
}

// memory is where a filter's lines and headers are written.
type memory struct{ lines, headers []byte }

// part is a range of a section's lines, which one goroutine solves.
type part struct {
	section
	first    uint32 // its first line
	low, end uint64 // the low halves of its keys' hashes, less the section's first, end excluded
}

const (
	// partKeys are as many as fit a second-level cache twice: as they are in lists, and in
	// the order of their lines.
	partKeys = 1 << 15
	// fewestShared are the keys for which another goroutine pays.
	fewestShared = 1 << 10
	// partsPerGoroutine is for goroutines to end together.
	partsPerGoroutine = 4
)

// parts returns how many parts a section of some keys is cut into. Each part goes through all lists that
// its lines have keys in, so there are no more parts than lists, or than goroutines.
func (s *section) parts(lists int, keys uint64, goroutines int) int {
	if goroutines > 1 {
		goroutines = int(min(uint64(goroutines), 1+keys/fewestShared))
	}
	parts := goroutines
	if lists > 1 {
		if goroutines > 1 {
			parts *= partsPerGoroutine
		}
		parts = min(lists, max(parts, int(min(keys/partKeys, uint64(lists)))))
	}
	return min(parts, len(s.headers))
}

// part returns a part of some. Parts that are one list each begin where it does.
func (s *section) part(i, parts int) part {
	edge := func(i int) uint64 { return (uint64(len(s.headers))*uint64(i) + uint64(parts) - 1) / uint64(parts) }
	first, end := edge(i), edge(i+1)
	p := part{section: *s, first: uint32(first), low: s.lowest(first), end: s.lowest(end)}
	p.lines, p.headers = s.lines[first*asm.BlockBytes:end*asm.BlockBytes], s.headers[first:end]
	return p
}

// lowest returns the lowest low half of the hashes of a line and those behind it, less the section's first.
func (s *section) lowest(line uint64) uint64 {
	m := uint64(s.multiplier)
	return min((line<<32+m-1)/m, s.to-s.from)
}

// listsOf returns the first list that has keys of a part, and the one after the last.
func (p *part) listsOf(lists int) (from, to int) {
	shift := listShift(lists)
	return int((p.from + p.low) >> shift), int((p.from+p.end-1)>>shift) + 1
}

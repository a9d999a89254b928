package fallback

import (
	"encoding/binary"
	"math/bits"
)

// A Ribbon filter is RocksDB's Standard128Ribbon (util/ribbon_impl.h, ribbon_alg.h): a banded
// system of linear equations over bits. A key is an equation over 128 neighbouring slots. Each
// slot has a bit in every column, and a block, of 128 slots, has its columns one after the other.

const (
	// RibbonBlockSlots is the number of slots in a block, and the width of an equation.
	RibbonBlockSlots = 128
	// RibbonSegmentBytes is the size of a block's column.
	RibbonSegmentBytes = RibbonBlockSlots / 8
	// LeastRibbonBlocks is the smallest number of blocks: filters of fewer do not exist.
	LeastRibbonBlocks = 2
	// MostRibbonColumns is the largest number of columns: bits of a key's result.
	MostRibbonColumns = 32
)

// RibbonShape has the places of a body's columns. The first blocks may have a column less than
// the others.
type RibbonShape struct {
	Slots   int    // in all blocks
	Starts  uint64 // the number of slots that an equation may start at
	Seed    uint64 // XORed with hashes
	Columns int    // of the last block
	Fewer   int    // the number of blocks, from the first on, with one less
}

// NewRibbonShape returns the shape of a body with the given number of blocks, at least one, and
// ordinal seed. Any size of the body will do. Bytes beyond whole segments are unused, and blocks
// without columns contain every hash.
func NewRibbonShape(bodyBytes uint64, blocks uint32, seed byte) RibbonShape {
	segments := bodyBytes / RibbonSegmentBytes
	columns := (segments + uint64(blocks) - 1) / uint64(blocks)
	fewer := columns*uint64(blocks) - segments
	if columns > MostRibbonColumns {
		columns, fewer = MostRibbonColumns, 0
	}
	slots := uint64(blocks) * RibbonBlockSlots
	return RibbonShape{int(slots), slots - (RibbonBlockSlots - 1), ribbonSeed(seed), int(columns), int(fewer)}
}

// Block returns the number of a block's columns, and the first byte of them.
func (s *RibbonShape) Block(b uint) (columns, at uint) {
	columns, at = uint(s.Columns), b*uint(s.Columns)-min(b, uint(s.Fewer))
	if b < uint(s.Fewer) {
		columns--
	}
	return columns, at * RibbonSegmentBytes
}

// ribbonSeed returns the value by which an ordinal seed changes hashes. The original's seeds are such that
// ordinal ones are easy to store.
func ribbonSeed(ordinal byte) uint64 {
	t := uint64(ordinal) * 0xc78219a23eeadd03
	return uint64(uint32(t ^ t&0xf0f0f0f0f0f0f0f0>>4))
}

// Start returns a hash's first slot, and the number that its equation comes from.
func (s *RibbonShape) Start(hash uint64) (start, mixed uint64) {
	mixed = (hash ^ s.Seed) * 0x6193d459236a3a0d
	start, _ = bits.Mul64(mixed, s.Starts)
	return start, mixed
}

// rowOf returns the equation that comes from a number.
func rowOf(start, mixed uint64) RibbonRow {
	a := mixed * 0xc28f82822b650bed
	return RibbonRow{(a ^ 0xc367844a6e52731d) | 1, a, uint32(bits.ReverseBytes64(a)), uint32(start)}
}

// RibbonContains reports whether the slots of a hash's equation give its result, as they do for
// every hash that was added. The shape is the body's.
func RibbonContains(body []byte, shape *RibbonShape, hash uint64) bool {
	start, mixed := shape.Start(hash)
	return shape.contains(body, start, mixed)
}

// Window returns where the columns of the blocks that a hash's equation lies in begin and end. They are neighbours.
func (s *RibbonShape) Window(hash uint64) (from, to uint) {
	start, _ := s.Start(hash)
	b := uint(start / RibbonBlockSlots)
	columns, from := s.Block(b)
	if columns == 0 || start%RibbonBlockSlots == 0 {
		return from, from + columns*RibbonSegmentBytes
	}
	columns, at := s.Block(b + 1)
	return from, at + columns*RibbonSegmentBytes
}

// ContainsIn is RibbonContains of a hash's window alone.
func (s *RibbonShape) ContainsIn(window []byte, hash uint64) bool {
	start, mixed := s.Start(hash)
	columns, _ := s.Block(uint(start / RibbonBlockSlots))
	one := RibbonShape{Columns: int(columns)}
	return one.contains(window, start%RibbonBlockSlots, mixed)
}

// contains looks up a hash of which the first slot is known. The equation lies in two blocks, in
// three of their four words. It tests four columns together: fifteen of sixteen absent hashes
// end there, and a processor foresees that.
func (s *RibbonShape) contains(body []byte, start, mixed uint64) bool {
	columns, own := s.Block(uint(start / RibbonBlockSlots))
	if columns == 0 {
		return true
	}
	shift := uint(start % RibbonBlockSlots)
	next := own + columns*RibbonSegmentBytes
	if shift == 0 {
		next = own // is masked out: there may be no next block
	}
	r, upper, shift := rowOf(start, mixed), shift/64, shift%64
	low, high := r.Low<<shift, r.High>>1>>(63-shift)
	middle := r.High<<shift | r.Low>>1>>(63-shift)
	first, second, third := body[own+8*upper:], body[own+8+upper*(next-own-8):], body[next+8*upper:]
	result, i := uint(r.Result), uint(0)
	for ; columns >= 4; columns -= 4 {
		f, s, t := (*[56]byte)(first[i:]), (*[56]byte)(second[i:]), (*[56]byte)(third[i:])
		wrong := ones(word(f[0:])&low^word(s[0:])&middle^word(t[0:])&high) ^ result
		wrong |= ones(word(f[16:])&low^word(s[16:])&middle^word(t[16:])&high) ^ result>>1
		wrong |= ones(word(f[32:])&low^word(s[32:])&middle^word(t[32:])&high) ^ result>>2
		wrong |= ones(word(f[48:])&low^word(s[48:])&middle^word(t[48:])&high) ^ result>>3
		if wrong&1 != 0 {
			return false
		}
		result >>= 4
		i += 4 * RibbonSegmentBytes
	}
	for ; columns > 0; columns-- {
		sum := word(first[i:])&low ^ word(second[i:])&middle ^ word(third[i:])&high
		if (ones(sum)^result)&1 != 0 {
			return false
		}
		result >>= 1
		i += RibbonSegmentBytes
	}
	return true
}

func word(b []byte) uint64 { return binary.LittleEndian.Uint64(b) }

func ones(x uint64) uint { return uint(bits.OnesCount64(x)) }

// RibbonContainsBatch sets bit i%64 of hits[i/64] to RibbonContains of hashes[i], and the bits
// beyond the last hash in its word to zero.
func RibbonContainsBatch(body []byte, shape *RibbonShape, hashes, hits []uint64) {
	inGroups(hashes, hits, func(keys []uint64) uint64 { return shape.answers(body, keys) })
}

// answers returns the answers of at most 64 hashes.
func (s *RibbonShape) answers(body []byte, hashes []uint64) (word uint64) {
	if len(body) > farFrom {
		s.loadFirst(body, hashes)
	}
	for i, hash := range hashes {
		start, mixed := s.Start(hash)
		if s.contains(body, start, mixed) {
			word |= 1 << (i % group)
		}
	}
	return word
}

// loadFirst loads the lines that have the first columns of every hash: those that most absent hashes
// need. It is not inlined, or the compiler would drop loads whose result is unused.
//
//go:noinline
func (s *RibbonShape) loadFirst(body []byte, hashes []uint64) (all byte) {
	for _, hash := range hashes {
		start, _ := s.Start(hash)
		columns, at := s.Block(uint(start / RibbonBlockSlots))
		first := min(columns, 8) * RibbonSegmentBytes
		if next := at + columns*RibbonSegmentBytes; next+first <= uint(len(body)) {
			all |= loadRun(body[next:][:first])
		}
		all |= loadRun(body[at:][:first])
	}
	return all
}

// loadRun loads the lines of at most 128 bytes.
func loadRun(run []byte) (all byte) {
	if len(run) == 0 {
		return 0
	}
	all = run[0] | run[len(run)-1]
	if len(run) > 64 {
		all |= run[64]
	}
	return all
}

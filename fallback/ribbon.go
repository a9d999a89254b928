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
	// MostRibbonColumns is the largest number of columns: bits of a key's result.
	MostRibbonColumns = 32
)

// RibbonShape says where the columns of a body are. The first blocks may have a column less than
// the others.
type RibbonShape struct {
	starts  uint64 // the number of slots that an equation may start at
	seed    uint64
	blocks  uint
	columns uint // of the last block
	fewer   uint // the number of blocks with one less
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
	return RibbonShape{
		starts: uint64(blocks)*RibbonBlockSlots - (RibbonBlockSlots - 1),
		seed:   ribbonSeed(seed), blocks: uint(blocks), columns: uint(columns), fewer: uint(fewer),
	}
}

// Columns returns the number of columns of the last block.
func (s *RibbonShape) Columns() int { return int(s.columns) }

// Fewer returns the number of blocks, from the first on, that have a column less than the others.
func (s *RibbonShape) Fewer() int { return int(s.fewer) }

// Slots returns the number of slots.
func (s *RibbonShape) Slots() int { return int(s.blocks) * RibbonBlockSlots }

// Starts returns the number of slots that an equation may start at.
func (s *RibbonShape) Starts() uint64 { return s.starts }

// Seed returns what hashes are XORed with.
func (s *RibbonShape) Seed() uint64 { return s.seed }

// block returns the number of a block's columns, and the first byte of them.
func (s *RibbonShape) block(b uint) (columns, at uint) {
	columns, at = s.columns, b*s.columns-min(b, s.fewer)
	if b < s.fewer {
		columns--
	}
	return columns, at * RibbonSegmentBytes
}

// ribbonSeed returns what an ordinal seed changes hashes by. The original's seeds are such that
// ordinal ones are easy to store.
func ribbonSeed(ordinal byte) uint64 {
	t := uint64(ordinal) * 0xc78219a23eeadd03
	return uint64(uint32(t ^ t&0xf0f0f0f0f0f0f0f0>>4))
}

// row is the equation of a hash: from its first slot on, the slots whose bits are set are XORed.
// Bit 0 of low is set.
type row struct {
	low, high uint64
	result    uint32
}

// hash returns a hash's first slot, and the number that its row comes from.
func (s *RibbonShape) hash(hash uint64) (start, a uint64) {
	mixed := s.Mix(hash)
	return s.Start(mixed), mixed * 0xc28f82822b650bed
}

func rowOf(a uint64) row {
	return row{low: (a ^ 0xc367844a6e52731d) | 1, high: a, result: uint32(bits.ReverseBytes64(a))}
}

// RibbonContains reports whether the slots of a hash's equation give its result, as they do for
// every hash that was added. The shape is the body's.
func RibbonContains(body []byte, shape *RibbonShape, hash uint64) bool {
	start, a := shape.hash(hash)
	return shape.contains(body, start, a)
}

// contains looks up a hash of which the first slot is known. The equation lies in two blocks, in
// three of their four words. It takes four columns together: fifteen of sixteen absent hashes
// end there, and a processor foresees that.
func (s *RibbonShape) contains(body []byte, start, a uint64) bool {
	columns, own := s.block(uint(start / RibbonBlockSlots))
	if columns == 0 {
		return true
	}
	shift := uint(start % RibbonBlockSlots)
	next := own + columns*RibbonSegmentBytes
	if shift == 0 {
		next = own // is masked out: there may be no next block
	}
	r, upper, shift := rowOf(a), shift/64, shift%64
	low, high := r.low<<shift, r.high>>1>>(63-shift)
	middle := r.high<<shift | r.low>>1>>(63-shift)
	first, second, third := body[own+8*upper:], body[own+8+upper*(next-own-8):], body[next+8*upper:]
	result, i := uint(r.result), uint(0)
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
	for len(hashes) > 0 {
		keys := hashes[:min(group, len(hashes))]
		hits[0] = shape.answers(body, keys)
		hits, hashes = hits[1:], hashes[len(keys):]
	}
}

// answers returns the answers of at most 64 hashes.
func (s *RibbonShape) answers(body []byte, hashes []uint64) (word uint64) {
	if len(body) > farFrom {
		s.loadFirst(body, hashes)
	}
	for i, hash := range hashes {
		start, a := s.hash(hash)
		if s.contains(body, start, a) {
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
		start, _ := s.hash(hash)
		columns, at := s.block(uint(start / RibbonBlockSlots))
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

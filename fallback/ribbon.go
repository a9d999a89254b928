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
	g := (hash ^ s.seed) * 0x6193d459236a3a0d
	start, _ = bits.Mul64(g, s.starts)
	return start, g * 0xc28f82822b650bed
}

func rowOf(a uint64) row {
	return row{low: (a ^ 0xc367844a6e52731d) | 1, high: a, result: uint32(bits.ReverseBytes64(a))}
}

// RibbonContains reports whether the slots of a hash's equation give its result, as they do for
// every hash that was added. It stops at the first column that does not. The shape is the body's.
func RibbonContains(body []byte, shape *RibbonShape, hash uint64) bool {
	start, a := shape.hash(hash)
	return shape.contains(body, start, a)
}

// contains looks up a hash of which the first slot is known. The equation lies in two blocks,
// unless it begins with the first: then the second is the first again, masked out.
func (s *RibbonShape) contains(body []byte, start, a uint64) bool {
	b, shift := uint(start/RibbonBlockSlots), uint(start%RibbonBlockSlots)
	columns, at := s.block(b)
	size := columns * RibbonSegmentBytes
	first := body[at : at+size]
	second := first
	if shift > 0 {
		second = body[at+size : at+2*size]
	}
	r := rowOf(a)
	w := r.spread(shift)
	for result := r.result; len(first) >= RibbonSegmentBytes && len(second) >= RibbonSegmentBytes; result >>= 1 {
		sum := binary.LittleEndian.Uint64(first)&w[0] ^ binary.LittleEndian.Uint64(first[8:])&w[1] ^
			binary.LittleEndian.Uint64(second)&w[2] ^ binary.LittleEndian.Uint64(second[8:])&w[3]
		if (bits.OnesCount64(sum)^int(result))&1 != 0 {
			return false
		}
		first, second = first[RibbonSegmentBytes:], second[RibbonSegmentBytes:]
	}
	return true
}

// spread returns the coefficients of two blocks' slots, if the equation begins at the given slot
// of the first.
func (r row) spread(shift uint) (w [4]uint64) {
	low, high := r.low, r.high
	if shift >= 64 {
		shift -= 64
		return [4]uint64{0, low << shift, high<<shift | low>>(64-shift), high >> (64 - shift)}
	}
	return [4]uint64{low << shift, high<<shift | low>>(64-shift), high >> (64 - shift), 0}
}

// RibbonContainsBatch sets bit i%64 of hits[i/64] to RibbonContains of hashes[i], and the bits
// beyond the last hash in its word to zero.
func RibbonContainsBatch(body []byte, shape *RibbonShape, hashes, hits []uint64) {
	for len(hashes) > 0 {
		keys := hashes[:min(group, len(hashes))]
		hits[0] = shape.answers(body, keys)
		hits, hashes = hits[1:], hashes[len(keys):]
	}
}

// answers returns the answers of at most 64 hashes. All take their first column, which loads
// their lines.
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

// loadFirst loads the first column of every hash, which is most often the only one. It is not
// inlined, or the compiler would drop loads whose result is unused.
//
//go:noinline
func (s *RibbonShape) loadFirst(body []byte, hashes []uint64) (all byte) {
	for _, hash := range hashes {
		start, _ := s.hash(hash)
		if columns, at := s.block(uint(start / RibbonBlockSlots)); columns > 0 {
			all |= body[at]
		}
	}
	return all
}

package asm_test

import (
	"math/rand/v2"

	"github.com/simdbloom/simdbloom/internal/test/vectors"
)

// longestTail is the number of hashes up to which every length of a batch is
// tried.
const longestTail = 200

// hashesFor returns random hashes and those at the ends of their ranges.
func hashesFor(seed uint64) []uint64 {
	edges := []uint64{0, 1, 1<<32 - 1, 1 << 32, 1 << 63, 1<<64 - 1, 0x9e3779b9 << 32, 511 << 55}
	return append(edges, vectors.Hashes(seed, longestTail-len(edges))...)
}

// hashInBlock returns a hash that belongs to the given block. Each set of a paired
// filter's probes takes nine bits of a product for the position in the block; those
// of the given product are often the first positions, which may be those of the
// pair's index and are then spread over the block.
func hashInBlock(r *rand.Rand, block, blocks, product int) uint64 {
	const inverse = 0x144cbc89 // of phi, by which the products differ
	high, position := r.Uint32(), r.Uint32N(10)
	switch r.IntN(7) {
	case 0: // in set 0
		high = high>>9 | position<<23
	case 1: // in set 1
		high = high&^(511<<14) | position<<14
	case 2: // in set 0, spread to the last bit
		high = position<<23 | 1<<23 - 1
	case 3: // in set 1, spread to the last bits
		high = high>>18 | position<<14 | 511<<23
	case 4: // in set 0, the last to be spread to some bit, or the first to the next
		bits := [2]uint32{512 - 5, 512 - 7}[r.IntN(2)]
		last := (1 + r.Uint32N(bits-1)) << 23 / bits
		high = position<<23 | (last + r.Uint32N(2))
	case 5: // in set 1, the first product of a position
		high = high&^(1<<23-1) | position<<14
	}
	for range product {
		high *= inverse
	}
	first := (uint64(block)<<32 + uint64(blocks) - 1) / uint64(blocks)
	return uint64(high)<<32 | first + r.Uint64N(1<<32/uint64(blocks)-1)
}

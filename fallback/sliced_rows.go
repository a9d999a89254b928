package fallback

import "slices"

// These functions append the offsets of a hash's rows in a sliced tile, whose rows are stride bytes apart: one for each
// probe of a filter that has the given number of blocks.

// FastLocalSlicedRows appends the rows of a hash in FastLocal filters.
func FastLocalSlicedRows(rows []uint64, blocks uint32, hash uint64, probes, stride int) []uint64 {
	n, block := len(rows), uint64(Block(hash, blocks))*blockBits
	rows = slices.Grow(rows, probes)[:n+probes]
	product := uint32(hash >> 32)
	for i := range rows[n:] {
		rows[n+i] = (block + uint64(product>>(32-positions))) * uint64(stride)
		product *= phi
	}
	return rows
}

// SplitBlockSlicedRows appends the rows of a hash in split-block filters, which have eight probes.
func SplitBlockSlicedRows(rows []uint64, blocks uint32, hash uint64, stride int) []uint64 {
	block := uint64(SplitBlockOf(hash, blocks)) * (8 * SplitBlockBytes)
	for i, salt := range SplitBlockSalts {
		rows = append(rows, (block+uint64(32*i)+uint64(uint32(hash)*salt>>27))*uint64(stride))
	}
	return rows
}

// BlobloomSlicedRows appends the rows of a hash in blobloom's filters.
func BlobloomSlicedRows(rows []uint64, blocks uint32, hash uint64, probes, stride int) []uint64 {
	p, block := newBlobloomProbes(hash), uint64(Block(hash, blocks))*blockBits
	for range probes {
		rows = append(rows, (block+uint64(p.next()))*uint64(stride))
	}
	return rows
}

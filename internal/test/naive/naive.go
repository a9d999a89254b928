// Package naive implements the filters a second time, in as few lines as possible, from
// the description of their bytes and nothing else in this repository. Tests compare every
// kernel and builder with it.
package naive

import (
	"math/bits"
	"slices"
)

const (
	phi        = 0x9e3779b9
	mostProbes = 30 // without an allocation: tests add and look up millions of hashes
)

func block(hash, blocks uint64) uint64 { return (hash & 0xffffffff) * blocks >> 32 }

// set and contains take bits of the body.
func set(body []byte, all []uint64) {
	for _, bit := range all {
		body[bit/8] |= 1 << (bit % 8)
	}
}

func contains(body []byte, all []uint64) bool {
	for _, bit := range all {
		if body[bit/8]&(1<<(bit%8)) == 0 {
			return false
		}
	}
	return true
}

// FastLocalBits returns the bits of the body that a hash's probes look at.
func FastLocalBits(body []byte, k int, hash uint64) []uint64 {
	return fastLocalBits(nil, body, k, hash)
}

// fastLocalBits appends them.
func fastLocalBits(all []uint64, body []byte, k int, hash uint64) []uint64 {
	own, x := block(hash, uint64(len(body)/64)), uint32(hash>>32)
	for range k {
		all = append(all, own*512+uint64(x>>23))
		x *= phi
	}
	return all
}

// FastLocalAdd sets a hash's bits.
func FastLocalAdd(body []byte, k int, hash uint64) {
	var room [mostProbes]uint64
	set(body, fastLocalBits(room[:0], body, k, hash))
}

// FastLocalContains reports whether they are set.
func FastLocalContains(body []byte, k int, hash uint64) bool {
	var room [mostProbes]uint64
	return contains(body, fastLocalBits(room[:0], body, k, hash))
}

// FastLocal builds a whole filter. It drops no repetitions.
func FastLocal(hashes []uint64, millibits, k int) []byte {
	if len(hashes) == 0 {
		return nil
	}
	size := (uint64(len(hashes))*uint64(millibits) + 7999) / 8000
	return FastLocalOf(int((size+63)/64), hashes, k)
}

// FastLocalOf builds a whole filter of the given number of blocks.
func FastLocalOf(blocks int, hashes []uint64, k int) []byte {
	body := make([]byte, blocks*64)
	for _, hash := range hashes {
		FastLocalAdd(body, k, hash)
	}
	return append(body, 0xff, 0, byte(k), 0, 0)
}

// PairedBits returns the bits of the body that a hash's probes look at, those of its own
// block first. The block with the lower number gets set 0, the other one set 1.
func PairedBits(body []byte, batch, k int, hash uint64) []uint64 {
	return pairedBits(nil, body, batch, k, hash)
}

// pairedBits appends them.
func pairedBits(all []uint64, body []byte, batch, k int, hash uint64) []uint64 {
	own := block(hash, uint64(len(body)/64))
	pair := own/uint64(batch)*uint64(batch) + uint64(body[own*64])%uint64(batch)
	ownSet := 1
	if own < pair {
		ownSet = 0
	}
	all = probeSet(all, hash, ownSet, k/2, batch, own)
	return probeSet(all, hash, 1-ownSet, k/2, batch, pair)
}

// probeSet appends the bits of one block, which has the given number.
func probeSet(all []uint64, hash uint64, set, half, batch int, block uint64) []uint64 {
	indexBits, x := uint32(bits.TrailingZeros(uint(batch))), uint32(hash>>32)
	for range half {
		bit, rest := x>>23, (x<<9)>>9
		if set == 1 {
			bit, rest = (x>>14)&511, x>>9
		}
		if bit < indexBits {
			bit = indexBits + ((512-indexBits)*rest)>>23
		}
		all = append(all, block*512+uint64(bit))
		x *= phi
	}
	return all
}

// PairedAdd sets a hash's bits. The blocks have been paired.
func PairedAdd(body []byte, batch, k int, hash uint64) {
	var room [mostProbes]uint64
	set(body, pairedBits(room[:0], body, batch, k, hash))
}

// PairedContains reports whether they are set.
func PairedContains(body []byte, batch, k int, hash uint64) bool {
	var room [mostProbes]uint64
	return contains(body, pairedBits(room[:0], body, batch, k, hash))
}

// PairedBatches returns the numbers of blocks in a batch that Speedb's filters of a body may have. In a filter of whole
// batches of 128, the first eight blocks tell, or as many as it takes, up to 128: each names another block, and that
// one names it.
func PairedBatches(body []byte) (batches []int) {
	if len(body)%(128*64) != 0 {
		return []int{32}
	}
	for looked := 8; looked <= 128; looked++ {
		batches = nil
		for _, batch := range []int{32, 128} {
			if pairedTwoByTwo(body, batch, looked) {
				batches = append(batches, batch)
			}
		}
		if len(batches) < 2 {
			break
		}
	}
	return batches
}

// pairedTwoByTwo reports whether the first blocks are paired with others that are paired with them.
func pairedTwoByTwo(body []byte, batch, blocks int) bool {
	pairOf := func(n int) int { return n/batch*batch + int(body[n*64])%batch }
	for n := range blocks {
		if pairOf(n) == n || pairOf(pairOf(n)) != n {
			return false
		}
	}
	return true
}

// PairBlocks writes the pair indexes of blocks, given the number of hashes in each.
func PairBlocks(body []byte, batch int, counts []uint16) {
	for first := 0; first < len(counts); first += batch {
		ranked := make([]int, batch)
		for i := range ranked {
			ranked[i] = first + i
		}
		slices.SortStableFunc(ranked, func(a, b int) int { return int(counts[a]) - int(counts[b]) })
		for i, n := range ranked {
			body[n*64] |= byte(ranked[batch-1-i] - first)
		}
	}
}

// Paired builds a whole filter. It drops no repetitions.
func Paired(hashes []uint64, millibits, k, batch int, roundDown bool) []byte {
	unit := uint64(batch) * 64
	size := uint64(len(hashes)) * uint64(millibits) / 8000
	if !roundDown {
		size += unit - 1
	}
	return PairedOf(int(max(size/unit, 1)), hashes, k, batch)
}

// PairedOf builds a whole filter of the given number of batches.
func PairedOf(batches int, hashes []uint64, k, batch int) []byte {
	body := make([]byte, batches*batch*64)
	counts := make([]uint16, len(body)/64)
	for _, hash := range hashes {
		counts[block(hash, uint64(len(counts)))]++
	}
	PairBlocks(body, batch, counts)
	for _, hash := range hashes {
		PairedAdd(body, batch, k, hash)
	}
	return append(body, 1, byte(k), map[int]byte{32: 0, 128: 7}[batch], 0)
}

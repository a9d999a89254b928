// Package naive is the two filters written down once more, in as few lines as
// they take, from the description of their bytes and from nothing else in this
// repository. Tests compare every kernel and builder with it.
package naive

import (
	"math"
	"slices"
)

const phi = 0x9e3779b9

func block(hash, blocks uint64) uint64 { return (hash & 0xffffffff) * blocks >> 32 }

func get(block []byte, bit uint32) bool { return block[bit/8]&(1<<(bit%8)) != 0 }

func set(block []byte, bit uint32) { block[bit/8] |= 1 << (bit % 8) }

// fastLocalBits returns the bits of a hash in its block.
func fastLocalBits(hash uint64, k int) (bits []uint32) {
	for x := uint32(hash >> 32); len(bits) < k; x *= phi {
		bits = append(bits, x>>23)
	}
	return bits
}

// FastLocalAdd sets a hash's bits.
func FastLocalAdd(body []byte, k int, hash uint64) {
	line := body[block(hash, uint64(len(body)/64))*64:]
	for _, bit := range fastLocalBits(hash, k) {
		set(line, bit)
	}
}

// FastLocalContains reports whether they are set.
func FastLocalContains(body []byte, k int, hash uint64) bool {
	line := body[block(hash, uint64(len(body)/64))*64:]
	for _, bit := range fastLocalBits(hash, k) {
		if !get(line, bit) {
			return false
		}
	}
	return true
}

// FastLocal builds a whole filter. It drops no repetitions.
func FastLocal(hashes []uint64, millibits, k int) []byte {
	if len(hashes) == 0 {
		return nil
	}
	size := (uint64(len(hashes))*uint64(millibits) + 7999) / 8000
	body := make([]byte, (size+63)/64*64)
	for _, hash := range hashes {
		FastLocalAdd(body, k, hash)
	}
	return append(body, 0xff, 0, byte(k), 0, 0)
}

// pairedBits returns the bits of one of a hash's two blocks: the one with the
// lower number takes set 0, the one with the higher number set 1.
func pairedBits(hash uint64, set, half int, indexBits uint32) (bits []uint32) {
	for x := uint32(hash >> 32); len(bits) < half; x *= phi {
		bit, rest := x>>23, (x<<9)>>9
		if set == 1 {
			bit, rest = (x>>14)&511, x>>9
		}
		if bit < indexBits {
			bit = indexBits + ((512-indexBits)*rest)>>23
		}
		bits = append(bits, bit)
	}
	return bits
}

// pairedLines returns a hash's own block and the paired one, with the bits of each.
func pairedLines(body []byte, batch, k int, hash uint64) (lines [2][]byte, bits [2][]uint32) {
	own := block(hash, uint64(len(body)/64))
	pair := own/uint64(batch)*uint64(batch) + uint64(body[own*64])%uint64(batch)
	ownSet := 1
	if own < pair {
		ownSet = 0
	}
	indexBits := uint32(math.Log2(float64(batch)))
	return [2][]byte{body[own*64:], body[pair*64:]}, [2][]uint32{
		pairedBits(hash, ownSet, k/2, indexBits), pairedBits(hash, 1-ownSet, k/2, indexBits),
	}
}

// PairedAdd sets a hash's bits. The blocks have been paired.
func PairedAdd(body []byte, batch, k int, hash uint64) {
	lines, bits := pairedLines(body, batch, k, hash)
	for i, line := range lines {
		for _, bit := range bits[i] {
			set(line, bit)
		}
	}
}

// PairedContains reports whether they are set.
func PairedContains(body []byte, batch, k int, hash uint64) bool {
	lines, bits := pairedLines(body, batch, k, hash)
	for i, line := range lines {
		for _, bit := range bits[i] {
			if !get(line, bit) {
				return false
			}
		}
	}
	return true
}

// PairBlocks writes the pair indexes of blocks with so many hashes each.
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
	body := make([]byte, max(size/unit, 1)*unit)
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

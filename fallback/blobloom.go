package fallback

import (
	"encoding/binary"
	"sync/atomic"
)

// A blobloom filter is blocks, as FastLocal's is, and the low half of a hash chooses its block. Both halves
// choose the bits: the high half is the position before the first probe. Probe i, from 1 on, adds the low
// half, which then becomes i more. Positions count modulo the 512 bits of a block.

// MostBlobloomProbes is the number of probes after which positions repeat: probe i+1024 looks where probe i
// does. Step i adds low+i*(i-1)/2 to the position. Modulo 512, i*(i-1)/2 repeats after 1024 steps, and the
// 1024 sums of a period are 0 together.
const MostBlobloomProbes = 1024

// fewBlobloomProbes are tested without a branch.
const fewBlobloomProbes = 32

// blobloomProbes are a hash's probes, in order.
type blobloomProbes struct{ position, step, i uint32 }

func newBlobloomProbes(hash uint64) blobloomProbes {
	return blobloomProbes{position: uint32(hash >> 32), step: uint32(hash)}
}

// next returns the next position.
func (p *blobloomProbes) next() uint32 {
	p.position += p.step
	p.i++
	p.step += p.i
	return p.position % blockBits
}

// BlobloomContains reports whether all of a hash's bits are set, which they are for every hash that was added.
// It has no branch that depends on the data in up to 32 probes, and one in each 32 beyond.
func BlobloomContains(body []byte, probes int, hash uint64) bool {
	return blobloomFound(blockAt(body, Block(hash, numBlocks(body))), probes, hash) != 0
}

// blobloomFound returns 1 if all bits of a hash are set in its block, and 0 otherwise.
func blobloomFound(b *block, probes int, hash uint64) uint32 {
	p, found := newBlobloomProbes(hash), uint32(1)
	for ; probes > 0 && found&1 != 0; probes -= fewBlobloomProbes {
		for range min(probes, fewBlobloomProbes) {
			at := p.next()
			found &= binary.LittleEndian.Uint32(b[at/32%(blockBits/32)*4:]) >> (at % 32)
		}
	}
	return found & 1
}

// BlobloomContainsBatch sets bit i%64 of hits[i/64] to BlobloomContains of hashes[i], and the bits beyond the
// last hash in its word to zero.
func BlobloomContainsBatch(body []byte, probes int, hashes, hits []uint64) {
	inGroups(hashes, hits, func(keys []uint64) (word uint64) {
		if len(body) > farFrom {
			loadLines(body, keys)
		}
		blocks := numBlocks(body)
		for i := len(keys) - 1; i >= 0; i-- {
			word = word<<1 | uint64(blobloomFound(blockAt(body, Block(keys[i], blocks)), probes, keys[i]))
		}
		return word
	})
}

// BlobloomAdd sets the bits of every hash.
func BlobloomAdd(body []byte, probes int, hashes []uint64) {
	for _, hash := range hashes {
		BlobloomAddKey(body, probes, hash)
	}
}

// BlobloomAddKey sets the bits of one hash, and reports whether any was not set before.
func BlobloomAddKey(body []byte, probes int, hash uint64) (isNew bool) {
	b, p, missing := blockAt(body, Block(hash, numBlocks(body))), newBlobloomProbes(hash), byte(0)
	for range probes {
		at := p.next()
		bit := byte(1) << (at % 8)
		missing |= bit &^ b[at/8%BlockBytes]
		b[at/8%BlockBytes] |= bit
	}
	return missing != 0
}

// SharedBlobloomContains is BlobloomContains of a shared body.
func SharedBlobloomContains(words []uint64, probes int, hash uint64) bool {
	l, p, order, found := LineAt(words, hash), newBlobloomProbes(hash), byteOrder, uint64(1)
	for ; probes > 0 && found&1 != 0; probes-- {
		at := p.next()
		found &= atomic.LoadUint64(&l[at/64%uint32(len(l))]) >> (at%64 ^ order)
	}
	return found&1 != 0
}

// SharedBlobloomContainsBatch is BlobloomContainsBatch of a shared body.
func SharedBlobloomContainsBatch(words []uint64, probes int, hashes, hits []uint64) {
	inGroups(hashes, hits, func(keys []uint64) (word uint64) {
		for i, hash := range keys {
			if SharedBlobloomContains(words, probes, hash) {
				word |= 1 << (i % group)
			}
		}
		return word
	})
}

// SharedBlobloomAdd is BlobloomAddKey in a shared body. It reports whether this call set a bit: those that
// another goroutine sets meanwhile do not count. Bits that are set take no atomic operation.
func SharedBlobloomAdd(words []uint64, probes int, hash uint64) (isNew bool) {
	l, p, order, set := LineAt(words, hash), newBlobloomProbes(hash), byteOrder, uint64(0)
	for range probes {
		at := p.next()
		set |= setMissing(&l[at/64%uint32(len(l))], 1<<(at%64^order))
	}
	return set != 0
}

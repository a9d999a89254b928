package fallback

import "encoding/binary"

// FastLocalContains reports whether all of a hash's bits are set, which they are
// for every hash that was added. It has no branch that depends on the data.
//
// Two chains of products run beside each other, because one multiplication waits
// for the one before it.
func FastLocalContains(body []byte, probes int, hash uint64) bool {
	b := blockAt(body, Block(hash, numBlocks(body)))
	even := uint32(hash >> 32)
	odd := even * phi
	found := uint32(1)
	for ; probes > 1; probes -= 2 {
		found &= bit(b, even)
		found &= bit(b, odd)
		even *= phiSquared
		odd *= phiSquared
	}
	if probes > 0 {
		found &= bit(b, even)
	}
	return found != 0
}

// bit returns the bit that a probe looks at, in bit 0 with others above it. From
// a word it costs fewer instructions than from a byte.
func bit(b *block, product uint32) uint32 {
	word := binary.LittleEndian.Uint32(b[uint(product>>28)*4:])
	return word >> (product >> 23 & 31)
}

// FastLocalContainsBatch sets bit i%64 of hits[i/64] to FastLocalContains of
// hashes[i], and the bits beyond the last hash in its word to zero.
func FastLocalContainsBatch(body []byte, probes int, hashes, hits []uint64) {
	inGroups(hashes, hits, func(keys []uint64) uint64 { return fastLocalAnswers(body, probes, keys) })
}

// fastLocalAnswers returns the answers of at most 64 hashes. One chain of products
// is enough, since the next hash does not wait for it. It keeps few variables, and
// counts down, so that amd64's registers suffice.
func fastLocalAnswers(body []byte, probes int, hashes []uint64) (word uint64) {
	if len(body) > farFrom {
		loadLines(body, hashes)
	}
	blocks := numBlocks(body)
	for i := len(hashes) - 1; i >= 0; i-- {
		b := blockAt(body, Block(hashes[i], blocks))
		product := uint32(hashes[i] >> 32)
		found := uint32(1)
		for range probes {
			found &= bit(b, product)
			product *= phi
		}
		word = word<<1 | uint64(found)
	}
	return word
}

// loadLines loads the lines of the hashes. It is not inlined, or the compiler would drop
// loads whose result is unused.
//
//go:noinline
func loadLines(body []byte, hashes []uint64) (all byte) {
	blocks := numBlocks(body)
	for _, hash := range hashes {
		all |= blockAt(body, Block(hash, blocks))[0]
	}
	return all
}

// FastLocalAdd sets the bits of every hash.
func FastLocalAdd(body []byte, probes int, hashes []uint64) {
	blocks := numBlocks(body)
	var index [group]uint32
	for len(hashes) > 0 {
		keys := hashes[:min(group, len(hashes))]
		for i, hash := range keys {
			n := Block(hash, blocks)
			index[i%group] = n
			fastLocalSet(blockAt(body, n), uint32(hash>>32), 1)
		}
		for i, hash := range keys {
			fastLocalSet(blockAt(body, index[i%group]), uint32(hash>>32)*phi, probes-1)
		}
		hashes = hashes[len(keys):]
	}
}

func fastLocalSet(b *block, product uint32, probes int) {
	for ; probes > 0; probes-- {
		b[product>>26] |= 1 << (product >> 23 & 7)
		product *= phi
	}
}

// FastLocalAddKey sets the bits of one hash.
func FastLocalAddKey(body []byte, probes int, hash uint64) {
	fastLocalSet(blockAt(body, Block(hash, numBlocks(body))), uint32(hash>>32), probes)
}

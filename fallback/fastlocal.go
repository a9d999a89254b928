package fallback

// FastLocalContains reports whether all of a hash's bits are set, which they are
// for every hash that was added. It takes no branch that depends on the data.
func FastLocalContains(body []byte, probes int, hash uint64) bool {
	b := blockAt(body, Block(hash, numBlocks(body)))
	return fastLocalProbe(b, uint32(hash>>32), probes)&1 != 0
}

// fastLocalProbe returns 1 in bit 0 if the given number of probes, from the one
// with the given product on, all find their bits. Two chains of products run
// beside each other, because one multiplication waits for the one before it.
func fastLocalProbe(b *block, product uint32, probes int) byte {
	even, odd := product, product*phi
	found := byte(1)
	for ; probes > 1; probes -= 2 {
		found &= bit(b, even) & bit(b, odd)
		even *= phiSquared
		odd *= phiSquared
	}
	if probes > 0 {
		found &= bit(b, even)
	}
	return found
}

// FastLocalContainsBatch sets bit i%64 of hits[i/64] to FastLocalContains of
// hashes[i], and the bits beyond the last hash in its word to zero.
func FastLocalContainsBatch(hits []uint64, body []byte, probes int, hashes []uint64) {
	blocks := numBlocks(body)
	var (
		index [group]uint32
		first [group]byte // the first probe's bit
	)
	for len(hashes) > 0 {
		keys := hashes[:min(group, len(hashes))]
		for i, hash := range keys {
			n := Block(hash, blocks)
			index[i%group] = n
			first[i%group] = bit(blockAt(body, n), uint32(hash>>32))
		}
		var word uint64
		for i, hash := range keys {
			b := blockAt(body, index[i%group])
			found := first[i%group] & fastLocalProbe(b, uint32(hash>>32)*phi, probes-1)
			word |= uint64(found&1) << (i % group)
		}
		hits[0] = word
		hits, hashes = hits[1:], hashes[len(keys):]
	}
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

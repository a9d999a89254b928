package fallback

import "math/bits"

// A paired filter's blocks form batches of 32 or 128. The low bits of a block's first
// byte, 5 or 7 of them, hold the number in the batch of the block that it is paired
// with; the other bits are Bloom bits. Half of a key's probes look into its own block
// (the primary), half into the paired one (the secondary).
//
// Both halves use the same products, so they look at different bits of them: the
// lower numbered of the two blocks takes the top nine bits of each product, the
// higher numbered the nine bits below, whichever of them is the primary.

// probeSet is where the probes of one block come from. Its two words are
// multiplied by phi from probe to probe.
type probeSet struct {
	top    uint32 // the top nine bits are the position in the block,
	spread uint32 // unless that is an index bit: then these top 23 bits are
}

// position returns the bit of the block that a probe of the set looks at.
func (s probeSet) position(indexBits uint32) uint32 {
	p := s.top >> (32 - positions)
	spread := indexBits + (blockBits-indexBits)*(s.spread>>positions)>>(32-positions)
	if p < indexBits {
		p = spread
	}
	return p
}

func (s probeSet) next() probeSet { return probeSet{s.top * phi, s.spread * phi} }

// bit returns the bit that the set's first probe looks at, in bit 0 with others
// above it.
func (s probeSet) bit(b *block, indexBits uint32) byte {
	p := s.position(indexBits)
	return b[p>>3&(BlockBytes-1)] >> (p & 7)
}

// probe returns 1 in bit 0 if the given number of probes all find their bits.
func (s probeSet) probe(b *block, indexBits uint32, probes int) byte {
	found := byte(1)
	for ; probes > 0; probes-- {
		found &= s.bit(b, indexBits)
		s = s.next()
	}
	return found
}

func (s probeSet) set(b *block, indexBits uint32, probes int) {
	for ; probes > 0; probes-- {
		p := s.position(indexBits)
		b[p>>3&(BlockBytes-1)] |= 1 << (p & 7)
		s = s.next()
	}
}

// batching is how the blocks of a filter are numbered.
type batching struct {
	indexBits uint32
	mask      uint32 // the bits of a block's index that number it in its batch
}

func batchesOf(batchBlocks int) batching {
	return batching{uint32(bits.Len32(uint32(batchBlocks)) - 1), uint32(batchBlocks) - 1}
}

// secondary returns the index of the block that block n is paired with. It is in
// the same batch, whatever the bytes say.
func (bt batching) secondary(b *block, n uint32) uint32 {
	return n&^bt.mask | uint32(b[0])&bt.mask
}

// probeSets returns the probe sets of a hash's primary and secondary block, which
// have the given indexes.
func (bt batching) probeSets(hash uint64, primary, secondary uint32) (own, other probeSet) {
	high := uint32(hash >> 32)
	var shift uint32 // a conditional move: a branch would be unpredictable
	if primary&bt.mask >= secondary&bt.mask {
		shift = positions
	}
	x, y := high<<(shift&31), high<<((positions-shift)&31)
	return probeSet{x, y}, probeSet{y, x}
}

// locate stores the blocks of a group of hashes. It loads every primary block's
// line.
func (bt batching) locate(primary, secondary *[group]uint32, body []byte, hashes []uint64) {
	blocks := numBlocks(body)
	for i, hash := range hashes {
		n := Block(hash, blocks)
		primary[i%group] = n
		secondary[i%group] = bt.secondary(blockAt(body, n), n)
	}
}

// PairedContains reports whether all of a hash's bits are set in its own block
// and in the paired one: probes/2 in each, at least one. The body is whole
// batches.
func PairedContains(body []byte, batchBlocks, probes int, hash uint64) bool {
	bt := batchesOf(batchBlocks)
	n := Block(hash, numBlocks(body))
	b := blockAt(body, n)
	m := bt.secondary(b, n)
	own, other := bt.probeSets(hash, n, m)
	if own.probe(b, bt.indexBits, probes/2)&1 == 0 {
		return false
	}
	return other.probe(blockAt(body, m), bt.indexBits, probes/2)&1 != 0
}

// PairedContainsBatch sets bit i%64 of hits[i/64] to PairedContains of
// hashes[i], and the bits beyond the last hash in its word to zero.
func PairedContainsBatch(body []byte, batchBlocks, probes int, hashes, hits []uint64) {
	bt := batchesOf(batchBlocks)
	half := probes / 2
	var (
		primary, secondary [group]uint32
		survivors          [group]uint8 // the keys that passed their primary block
		first              [group]byte  // the bit of a survivor's first probe in the secondary
	)
	for len(hashes) > 0 {
		keys := hashes[:min(group, len(hashes))]
		bt.locate(&primary, &secondary, body, keys)
		passed := 0
		for i, hash := range keys {
			n := primary[i%group]
			own, _ := bt.probeSets(hash, n, secondary[i%group])
			survivors[passed%group] = uint8(i)
			passed += int(own.probe(blockAt(body, n), bt.indexBits, half) & 1)
		}
		for _, i := range survivors[:passed] {
			m := secondary[i%group]
			_, other := bt.probeSets(keys[i], primary[i%group], m)
			first[i%group] = other.bit(blockAt(body, m), bt.indexBits)
		}
		var word uint64
		for _, i := range survivors[:passed] {
			m := secondary[i%group]
			_, other := bt.probeSets(keys[i], primary[i%group], m)
			found := first[i%group] & other.next().probe(blockAt(body, m), bt.indexBits, half-1)
			word |= uint64(found&1) << (i % group)
		}
		hits[0] = word
		hits, hashes = hits[1:], hashes[len(keys):]
	}
}

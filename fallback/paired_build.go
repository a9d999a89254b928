package fallback

// A paired filter is built in three steps, each over all hashes of some batches:
// PairedCount, PairedSetPairs, PairedAdd.

// PairedCount adds each hash to the count of its block. The counts are those of
// the blocks from the given one on, out of all the filter's blocks, and the
// hashes all belong to them. As in Speedb, counts wrap at 2^16.
func PairedCount(counts []uint16, from, blocks uint32, hashes []uint64) {
	for _, hash := range hashes {
		counts[Block(hash, blocks)-from]++
	}
}

// PairedSetPairs pairs the blocks of every batch, the fullest with the emptiest,
// the second fullest with the second emptiest and so on, and writes each
// block's pair index into the low bits of its first byte. Blocks with the same
// count keep their order. The body is whole batches, and counts are theirs.
func PairedSetPairs(body []byte, batchBlocks int, counts []uint16) {
	mask := byte(batchBlocks - 1)
	for ; len(counts) > 0; body, counts = body[batchBlocks*BlockBytes:], counts[batchBlocks:] {
		ranks := ranked(counts[:batchBlocks])
		var pairs [mostBatchBlocks]uint8
		for i, number := range ranks[:batchBlocks] {
			pairs[number&(mostBatchBlocks-1)] = ranks[batchBlocks-1-i]
		}
		// In memory order: the blocks may be in no cache.
		for number, pair := range pairs[:batchBlocks] {
			b := blockAt(body, uint32(number))
			b[0] = b[0]&^mask | pair
		}
	}
}

const mostBatchBlocks = 128

// ranked returns the numbers of the blocks in the order of their counts. It sorts by
// a byte of the counts at a time, the low one first: in most filters they differ by
// less than 256, and that is all.
func ranked(counts []uint16) (ranks [mostBatchBlocks]uint8) {
	least, most := counts[0], counts[0]
	for i, count := range counts {
		ranks[i&(mostBatchBlocks-1)] = uint8(i)
		least, most = min(least, count), max(most, count)
	}
	for shift := 0; (most-least)>>shift > 0; shift += 8 {
		var next [1 << 8]uint8 // by byte: the next place in the order
		for _, count := range counts {
			next[uint8((count-least)>>shift)]++
		}
		place := uint8(0)
		for i, n := range next[:min((most-least)>>shift, 1<<8-1)+1] {
			next[i] = place
			place += n
		}
		before := ranks
		for _, number := range before[:len(counts)] {
			at := uint8((counts[number] - least) >> shift)
			ranks[next[at]&(mostBatchBlocks-1)] = number
			next[at]++
		}
	}
	return ranks
}

// PairedAdd sets the bits of every hash in its own block and in the one that it
// is paired with by PairedSetPairs.
func PairedAdd(body []byte, batchBlocks, probes int, hashes []uint64) {
	bt := batchesOf(batchBlocks)
	half := probes / 2
	var primary, secondary [group]uint32
	for len(hashes) > 0 {
		keys := hashes[:min(group, len(hashes))]
		bt.locate(&primary, &secondary, body, keys)
		for i, hash := range keys {
			n, m := primary[i%group], secondary[i%group]
			_, other := bt.probeSets(hash, n, m)
			other.set(blockAt(body, m), bt.indexBits, 1)
		}
		for i, hash := range keys {
			n, m := primary[i%group], secondary[i%group]
			own, other := bt.probeSets(hash, n, m)
			own.set(blockAt(body, n), bt.indexBits, half)
			other.next().set(blockAt(body, m), bt.indexBits, half-1)
		}
		hashes = hashes[len(keys):]
	}
}

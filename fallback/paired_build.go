package fallback

import "slices"

// A paired filter is built in three steps, each over all hashes of the batches
// in question: PairedCount, PairedSetPairs, PairedAdd.

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
	const numberBits = 8 // room for a block's number in its batch
	bt := batchesOf(batchBlocks)
	ranks := make([]uint32, 0, 1<<numberBits)
	for ; len(counts) > 0; body, counts = body[batchBlocks*BlockBytes:], counts[batchBlocks:] {
		ranks = ranks[:0]
		for number, count := range counts[:batchBlocks] {
			ranks = append(ranks, uint32(count)<<numberBits|uint32(number))
		}
		slices.Sort(ranks)
		for i, rank := range ranks {
			number := rank & bt.mask
			pair := ranks[batchBlocks-1-i] & bt.mask
			b := blockAt(body, number)
			b[0] = b[0]&^byte(bt.mask) | byte(pair)
		}
	}
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

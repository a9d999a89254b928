package fallback

// Speedb 2.1.0 and 2.1.1 have batches of 128 blocks. Speedb from 2.2 on has batches of 32, under the same name and with
// the same trailer. Only the pair indexes tell them apart: a block names another one of its batch, and that one names
// it.

const (
	// leastPairs is how many blocks must fit a size of batches: random bytes do so with a probability below 1 in 10^9.
	leastPairs = 8
	// A batch of 128, and all blocks that its blocks name.
	mostPairs = mostBatchBlocks
)

// PairedBatches reports which sizes of batches, 32 and 128 blocks, the pair indexes of a paired filter's first blocks
// fit. The body is whole batches of 128. It looks at eight blocks and those that they name, and at up to 128 while both
// sizes fit: as in a filter without keys, in 2 of 100 filters of one key, and in 1 of 1,000 of two.
func PairedBatches(body []byte) (of32, of128 bool) {
	of32, of128 = true, true
	first := (*[mostPairs * BlockBytes]byte)(body)
	for n := uint(0); n < mostPairs && (n < leastPairs || of32 && of128); n++ {
		own := uint(first[n*BlockBytes])
		if !namedBack(first, n, n&^31|own&31, 31) {
			of32 = false
		}
		if !namedBack(first, n, own&127, 127) {
			of128 = false
		}
	}
	return of32, of128
}

// namedBack reports whether the pair of block n is another block, and names n.
func namedBack(first *[mostPairs * BlockBytes]byte, n, pair, mask uint) bool {
	return pair != n && (uint(first[pair%mostPairs*BlockBytes])^n)&mask == 0
}

// PairedContainsEither is PairedContains where both sizes of batches fit: a hash is in the filter if it is by one of
// them.
func PairedContainsEither(body []byte, probes int, hash uint64) bool {
	return PairedContains(body, 128, probes, hash) || PairedContains(body, 32, probes, hash)
}

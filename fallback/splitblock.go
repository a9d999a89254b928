package fallback

import "encoding/binary"

// Parquet's split-block filter is a row of 32-byte blocks, without a trailer. The high half of a hash
// chooses its block. A block is eight words of 32 bits, and the low half chooses a bit in each: the top
// five bits of its product with the word's salt.

// SplitBlockBytes is the size of a split block.
const SplitBlockBytes = 32

// The salts of the eight words (parquet-format, BloomFilter.md).
const (
	splitSalt0 = 0x47b6137b
	splitSalt1 = 0x44974d91
	splitSalt2 = 0x8824ad5b
	splitSalt3 = 0xa2b7289d
	splitSalt4 = 0x705495c7
	splitSalt5 = 0x2df1424b
	splitSalt6 = 0x9efc4947
	splitSalt7 = 0x5c6bfb31
)

// SplitBlockSalts are the salts of the eight words, for code that loads them together.
var SplitBlockSalts = [8]uint32{splitSalt0, splitSalt1, splitSalt2, splitSalt3, splitSalt4, splitSalt5, splitSalt6, splitSalt7}

type splitBlock = [SplitBlockBytes]byte

// SplitBlockOf returns which of the given number of split blocks a hash belongs to.
func SplitBlockOf(hash uint64, blocks uint32) uint32 { return Block(hash>>32, blocks) }

func numSplitBlocks(body []byte) uint32 { return uint32(uint64(len(body)) / SplitBlockBytes) }

func splitBlockAt(body []byte, hash uint64) *splitBlock {
	from := uint(SplitBlockOf(hash, numSplitBlocks(body))) * SplitBlockBytes
	return (*splitBlock)(body[:len(body):len(body)][from : from+SplitBlockBytes])
}

// SplitBlockContains reports whether all of a hash's bits are set, which they are for every hash that
// was added. It has no branch that depends on the data.
func SplitBlockContains(body []byte, hash uint64) bool {
	return splitBlockFound(splitBlockAt(body, hash), uint32(hash)) != 0
}

// splitBlockFound returns 1 if all bits of a hash's low half are set, and 0 otherwise.
func splitBlockFound(b *splitBlock, low uint32) uint32 {
	found := binary.LittleEndian.Uint32(b[0:]) >> (low * splitSalt0 >> 27)
	found &= binary.LittleEndian.Uint32(b[4:]) >> (low * splitSalt1 >> 27)
	found &= binary.LittleEndian.Uint32(b[8:]) >> (low * splitSalt2 >> 27)
	found &= binary.LittleEndian.Uint32(b[12:]) >> (low * splitSalt3 >> 27)
	found &= binary.LittleEndian.Uint32(b[16:]) >> (low * splitSalt4 >> 27)
	found &= binary.LittleEndian.Uint32(b[20:]) >> (low * splitSalt5 >> 27)
	found &= binary.LittleEndian.Uint32(b[24:]) >> (low * splitSalt6 >> 27)
	found &= binary.LittleEndian.Uint32(b[28:]) >> (low * splitSalt7 >> 27)
	return found & 1
}

// SplitBlockContainsBatch sets bit i%64 of hits[i/64] to SplitBlockContains of hashes[i], and the bits
// beyond the last hash in its word to zero.
func SplitBlockContainsBatch(body []byte, hashes, hits []uint64) {
	inGroups(hashes, hits, func(keys []uint64) (word uint64) {
		if len(body) > farFrom {
			loadSplitBlocks(body, keys)
		}
		for i := len(keys) - 1; i >= 0; i-- {
			word = word<<1 | uint64(splitBlockFound(splitBlockAt(body, keys[i]), uint32(keys[i])))
		}
		return word
	})
}

// loadSplitBlocks is loadLines of split blocks.
//
//go:noinline
func loadSplitBlocks(body []byte, hashes []uint64) (all byte) {
	for _, hash := range hashes {
		all |= splitBlockAt(body, hash)[0]
	}
	return all
}

// SplitBlockAdd sets the bits of every hash.
func SplitBlockAdd(body []byte, hashes []uint64) {
	for _, hash := range hashes {
		SplitBlockAddKey(body, hash)
	}
}

// SplitBlockAddKey sets the bits of one hash, and reports whether any was not set before.
func SplitBlockAddKey(body []byte, hash uint64) (isNew bool) {
	b, missing := splitBlockAt(body, hash), uint64(0)
	for i, bits := range splitBlockBits(uint32(hash)) {
		word := binary.LittleEndian.Uint64(b[8*i:])
		missing |= bits &^ word
		binary.LittleEndian.PutUint64(b[8*i:], word|bits)
	}
	return missing != 0
}

// splitBlockBits returns the bits of a hash's low half, two in each word of 64.
func splitBlockBits(low uint32) [SplitBlockBytes / 8]uint64 {
	return [...]uint64{
		splitPair(low*splitSalt0, low*splitSalt1), splitPair(low*splitSalt2, low*splitSalt3),
		splitPair(low*splitSalt4, low*splitSalt5), splitPair(low*splitSalt6, low*splitSalt7),
	}
}

func splitPair(first, second uint32) uint64 { return 1<<(first>>27) | 1<<32<<(second>>27) }

package naive

import "encoding/binary"

// SplitBlockBits returns the bits of the body that a hash looks at, one in each word of its block.
func SplitBlockBits(body []byte, hash uint64) []uint64 { return splitBlockBits(nil, body, hash) }

// splitBlockBits appends them.
func splitBlockBits(all []uint64, body []byte, hash uint64) []uint64 {
	salts := [...]uint32{0x47b6137b, 0x44974d91, 0x8824ad5b, 0xa2b7289d, 0x705495c7, 0x2df1424b, 0x9efc4947, 0x5c6bfb31}
	own := (hash >> 32) * uint64(len(body)/32) >> 32
	for i, salt := range salts {
		all = append(all, 256*own+32*uint64(i)+uint64(uint32(hash)*salt>>27))
	}
	return all
}

// SplitBlockAdd sets a hash's bits.
func SplitBlockAdd(body []byte, hash uint64) {
	var room [mostProbes]uint64
	set(body, splitBlockBits(room[:0], body, hash))
}

// SplitBlockContains reports whether they are set.
func SplitBlockContains(body []byte, hash uint64) bool {
	var room [mostProbes]uint64
	return contains(body, splitBlockBits(room[:0], body, hash))
}

// SplitBlock builds a whole filter of the given number of blocks.
func SplitBlock(blocks int, hashes []uint64) []byte {
	body := make([]byte, 32*blocks)
	for _, hash := range hashes {
		SplitBlockAdd(body, hash)
	}
	return body
}

// SplitBlockFolded returns the filter of half as many blocks, which must be even: each is two of
// before.
func SplitBlockFolded(body []byte) (folded []byte) {
	for at := 0; at < len(body); at += 64 {
		for i := 0; i < 32; i += 8 {
			word := binary.LittleEndian.Uint64(body[at+i:]) | binary.LittleEndian.Uint64(body[at+32+i:])
			folded = binary.LittleEndian.AppendUint64(folded, word)
		}
	}
	return folded
}

package fallback

import "encoding/binary"

// SlicedWord is the number of columns, and of bits of a body, that are transposed together.
const SlicedWord = 64

// SliceBodies makes bodies of one length, a multiple of 8 bytes, the columns from a first one on of a tile whose rows
// are stride bytes apart. All of them, 1 to 64, are in one word of a row: column%64+len(bodies) is at most 64. Other
// columns stay as they are.
func SliceBodies(tile []byte, stride, column int, bodies [][]byte) {
	var square [SlicedWord]uint64
	shift := uint(column) % SlicedWord
	mask := ^uint64(0) >> (SlicedWord - len(bodies)) << shift
	for at := 0; at < len(bodies[0]); at += 8 {
		clear(square[:])
		for i, body := range bodies {
			square[shift+uint(i)] = binary.LittleEndian.Uint64(body[at:])
		}
		Transpose64(&square)
		for bit, word := range square {
			row := tile[(8*at+bit)*stride+column/SlicedWord*8:]
			binary.LittleEndian.PutUint64(row, binary.LittleEndian.Uint64(row)&^mask|word)
		}
	}
}

// UnsliceBodies is the reverse of [SliceBodies]: it writes all bytes of the bodies.
func UnsliceBodies(bodies [][]byte, tile []byte, stride, column int) {
	var square [SlicedWord]uint64
	for at := 0; at < len(bodies[0]); at += 8 {
		for bit := range square {
			square[bit] = binary.LittleEndian.Uint64(tile[(8*at+bit)*stride+column/SlicedWord*8:])
		}
		Transpose64(&square)
		for i, body := range bodies {
			binary.LittleEndian.PutUint64(body[at:], square[column%SlicedWord+i])
		}
	}
}

// Transpose64 transposes 64 x 64 bits: bit j of word i becomes bit i of word j.
func Transpose64(x *[SlicedWord]uint64) {
	swapBits(x, 32, 0x00000000ffffffff)
	swapBits(x, 16, 0x0000ffff0000ffff)
	swapBits(x, 8, 0x00ff00ff00ff00ff)
	swapBits(x, 4, 0x0f0f0f0f0f0f0f0f)
	swapBits(x, 2, 0x3333333333333333)
	swapBits(x, 1, 0x5555555555555555)
}

// swapBits swaps the bits above the mask of each word with those in the mask of the word that is distance further.
func swapBits(x *[SlicedWord]uint64, distance uint, mask uint64) {
	for i := uint(0); i < SlicedWord; i = (i + distance + 1) &^ distance {
		low, high := &x[i%SlicedWord], &x[(i+distance)%SlicedWord]
		differ := (*low>>distance ^ *high) & mask
		*low ^= differ << distance
		*high ^= differ
	}
}

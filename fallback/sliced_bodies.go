package fallback

import "encoding/binary"

// squareSide is the number of columns, and of bits of their bodies, that are transposed together.
const squareSide = 64

type square = [squareSide]uint64

// SliceBodies makes bodies of one length, a multiple of 8 bytes, the columns from a first one on of a tile whose rows
// are stride bytes apart. Other columns stay as they are.
func SliceBodies(tile []byte, stride, column int, bodies [][]byte) {
	EachPiece(column, bodies, squareSide, func(from, end, column int, bodies [][]byte) {
		slicePiece(tile, stride, from, end, column, bodies)
	})
}

// UnsliceBodies is the reverse of [SliceBodies]: it writes all bytes of the bodies.
func UnsliceBodies(bodies [][]byte, tile []byte, stride, column int) {
	EachPiece(column, bodies, squareSide, func(from, end, column int, bodies [][]byte) {
		unslicePiece(tile, stride, from, end, column, bodies)
	})
}

// PieceBytes is the size of the pieces of a body that are transposed together.
const PieceBytes = 64

// EachPiece calls f with the bodies whose columns have the same number divided by together, a piece of them after the
// other, so that the lines of the rows that a piece of bodies becomes stay in the cache for all of them.
func EachPiece(column int, bodies [][]byte, together int, f func(from, end, column int, bodies [][]byte)) {
	for from, size := 0, len(bodies[0]); from < size; from += PieceBytes {
		for i := 0; i < len(bodies); {
			n := min(together-(column+i)%together, len(bodies)-i)
			f(from, min(from+PieceBytes, size), column+i, bodies[i:i+n])
			i += n
		}
	}
}

func slicePiece(tile []byte, stride, from, end, column int, bodies [][]byte) {
	var words square
	shift := column % squareSide
	mask := ^uint64(0) >> (squareSide - len(bodies)) << shift
	for ; from < end; from += 8 {
		clear(words[:])
		to := words[shift : shift+len(bodies)]
		for i, body := range bodies {
			to[i] = binary.LittleEndian.Uint64(body[from:])
		}
		transpose(&words)
		at := 8*from*stride + column/squareSide*8
		for _, word := range &words {
			row := tile[at:]
			binary.LittleEndian.PutUint64(row, binary.LittleEndian.Uint64(row)&^mask|word)
			at += stride
		}
	}
}

func unslicePiece(tile []byte, stride, from, end, column int, bodies [][]byte) {
	var words square
	for ; from < end; from += 8 {
		at := 8*from*stride + column/squareSide*8
		for i := range words {
			words[i] = binary.LittleEndian.Uint64(tile[at:])
			at += stride
		}
		transpose(&words)
		for i, word := range words[column%squareSide:][:len(bodies)] {
			binary.LittleEndian.PutUint64(bodies[i][from:], word)
		}
	}
}

// TransposeWords transposes a matrix of bits: 64 for each word of a row of src, and a multiple of 64 rows. Bit i of
// word j of row r becomes bit r%64 of word r/64 of row 64*j+i of dst. Rows of dst may be further apart than they are
// long.
func TransposeWords(dst []uint64, dstWords int, src []uint64, srcWords int) {
	var words square
	for at := 0; len(src) > 0; at, src = at+1, src[squareSide*srcWords:] {
		for j := range srcWords {
			for i := range words {
				words[i] = src[i*srcWords+j]
			}
			transpose(&words)
			for i, word := range words {
				dst[(squareSide*j+i)*dstWords+at] = word
			}
		}
	}
}

// transpose makes bit j of word i bit i of word j. It swaps quarters of the square, then quarters of these, and so on:
// three times in words that are 8 apart, and three times in 8 neighbours, which are in registers meanwhile.
func transpose(words *square) {
	const eighth = squareSide / 8
	for i := range eighth {
		w := (*[squareSide - eighth + 1]uint64)(words[i:])
		a, b, c, d := w[0*eighth], w[1*eighth], w[2*eighth], w[3*eighth]
		e, f, g, h := w[4*eighth], w[5*eighth], w[6*eighth], w[7*eighth]
		a, e = swapped(a, e, 32, 0x00000000ffffffff)
		b, f = swapped(b, f, 32, 0x00000000ffffffff)
		c, g = swapped(c, g, 32, 0x00000000ffffffff)
		d, h = swapped(d, h, 32, 0x00000000ffffffff)
		a, c = swapped(a, c, 16, 0x0000ffff0000ffff)
		b, d = swapped(b, d, 16, 0x0000ffff0000ffff)
		e, g = swapped(e, g, 16, 0x0000ffff0000ffff)
		f, h = swapped(f, h, 16, 0x0000ffff0000ffff)
		w[0*eighth], w[1*eighth] = swapped(a, b, 8, 0x00ff00ff00ff00ff)
		w[2*eighth], w[3*eighth] = swapped(c, d, 8, 0x00ff00ff00ff00ff)
		w[4*eighth], w[5*eighth] = swapped(e, f, 8, 0x00ff00ff00ff00ff)
		w[6*eighth], w[7*eighth] = swapped(g, h, 8, 0x00ff00ff00ff00ff)
	}
	for i := 0; i < squareSide; i += eighth {
		w := (*[eighth]uint64)(words[i:])
		a, b, c, d, e, f, g, h := w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7]
		a, e = swapped(a, e, 4, 0x0f0f0f0f0f0f0f0f)
		b, f = swapped(b, f, 4, 0x0f0f0f0f0f0f0f0f)
		c, g = swapped(c, g, 4, 0x0f0f0f0f0f0f0f0f)
		d, h = swapped(d, h, 4, 0x0f0f0f0f0f0f0f0f)
		a, c = swapped(a, c, 2, 0x3333333333333333)
		b, d = swapped(b, d, 2, 0x3333333333333333)
		e, g = swapped(e, g, 2, 0x3333333333333333)
		f, h = swapped(f, h, 2, 0x3333333333333333)
		w[0], w[1] = swapped(a, b, 1, 0x5555555555555555)
		w[2], w[3] = swapped(c, d, 1, 0x5555555555555555)
		w[4], w[5] = swapped(e, f, 1, 0x5555555555555555)
		w[6], w[7] = swapped(g, h, 1, 0x5555555555555555)
	}
}

// swapped swaps a's bits at the mask, shifted up by the distance, with b's bits at the mask.
func swapped(a, b uint64, by uint, mask uint64) (x, y uint64) {
	differ := (a>>by ^ b) & mask
	return a ^ differ<<by, b ^ differ
}

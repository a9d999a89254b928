package fallback

import (
	"encoding/binary"
	"math/bits"
)

// In a sliced tile, a bit of many filters' bodies is a row: row r has bit r%8 of byte r/8 of every body, which is a
// column. Column c is bit c%8 of a row's byte c/8. Rows are at multiples of a stride. So the AND of
// a hash's rows has a bit for each filter of a tile that may contain it.

const (
	chunkBytes  = 64 // of a row, of which a loop keeps the AND in registers
	chunkWords  = chunkBytes / 8
	listedWords = 64 // of a row, whose set bits are listed together
)

// AppendSlicedHits appends to dst, for each column whose bit is set in every row, first plus the number of the column,
// in ascending order. The rows, at least one, are byte offsets in the tile. Each has rowBytes bytes, a multiple of 8.
func AppendSlicedHits(dst []int, tile []byte, rows []uint64, rowBytes, first int) []int {
	if rowBytes < chunkBytes {
		for at := 0; at < rowBytes; at += 8 {
			dst = appendSetBits(dst, andWord(tile[at:], rows), first+8*at)
		}
		return dst
	}
	var words [listedWords]uint64
	for at := 0; at < rowBytes; at += 8 * listedWords {
		part := words[:min(listedWords, (rowBytes-at)/8)]
		AndSliced(part, tile[at:], rows)
		dst = appendWords(dst, part, first+8*at)
	}
	return dst
}

// appendWords appends the numbers of the bits that are set in at most listedWords words, counted from first on. It
// lists the words that are not 0 without a branch, which would often be mispredicted. (One more place in the list is
// for the compiler: with a remainder as the index it makes a branch again.)
func appendWords(dst []int, words []uint64, first int) []int {
	var list [listedWords + 1]uint8
	n := 0
	for i, word := range words {
		list[n] = uint8(i)
		if word != 0 {
			n++
		}
	}
	for _, i := range list[:n] {
		dst = appendSetBits(dst, words[i], first+64*int(i))
	}
	return dst
}

func appendSetBits(dst []int, word uint64, first int) []int {
	for ; word != 0; word &= word - 1 {
		dst = append(dst, first+bits.TrailingZeros64(word))
	}
	return dst
}

// AndSliced sets each word of dst to the AND of the rows' words: of their first eight bytes, of the next ones, and so
// on. The rows, at least one, are byte offsets in the tile.
func AndSliced(dst []uint64, tile []byte, rows []uint64) {
	for ; len(dst) >= chunkWords; dst, tile = dst[chunkWords:], tile[chunkBytes:] {
		andChunk((*[chunkWords]uint64)(dst), tile, rows)
	}
	for i := range dst {
		dst[i] = andWord(tile[8*i:], rows)
	}
}

// AndSlicedKeys is AndSliced for every key: key i has the given number of probes, rows[i*probes:(i+1)*probes], and its
// answer, of the given number of words, is dst[i*words:(i+1)*words].
func AndSlicedKeys(dst []uint64, tile []byte, rows []uint64, probes, words int) {
	for ; len(rows) > 0; rows, dst = rows[probes:], dst[words:] {
		AndSliced(dst[:words], tile, rows[:probes])
	}
}

func andWord(tile []byte, rows []uint64) uint64 {
	word := ^uint64(0)
	for _, row := range rows {
		word &= binary.LittleEndian.Uint64(tile[row:])
	}
	return word
}

func andChunk(dst *[chunkWords]uint64, tile []byte, rows []uint64) {
	row := (*[chunkBytes]byte)(tile[rows[0]:])
	a, b := binary.LittleEndian.Uint64(row[0:]), binary.LittleEndian.Uint64(row[8:])
	c, d := binary.LittleEndian.Uint64(row[16:]), binary.LittleEndian.Uint64(row[24:])
	e, f := binary.LittleEndian.Uint64(row[32:]), binary.LittleEndian.Uint64(row[40:])
	g, h := binary.LittleEndian.Uint64(row[48:]), binary.LittleEndian.Uint64(row[56:])
	for _, at := range rows[1:] {
		row := (*[chunkBytes]byte)(tile[at:])
		a &= binary.LittleEndian.Uint64(row[0:])
		b &= binary.LittleEndian.Uint64(row[8:])
		c &= binary.LittleEndian.Uint64(row[16:])
		d &= binary.LittleEndian.Uint64(row[24:])
		e &= binary.LittleEndian.Uint64(row[32:])
		f &= binary.LittleEndian.Uint64(row[40:])
		g &= binary.LittleEndian.Uint64(row[48:])
		h &= binary.LittleEndian.Uint64(row[56:])
	}
	*dst = [chunkWords]uint64{a, b, c, d, e, f, g, h}
}

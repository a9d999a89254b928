package keyhash

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"slices"
	"unsafe"

	"github.com/simdbloom/simdbloom/asm"
)

// Column is many values as databases have them in memory: numbers one behind the other, or strings as
// Apache Arrow has them, with or without nulls, or strings anywhere in a text. [Values], [Strings] and [Spans] return
// it.
//
// It refers to memory of the caller, which must not change while the Column is used. It is a small
// value that may be copied and used by any number of goroutines at once. The zero Column has no values.
type Column struct {
	halves  []uint32    // values of 4 bytes, or offsets of 4
	words   []uint64    // of 8
	data    []byte      // of strings
	spans   [][2]uint32 // of strings anywhere in data
	strings bool        // one behind the other
	valid   []byte      // has a bit for each value, or is nil if no value is null
	first   int         // the bit of the first value
}

// Values returns the column of these numbers. A number's hash is computed from its 4 or 8 little-endian
// bytes: of 8, by [Hash.SumUint64]. With [XX64] these are the hashes of Parquet's
// INT32, INT64, FLOAT and DOUBLE.
//
// A number has different hashes in 4 and in 8 bytes: look values up in the size that they were added
// in. Of floating-point numbers the bits are hashed. So 0 and -0 differ, and so do NaNs with different
// bits: replace them first if they are to be the same.
func Values[T ~int32 | ~uint32 | ~int64 | ~uint64 | ~float32 | ~float64](values []T) Column {
	first := unsafe.Pointer(unsafe.SliceData(values))
	if unsafe.Sizeof(*new(T)) == 4 {
		return Column{halves: unsafe.Slice((*uint32)(first), len(values))}
	}
	return Column{words: unsafe.Slice((*uint64)(first), len(values))}
}

// Strings returns the column of the strings whose bytes are data[offsets[i]:offsets[i+1]]: of one value
// less than there are offsets, or of none without offsets. This is the layout of Arrow's String and
// Binary, and with int64 of LargeString and LargeBinary. [Hash.Sum64] hashes a string's
// bytes.
//
// It reads all offsets, at less than a nanosecond each. It is an error if one is negative, less than the one
// before it, or beyond the data. (If one becomes so later, hashing panics, and reads nothing beyond the data.)
func Strings[O ~int32 | ~int64](offsets []O, data []byte) (Column, error) {
	if len(offsets) == 0 {
		return Column{}, nil
	}
	// Where no offset is negative, no difference overflows.
	before, negative := offsets[0], offsets[0]
	for _, offset := range offsets[1:] {
		negative |= offset | (offset - before)
		before = offset
	}
	if negative < 0 || uint64(before) > uint64(len(data)) {
		return Column{}, badOffset(offsets, len(data))
	}
	c := Column{data: data[:len(data):len(data)], strings: true} // no offset that changes may reach its capacity
	first := unsafe.Pointer(unsafe.SliceData(offsets))
	if unsafe.Sizeof(before) == 4 {
		c.halves = unsafe.Slice((*uint32)(first), len(offsets))
	} else {
		c.words = unsafe.Slice((*uint64)(first), len(offsets))
	}
	return c, nil
}

// badOffset returns the error about the first offset that is wrong.
func badOffset[O ~int32 | ~int64](offsets []O, size int) error {
	before := O(0)
	for i, offset := range offsets {
		if offset < before || uint64(offset) > uint64(size) {
			return fmt.Errorf("keyhash: offset %d of %d is %d, want %d to %d", i, len(offsets), offset, before, size)
		}
		before = offset
	}
	return fmt.Errorf("keyhash: offsets have changed while they were read")
}

// Spans returns the column of the strings whose bytes are data[spans[i][0]:spans[i][1]], anywhere in the data: the
// lines of a text, or fields of its rows, which need no slice each. [Hash.Sum64] hashes a string's bytes.
//
// Hashing panics if a span is not in the data, also if it became so later, and reads nothing beyond.
func Spans(spans [][2]uint32, data []byte) Column {
	return Column{spans: spans, data: data[:len(data):len(data)]}
}

// WithValidity returns the column of the same values, of which some are null: value i is not null if bit
// (offset+i)%8 of validity[(offset+i)/8] is set, as in Arrow. A nil bitmap means that no value is null. The
// offset counts bits: an Arrow array has one, since its bitmap is not sliced.
//
// It panics if the offset is negative, or if the bitmap has less than offset+Len bits.
func (c Column) WithValidity(validity []byte, offset int) Column {
	if validity == nil {
		c.valid, c.first = nil, 0
		return c
	}
	if n := c.Len(); offset < 0 || uint64(offset)+uint64(n) > 8*uint64(len(validity)) {
		panic(fmt.Sprintf("keyhash: a validity bitmap of %d bytes does not have %d bits from bit %d on", len(validity), n, offset))
	}
	c.valid, c.first = validity[offset/8:], offset%8
	return c
}

// Len returns the number of values, nulls included.
func (c Column) Len() int {
	if c.strings {
		return max(len(c.halves), len(c.words)) - 1
	}
	return max(len(c.halves), len(c.words), len(c.spans))
}

// Slice returns the column of the values from index from up to index to, for example one for each
// goroutine. It copies nothing, and panics if there are no such values.
func (c Column) Slice(from, to int) Column {
	if from < 0 || to < from || to > c.Len() {
		panic(fmt.Sprintf("keyhash: a column of %d values has no slice [%d:%d]", c.Len(), from, to))
	}
	end := to
	if c.strings {
		end++ // the end of the last string
	}
	if len(c.halves) > 0 {
		c.halves = c.halves[from:end]
	} else if len(c.words) > 0 {
		c.words = c.words[from:end]
	} else if len(c.spans) > 0 {
		c.spans = c.spans[from:end]
	}
	c.first += from
	return c
}

// ValidBits sets bit i%64 of valid[i/64] to whether value i is not null, the rest of the last word to
// zero, and no later words: the layout of ContainsHashBits. It panics if valid has less than a bit for each
// value, before it writes anything.
func (c Column) ValidBits(valid []uint64) {
	n := c.Len()
	if len(valid) < (n+63)/64 {
		panic(fmt.Sprintf("keyhash: len(valid) is %d, but %d values need %d words", len(valid), n, (n+63)/64))
	}
	for i := 0; i < n; i += 64 {
		valid[i/64] = c.validWord(i, n)
	}
}

// validWord returns the bits of up to 64 of n values, from one on.
func (c *Column) validWord(from, n int) uint64 {
	rest := ^uint64(0) >> (64 - min(64, n-from))
	if c.valid == nil {
		return rest
	}
	bit := c.first + from
	eight := c.valid[bit/8:]
	if len(eight) <= 8 {
		var last [9]byte
		copy(last[:], eight)
		eight = last[:]
	}
	return (binary.LittleEndian.Uint64(eight)>>(bit%8) | uint64(eight[8])<<(64-bit%8)) & rest
}

// AppendColumn appends the hash of every value that is not null to dst, in order, and returns the
// extended slice. For a hash of every value, take the column without its bitmap:
// c.WithValidity(nil, 0).
//
// The hashes of a []uint64 may replace it: h.AppendColumn(keys[:0], Values(keys)). Otherwise dst must share no memory
// with the column.
//
// It allocates only if dst has less room than for all values. With [XX64] and AVX-512, a number costs
// less than a nanosecond, and a string of up to 255 bytes a few, whatever the lengths of its neighbours. Nulls take up
// to a nanosecond a value more.
func (h Hash) AppendColumn(dst []uint64, c Column) []uint64 {
	if h.alg == nil {
		panicZero()
	}
	from, n := len(dst), c.Len()
	dst = slices.Grow(dst, n)[:from+n]
	h.alg.sumsColumn(dst[from:], &c)
	if c.valid == nil {
		return dst
	}
	return dst[:from+c.dropNulls(dst[from:])]
}

// sumsColumn sets the sums of all values; a null's is the sum of whatever is in its place.
func (a *algorithm) sumsColumn(sums []uint64, c *Column) {
	switch {
	case len(c.spans) > 0:
		sumsSpans(a, sums, c.spans, c.data)
	case c.strings && len(c.halves) > 0:
		sumsStrings(a, sums, c.halves, c.data)
	case c.strings:
		sumsStrings(a, sums, c.words, c.data)
	case len(c.halves) > 0:
		a.sumsUint32(sums, c.halves)
	default:
		a.sumsUint64(sums, c.words)
	}
}

// dropNulls moves the hashes of values that are not null to the front, and returns their number.
func (c *Column) dropNulls(sums []uint64) int {
	kept, n := 0, len(sums)
	for i := 0; i < n; i += 64 {
		valid := c.validWord(i, n)
		if valid == ^uint64(0) {
			kept += copy(sums[kept:], sums[i:i+64])
			continue
		}
		for ; valid != 0; valid &= valid - 1 {
			sums[kept] = sums[i+bits.TrailingZeros64(valid)]
			kept++
		}
	}
	return kept
}

// together is how many strings of a column are hashed at a time, as keys.
const together = 64

// sumsStrings sets the sums of strings one behind the other.
func sumsStrings[O uint32 | uint64](a *algorithm, sums []uint64, offsets []O, data []byte) {
	if a.kind == asm.XX64 {
		asm.HashStrings(sums, offsets, data)
		return
	}
	a.sumsOf(sums, func(i int) []byte { return data[offsets[i]:offsets[i+1]] })
}

// sumsSpans sets the sums of strings anywhere in the data.
func sumsSpans(a *algorithm, sums []uint64, spans [][2]uint32, data []byte) {
	if a.kind == asm.XX64 {
		asm.HashSpans(sums, spans, data)
		return
	}
	a.sumsOf(sums, func(i int) []byte { return data[spans[i][0]:spans[i][1]] })
}

// sumsOf sets the sums of keys, a few at a time.
func (a *algorithm) sumsOf(sums []uint64, key func(i int) []byte) {
	var keys [together][]byte
	for from := 0; from < len(sums); from += len(keys) {
		n := min(together, len(sums)-from)
		for i := range keys[:n] {
			keys[i] = key(from + i)
		}
		a.sums(sums[from:from+n], keys[:n])
	}
}

package bitsandblooms_test

import (
	"encoding/binary"
	"errors"
	"math"
	"math/bits"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/bitsandblooms"
	"github.com/simdbloom/simdbloom/internal/test/naive"
)

// TestBitsBehindAShortBitset: where the bitset is shorter than m, each bit that is set behind it is found, the very
// next one included. A bitset that ends with a word has none.
func TestBitsBehindAShortBitset(t *testing.T) {
	for _, length := range []uint64{1, 2, 37, 63, 64, 65, 127, 128} {
		words := make([]uint64, (length+63)/64)
		f := &naive.BitsAndBlooms{M: length + 1, K: 1, Length: length, Words: words}
		for bit := range uint64(64) * uint64(len(words)) {
			words[bit/64] = 1 << (bit % 64)
			for _, order := range []binary.AppendByteOrder{binary.BigEndian, binary.LittleEndian} {
				_, err := bitsandblooms.Open(f.Append(nil, order))
				if wrong := bit >= length; wrong != errors.Is(err, simdbloom.ErrCorrupt) {
					t.Errorf("a bitset of %d bits, bit %d is set: %v", length, bit, err)
				}
			}
			words[bit/64] = 0
		}
	}
}

// TestLengthsNearTwoTo64 of a bitset are found to be too long, in either order, and not a few words.
func TestLengthsNearTwoTo64(t *testing.T) {
	for _, length := range []uint64{math.MaxUint64, math.MaxUint64 - 62, math.MaxUint64 - 63, 1 << 63, 1<<63 + 1, 1<<63 - 1} {
		for _, m := range []uint64{1, 64, length} {
			data := binary.BigEndian.AppendUint64(nil, m)
			data = binary.BigEndian.AppendUint64(data, 1)
			data = append(binary.BigEndian.AppendUint64(data, length), make([]byte, 64)...)
			f, err := bitsandblooms.Open(data)
			if little := bits.ReverseBytes64(length); little <= 512 {
				continue // it fits in the other order
			}
			if !errors.Is(err, simdbloom.ErrCorrupt) {
				t.Errorf("a bitset of %d bits, m %d: %v, %v", length, m, f, err)
			}
		}
	}
}

// TestImpossibleRates are errors that say what is possible.
func TestImpossibleRates(t *testing.T) {
	for _, test := range []struct {
		n    uint64
		rate float64
	}{{0, 0.01}, {100, 0}, {100, -1}, {100, 1}, {100, 2}, {100, math.Inf(1)}, {100, math.NaN()}} {
		if f, err := bitsandblooms.NewForRate(test.n, test.rate); f != nil || err == nil || !strings.Contains(err.Error(), "the rate above 0 and below 1") {
			t.Errorf("%d keys at a rate of %v: %v", test.n, test.rate, err)
		}
	}
}

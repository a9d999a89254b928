package bitsandblooms_test

import (
	"encoding/binary"
	"errors"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/bitsandblooms"
	"github.com/simdbloom/simdbloom/internal/test/naive"
	"github.com/simdbloom/simdbloom/internal/test/testmem"
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

// TestBitsAbove2To63: filters whose m is so large that few of their bits are there have the answers of a naive one, and
// a rate. None can be made, and the error has the number of bits.
func TestBitsAbove2To63(t *testing.T) {
	for _, m := range []uint64{1<<63 - 1, 1 << 63, 1<<63 + 1, 1<<63 + 1<<62, math.MaxUint64 - 63, math.MaxUint64} {
		for _, length := range []uint64{1, 64, 1000} {
			want := &naive.BitsAndBlooms{M: m, K: 3, Length: length, Words: make([]uint64, (length+63)/64)}
			data := want.Append(nil, binary.BigEndian)
			testmem.BesideGuards(t, data, func(data []byte) {
				f := open(t, data)
				for i := range 100 {
					if key := binary.LittleEndian.AppendUint64(nil, uint64(i)); f.Contains(key) != want.Contains(naive.BitsAndBloomsHash(key)) {
						t.Errorf("m %d, %d bits, key %d: %v", m, length, i, f.Contains(key))
					}
				}
				if f.M() != m || f.EstimatedFPR() != 0 || f.EstimatedKeys() != 0 {
					t.Errorf("m %d, %d bits: %d, rate %v, %v keys", m, length, f.M(), f.EstimatedFPR(), f.EstimatedKeys())
				}
			})
		}
		if f, err := bitsandblooms.New(m, 1); f != nil || !errors.Is(err, simdbloom.ErrTooLarge) || !strings.Contains(err.Error(), strconv.FormatUint(m, 10)) {
			t.Errorf("m %d: %v", m, err)
		}
	}
	for n := uint64(1e18); n < 2e18; n += 1e17 { // 2^62.9 to 2^63.9
		m := uint64(math.Ceil(-1 * float64(n) * math.Log(0.01) / math.Pow(math.Log(2), 2)))
		if _, err := bitsandblooms.NewForRate(n, 0.01); !errors.Is(err, simdbloom.ErrTooLarge) || !strings.Contains(err.Error(), strconv.FormatUint(m, 10)) {
			t.Errorf("%d keys: %v, want %d bits", n, err, m)
		}
	}
}

// TestImpossibleNumbers are errors that say what is possible.
func TestImpossibleNumbers(t *testing.T) {
	for _, test := range []struct {
		n    uint64
		rate float64
	}{{0, 0.01}, {100, 0}, {100, -1}, {100, 1}, {100, 2}, {100, math.Inf(1)}, {100, math.NaN()}} {
		if f, err := bitsandblooms.NewForRate(test.n, test.rate); f != nil || err == nil || !strings.Contains(err.Error(), "the rate above 0 and below 1") {
			t.Errorf("%d keys at a rate of %v: %v", test.n, test.rate, err)
		}
	}
}

func TestTooFewHits(t *testing.T) {
	f := open(t, header(1, 0, 0, 0))
	hits := make([]bool, 199)
	for _, look := range []func(){
		func() { f.ContainsKeys(make([][]byte, 200), hits) },
		func() { f.ContainsHashes(make([]bitsandblooms.Hash, 200), hits) },
	} {
		func() {
			defer func() {
				if recover() == nil || slices.Contains(hits, true) {
					t.Error("no panic, or answers before it")
				}
			}()
			look()
		}()
	}
}

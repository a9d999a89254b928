package dcso

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"runtime"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/classic"
)

// Verify finds contradictions, since a filter has no checksum: m and k must follow from n and p, no bits may be
// set behind m, and no more bits than Keys can have set. It reads the whole filter. The error wraps
// [simdbloom.ErrCorrupt]. Most flipped bits of the header are found, and few others.
//
// All tools write such filters. Others may open, if another program chose m or k otherwise.
func (f *Filter) Verify() error {
	corrupt := func(format string, values ...any) error {
		return fmt.Errorf("dcso: %w: %s", simdbloom.ErrCorrupt, fmt.Sprintf(format, values...))
	}
	if !f.isPlausible() {
		m := math.Floor(bitsFor(f.capacity, f.rate))
		return corrupt("m is %d and k is %d, but %d keys at a rate of %v have %.0f and %.0f", f.bits, f.k, f.capacity, f.rate, m, probesFor(m, f.capacity))
	}
	if beyond := f.bits % 64; beyond > 0 && f.word(int(f.bits/64))>>beyond != 0 {
		return corrupt("bits are set behind m")
	}
	// Where filters were joined, Poppy rounds its estimate of the number of keys down.
	if high, most := bits.Mul64(f.Keys(), uint64(f.k)); high == 0 {
		if ones := f.ones(); ones > most && ones-most > uint64(f.k) {
			return corrupt("%d bits are set, more than %d keys can set", ones, f.Keys())
		}
	}
	runtime.KeepAlive(f)
	return nil
}

// word returns a word of the bits.
func (f *Filter) word(i int) uint64 {
	return binary.LittleEndian.Uint64(f.data[f.words+classic.WordBytes*i:])
}

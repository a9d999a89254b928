package stored_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/cespare/xxhash/v2"

	"github.com/simdbloom/simdbloom/internal/formats/contents"
	"github.com/simdbloom/simdbloom/internal/stored"
)

// TestHeadersWithRightChecksums: what no writer writes is an error although the header's checksum is right, and limits
// themselves are not.
func TestHeadersWithRightChecksums(t *testing.T) {
	f := newFile(t, 69)
	names := len(f.Format) + len(f.Hash)
	padded := (40 + names + 7) / 8 * 8
	checked := padded + 8 // one piece
	if padded == 40+names || int(f.Offset) == checked+8 {
		t.Fatal("nothing is zero")
	}
	number := func(at int, v uint64) func([]byte) {
		return func(data []byte) { binary.LittleEndian.PutUint64(data[at:], v) }
	}
	float := func(v float64) func([]byte) { return number(32, math.Float64bits(v)) }
	for what, c := range map[string]struct {
		change func([]byte)
		isTrue bool
	}{
		"no key":                    {number(24, 0), true},
		"2^63-1 keys":               {number(24, math.MaxInt64), true},
		"2^63 keys":                 {number(24, 1<<63), false},
		"2^64-2 keys":               {number(24, math.MaxUint64-1), false},
		"unknown keys":              {number(24, math.MaxUint64), true},
		"0 bits per key":            {float(0), true},
		"the most bits per key":     {float(math.MaxFloat64), true},
		"-0 bits per key":           {float(math.Copysign(0, -1)), false},
		"infinite bits per key":     {float(math.Inf(1)), false},
		"NaN bits per key":          {float(math.NaN()), false},
		"a byte behind the names":   {func(data []byte) { data[padded-1] = 1 }, false},
		"a byte before the filter":  {func(data []byte) { data[f.Offset-1] = 1 }, false},
		"a byte behind the sum":     {func(data []byte) { data[checked+8] = 1 }, false},
		"another hash's name":       {func(data []byte) { data[40+names-1]++ }, false},
		"a hash without a name":     {func(data []byte) { data[14] = 0 }, false},
		"a name without a hash":     {func(data []byte) { data[12], data[14] = data[12]-data[14], 0; clear(data[40+data[12] : padded]) }, false},
		"a name that begins before": {func(data []byte) { data[12], data[14] = data[12]-1, data[14]+1 }, false},
	} {
		data := bytesOf(f)
		c.change(data)
		binary.LittleEndian.PutUint64(data[checked:], xxhash.Sum64(data[:checked]))
		for name, read := range readers {
			if _, err := read(data); (err == nil) != c.isTrue || err != nil && !errors.Is(err, contents.ErrCorrupt) {
				t.Errorf("%s, %s: %v", what, name, err)
			}
		}
		if _, err := stored.ReadInfo(bytes.NewReader(data)); (err == nil) != c.isTrue || err != nil && !errors.Is(err, contents.ErrCorrupt) {
			t.Errorf("%s, ReadInfo: %v", what, err)
		}
	}
	for n := range int(f.Offset) {
		if _, err := stored.ReadInfo(bytes.NewReader(bytesOf(f)[:n])); !errors.Is(err, contents.ErrCorrupt) {
			t.Errorf("ReadInfo of %d bytes: %v", n, err)
		}
	}
}

// TestErrorsNameThePiece that is wrong, and its bytes.
func TestErrorsNameThePiece(t *testing.T) {
	for _, c := range []struct {
		flipped int
		says    string
	}{
		{1, "piece 0 of 4, bytes 0 to 65535 of the filter"},
		{2*stored.PieceBytes - 1, "piece 1 of 4, bytes 65536 to 131071 of the filter"},
		{3*stored.PieceBytes + 9, "piece 3 of 4, bytes 196608 to 196617 of the filter"},
	} {
		f := newFile(t, 3*stored.PieceBytes+10)
		f.Body[c.flipped] ^= 1
		if err := f.Begin(false); err == nil || !strings.Contains(err.Error(), c.says) || !errors.Is(err, contents.ErrCorrupt) {
			t.Errorf("%v, want %s", err, c.says)
		}
	}
}

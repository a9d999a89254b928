package fuzz

import (
	"encoding/binary"
	"slices"
	"testing"
	"unsafe"

	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/internal/test/testmem"
	"github.com/simdbloom/simdbloom/keyhash"
)

// FuzzColumn takes arbitrary bytes for numbers, for offsets into data, and for a validity bitmap. Right beside
// unreadable pages, at every level, columns have the hashes of their values' bytes, or offsets are an error.
// Bytes of the offsets then change: hashing may panic, but reads nothing beyond the data.
func FuzzColumn(f *testing.F) {
	f.Add([]byte{0, 0, 0, 0, 5, 0, 0, 0, 5, 0, 0, 0, 11, 0, 0, 0}, []byte("helloworld!"), []byte{0b101}, uint8(0))
	f.Add([]byte{1, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0}, []byte("four"), []byte{0, 0xff}, uint8(7))
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 0, 0, 0, 0, 0, 0, 0x80}, []byte("x"), []byte{}, uint8(1))
	short := make([]byte, 0, 4*40) // strings of 0 to 9 bytes: kernels take eight
	for i := range uint32(40) {
		short = binary.LittleEndian.AppendUint32(short, i*i/4)
	}
	f.Add(short, make([]byte, 400), []byte{0x55, 0xaa, 0xff, 0, 1}, uint8(3))
	f.Fuzz(func(t *testing.T, memory, data, validity []byte, first uint8) {
		memory, data = memory[:min(len(memory), 1<<13)&^7], data[:min(len(data), 1<<12)]
		testmem.BesideGuards(t, memory, func(memory []byte) {
			testmem.BesideGuards(t, data, func(data []byte) {
				narrow, wide := testmem.HalfWords(memory), testmem.Words(memory)
				var fours, eights [][]byte
				for _, number := range narrow {
					fours = append(fours, binary.LittleEndian.AppendUint32(nil, number))
				}
				for _, number := range wide {
					eights = append(eights, binary.LittleEndian.AppendUint64(nil, number))
				}
				checkColumn(t, keyhash.Values(narrow), fours, validity, int(first))
				checkColumn(t, keyhash.Values(wide), eights, validity, int(first))
				checkSpans(t, unsafe.Slice((*[2]uint32)(unsafe.Pointer(unsafe.SliceData(narrow))), len(wide)), data, validity, int(first))
				checkStrings[int32](t, narrow, data, validity, int(first))
				checkStrings[int64](t, wide, data, validity, int(first))
			})
		})
	})
}

// checkColumn compares a column's hashes with those of its values' bytes, some of which are null.
func checkColumn(t *testing.T, c keyhash.Column, keys [][]byte, validity []byte, first int) {
	if 8*len(validity) < first+len(keys) {
		validity = nil
	}
	var valid [][]byte
	for i, key := range keys {
		if validity == nil || validity[(first+i)/8]>>((first+i)%8)&1 == 1 {
			valid = append(valid, key)
		}
	}
	for _, hash := range []keyhash.Hash{keyhash.XX64, keyhash.XXPH3, keyhash.RocksDB32} {
		want, wantValid := hash.AppendHashes(nil, keys), hash.AppendHashes(nil, valid)
		for _, level := range levels() {
			restore := cpu.Limit(level)
			if !slices.Equal(hash.AppendColumn(nil, c), want) || !slices.Equal(hash.AppendColumn(nil, c.WithValidity(validity, first)), wantValid) {
				t.Fatalf("%v: %s of %d values: other hashes", level, hash.Name(), len(keys))
			}
			restore()
		}
	}
}

// checkSpans takes pairs of words as spans. Of those that are not in the data, hashing panics.
func checkSpans(t *testing.T, spans [][2]uint32, data, validity []byte, first int) {
	var keys [][]byte
	for _, span := range spans {
		if span[0] <= span[1] && int64(span[1]) <= int64(len(data)) {
			keys = append(keys, data[span[0]:span[1]])
		}
	}
	c := keyhash.Spans(spans, data)
	if len(keys) == len(spans) {
		checkColumn(t, c, keys, validity, first)
		return
	}
	mustPanic(t, c, spans)
}

// mustPanic hashes a column with a string beyond its data.
func mustPanic(t *testing.T, c keyhash.Column, places any) {
	for _, level := range levels() {
		restore := cpu.Limit(level)
		func() {
			defer func() {
				if recover() == nil && c.Len() > 0 {
					t.Fatalf("%v: %d: no panic", level, places)
				}
			}()
			keyhash.XX64.AppendColumn(nil, c)
		}()
		restore()
	}
}

// checkStrings takes words as offsets.
func checkStrings[O int32 | int64, W uint32 | uint64](t *testing.T, words []W, data, validity []byte, first int) {
	offsets, right := make([]O, len(words)), true
	var keys [][]byte
	for i, word := range words {
		offsets[i] = O(word)
		right = right && offsets[i] >= 0 && uint64(offsets[i]) <= uint64(len(data)) && (i == 0 || offsets[i] >= offsets[i-1])
		if right && i > 0 {
			keys = append(keys, data[offsets[i-1]:offsets[i]])
		}
	}
	c, err := keyhash.Strings(offsets, data)
	if (err == nil) != right {
		t.Fatalf("offsets %d into %d bytes: %v", offsets, len(data), err)
	}
	if right {
		checkColumn(t, c, keys, validity, first)
		return
	}
	// What was checked is other offsets.
	hostile := slices.Clone(offsets)
	clear(offsets)
	if c, err = keyhash.Strings(offsets, data); err != nil {
		t.Fatal(err)
	}
	copy(offsets, hostile)
	mustPanic(t, c, offsets)
}

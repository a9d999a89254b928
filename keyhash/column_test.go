package keyhash_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/internal/test/testmem"
	"github.com/simdbloom/simdbloom/keyhash"
)

// What Parquet's Bloom filters have for these values, in the same type.
func TestColumnsOfParquet(t *testing.T) {
	for _, c := range []struct {
		name   string
		column keyhash.Column
		want   []uint64
	}{
		{"INT32", keyhash.Values([]int32{1, -1}), []uint64{0xf42f94001fcb5351, 0x7f78e4bda3addf93}},
		{"INT64", keyhash.Values([]int64{1, -1}), []uint64{0x9f29cb17a2a49995, 0x85d136adb773c6c9}},
		{"DOUBLE", keyhash.Values([]float64{1}), []uint64{0x949522f153a1a395}},
		{"BYTE_ARRAY", columnOf(t, []int32{0, 0, 5, 5, 12, 17, 23}, "helloparquetbloomfilter"), []uint64{
			0xef46db3751d8e999, 0x26c7827d889f6da3, 0xef46db3751d8e999, 0x3c9d29275c52e429, 0x50c8fb9e62dbc53c, 0x2a5736cdfcd7a9a1,
		}},
	} {
		if got := keyhash.XX64.AppendColumn(nil, c.column); !slices.Equal(got, c.want) {
			t.Errorf("%s: %x, want %x", c.name, got, c.want)
		}
	}
}

func columnOf[O int32 | int64](t testing.TB, offsets []O, data string) keyhash.Column {
	t.Helper()
	c, err := keyhash.Strings(offsets, []byte(data))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// A columnCase is a column and the bytes of its values.
type columnCase struct {
	name   string
	column keyhash.Column
	keys   [][]byte
}

type (
	day      int32 // types that users define
	duration int64
)

// columnsOf returns columns of n values of every type. All of their memory is right beside unreadable pages.
func columnsOf(t *testing.T, n int) []columnCase {
	random := rand.New(rand.NewPCG(1, uint64(n)))
	eights := make([]byte, 8*n)
	for i := range eights {
		eights[i] = byte(random.Uint32())
	}
	var texts, wide, narrow []byte
	texts = append(texts, "before"...)
	for i := range n + 1 {
		wide = binary.LittleEndian.AppendUint64(wide, uint64(len(texts)))
		narrow = binary.LittleEndian.AppendUint32(narrow, uint32(len(texts)))
		if i < n {
			length := random.IntN(33)
			if random.IntN(20) == 0 {
				length = random.IntN(300)
			}
			for range length {
				texts = append(texts, byte(random.Uint32()))
			}
		}
	}
	var textKeys [][]byte
	for i := range n {
		textKeys = append(textKeys, texts[binary.LittleEndian.Uint64(wide[8*i:]):binary.LittleEndian.Uint64(wide[8*i+8:])])
	}
	cut := func(size int) [][]byte { return slices.Collect(slices.Chunk(eights[:size*n], size)) }
	var all []columnCase
	add := func(name string, memory []byte, keys [][]byte, column func(memory []byte) keyhash.Column) {
		testmem.BesideGuards(t, memory, func(placed []byte) {
			all = append(all, columnCase{name, column(placed), keys})
		})
	}
	add("int32", eights[:4*n], cut(4), func(m []byte) keyhash.Column { return keyhash.Values(as[int32](m)) })
	add("day", eights[:4*n], cut(4), func(m []byte) keyhash.Column { return keyhash.Values(as[day](m)) })
	add("uint32", eights[:4*n], cut(4), func(m []byte) keyhash.Column { return keyhash.Values(as[uint32](m)) })
	add("float32", eights[:4*n], cut(4), func(m []byte) keyhash.Column { return keyhash.Values(as[float32](m)) })
	add("int64", eights, cut(8), func(m []byte) keyhash.Column { return keyhash.Values(as[int64](m)) })
	add("duration", eights, cut(8), func(m []byte) keyhash.Column { return keyhash.Values(as[duration](m)) })
	add("uint64", eights, cut(8), func(m []byte) keyhash.Column { return keyhash.Values(as[uint64](m)) })
	add("float64", eights, cut(8), func(m []byte) keyhash.Column { return keyhash.Values(as[float64](m)) })
	testmem.BesideGuards(t, texts, func(data []byte) {
		add("strings, int32", narrow, textKeys, func(m []byte) keyhash.Column { return must(keyhash.Strings(as[int32](m), data)) })
		spans := slices.Clone(narrow[:0]) // in descending order, with the texts' neighbours between them
		for i := n - 1; i >= 0; i-- {
			spans = append(spans, narrow[4*i:4*i+8]...)
		}
		backwards := slices.Clone(textKeys)
		slices.Reverse(backwards)
		add("spans", spans, backwards, func(m []byte) keyhash.Column { return keyhash.Spans(pairs(as[uint32](m)), data) })
		add("strings, int64", wide, textKeys, func(m []byte) keyhash.Column { return must(keyhash.Strings(as[int64](m), data)) })
	})
	return all
}

// as returns the memory of numbers in little-endian order as a slice of them, changed to the machine's order.
func as[T any](memory []byte) []T {
	var size int
	if size = int(unsafe.Sizeof(*new(T))); binary.NativeEndian.Uint16([]byte{1, 0}) != 1 {
		for number := range slices.Chunk(memory, size) {
			slices.Reverse(number)
		}
	}
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(memory))), len(memory)/size)
}

func pairs(words []uint32) [][2]uint32 {
	return unsafe.Slice((*[2]uint32)(unsafe.Pointer(unsafe.SliceData(words))), len(words)/2)
}

func must(c keyhash.Column, err error) keyhash.Column {
	if err != nil {
		panic(err)
	}
	return c
}

// bitmapsOf returns bitmaps for n values, right beside unreadable pages, and their offsets.
func bitmapsOf(t *testing.T, n int, f func(validity []byte, offset int)) {
	f(nil, 5)
	for _, offset := range []int{0, 1, 7, 8, 13, 64, 71} {
		bitmap := make([]byte, (offset+n+7)/8)
		for i := range bitmap {
			bitmap[i] = byte(rand.Uint32() | rand.Uint32()<<4)
		}
		testmem.BesideGuards(t, bitmap, func(validity []byte) { f(validity, offset) })
	}
	f(bytes.Repeat([]byte{0xff}, n/8+1), 0)
	f(make([]byte, n/8+1), 0)
}

// Every hash of every type of value is that of its bytes, at every level; nulls are dropped.
func TestColumns(t *testing.T) {
	for _, level := range []cpu.Level{cpu.Generic, cpu.AVX2, cpu.AVX512, cpu.NEON} {
		if !cpu.Current().Includes(level) {
			continue
		}
		restore := cpu.Limit(level)
		for _, n := range []int{0, 1, 2, 3, 7, 8, 9, 31, 63, 64, 65, 130, 1027} {
			for _, c := range columnsOf(t, n) {
				if c.column.Len() != n {
					t.Fatalf("%s: length %d, want %d", c.name, c.column.Len(), n)
				}
				for _, h := range hashes {
					sums := h.AppendHashes(nil, c.keys)
					if got := h.AppendColumn([]uint64{7}, c.column); got[0] != 7 || !slices.Equal(got[1:], sums) {
						t.Fatalf("%v: %s of %s: other hashes of %d values", level, h.Name(), c.name, n)
					}
				}
			}
		}
		restore()
	}
}

func TestColumnsWithNulls(t *testing.T) {
	for _, n := range []int{0, 1, 63, 64, 65, 130, 700} {
		for _, c := range columnsOf(t, n) {
			sums := keyhash.XX64.AppendHashes(nil, c.keys)
			bitmapsOf(t, n, func(validity []byte, offset int) {
				column := c.column.WithValidity(validity, offset)
				for _, part := range [][2]int{{0, n}, {n / 3, n}, {0, n - n/5}, {n / 2, n / 2}, {n, n}, {n / 3, n - n/4}} {
					from, to := part[0], part[1]
					var want []uint64
					wantBits := make([]uint64, (to-from+63)/64+1)
					wantBits[len(wantBits)-1] = 42
					for i := from; i < to; i++ {
						if bit := offset + i; validity == nil || validity[bit/8]>>(bit%8)&1 == 1 {
							want = append(want, sums[i])
							wantBits[(i-from)/64] |= 1 << ((i - from) % 64)
						}
					}
					slice := column.Slice(from, to)
					valid := slices.Repeat([]uint64{42}, len(wantBits))
					slice.ValidBits(valid)
					if got := keyhash.XX64.AppendColumn(nil, slice); slice.Len() != to-from || !slices.Equal(got, want) || !slices.Equal(valid, wantBits) {
						t.Fatalf("%s: values %d to %d of %d, bits from %d on: %d hashes, want %d, valid %x, want %x", c.name, from, to, n, offset, len(got), len(want), valid, wantBits)
					}
					if got := keyhash.XX64.AppendColumn(nil, slice.WithValidity(nil, 9)); !slices.Equal(got, sums[from:to]) {
						t.Fatalf("%s: other hashes of all values", c.name)
					}
				}
			})
		}
	}
}

func TestHostileOffsets(t *testing.T) {
	testHostileOffsets[int32](t, math.MinInt32, math.MaxInt32)
	testHostileOffsets[int64](t, math.MinInt64, math.MaxInt64)
}

func testHostileOffsets[O int32 | int64](t *testing.T, least, most O) {
	data := []byte("0123456789")
	for _, offsets := range [][]O{
		{-1},
		{11},
		{least},
		{most},
		{0, 11},
		{-1, 3},
		{0, 5, 4},
		{0, 5, 4, 10},
		{0, -1, 3},
		{1, least},
		{1, least, 3},
		{0, most, 10},
		{least, most},
		{most, least},
		{0, most, least, 10},
		{-5, -3, 2},
		{10, 9},
		{2, 2, 1, 2},
	} {
		for _, placed := range [][]O{offsets, append([]O{0, 0, 0}, offsets...), append(slices.Clone(offsets), 10, 10)} {
			if _, err := keyhash.Strings(placed, data); err == nil || !strings.HasPrefix(err.Error(), "keyhash: offset ") {
				t.Errorf("%T %d: %v", placed, placed, err)
			}
		}
	}
	for _, offsets := range [][]O{nil, {}, {0}, {10}, {0, 10}, {10, 10}, {3, 3, 3, 4}} {
		c, err := keyhash.Strings(offsets, data)
		if err != nil || c.Len() != max(len(offsets)-1, 0) {
			t.Errorf("%T %d: %v, %d values", offsets, offsets, err, c.Len())
		}
	}
	// Offsets that change later make every hash panic instead of reading beyond the data, or what is in its capacity.
	change := func(data []byte) {
		for at := range 130 {
			for _, bad := range []O{-1, 11, least, most} {
				offsets := make([]O, 130)
				c, err := keyhash.Strings(offsets, data)
				if err != nil {
					t.Fatal(err)
				}
				offsets[at] = bad
				for _, h := range hashes {
					if panics(func() { h.AppendColumn(nil, c) }) == "" {
						t.Fatalf("%s: offset %d of %d bytes, and room for %d, became %d", h.Name(), at, len(data), cap(data), bad)
					}
				}
			}
		}
	}
	testmem.BesideGuards(t, data, change)
	change(slices.Grow(data, 100))
}

// Spans that are not in the data make every hash panic instead of reading beyond it, or what is in its capacity.
func TestWrongSpans(t *testing.T) {
	hostile := func(data []byte) {
		for at := range 130 {
			for _, bad := range [][2]uint32{{0, 11}, {11, 11}, {5, 4}, {0, math.MaxUint32}, {math.MaxUint32, 0}, {1 << 31, 1<<31 + 1}} {
				spans := slices.Repeat([][2]uint32{{3, 10}}, 130)
				c := keyhash.Spans(spans, data)
				spans[at] = bad
				for _, h := range hashes {
					if panics(func() { h.AppendColumn(nil, c) }) == "" {
						t.Fatalf("%s: span %d of %d bytes, and room for %d, is %d", h.Name(), at, len(data), cap(data), bad)
					}
				}
			}
		}
	}
	testmem.BesideGuards(t, make([]byte, 10), hostile)
	hostile(make([]byte, 10, 100))
	if c := keyhash.Spans(nil, nil); c.Len() != 0 || len(keyhash.XX64.AppendColumn(nil, c)) != 0 {
		t.Error("a column of no spans has values")
	}
}

// panics returns what a function panics with, or nothing.
func panics(f func()) (said string) {
	defer func() {
		if r := recover(); r != nil {
			said = fmt.Sprint(r)
		}
	}()
	f()
	return ""
}

func TestColumnsRefuse(t *testing.T) {
	c := keyhash.Values([]int32{1, 2, 3})
	many := keyhash.Values(make([]int64, 65))
	words := []uint64{42}
	for want, call := range map[string]func(){
		"a column of 3 values has no slice [-1:2]":                                                   func() { c.Slice(-1, 2) },
		"a column of 3 values has no slice [2:1]":                                                    func() { c.Slice(2, 1) },
		"a column of 3 values has no slice [0:4]":                                                    func() { c.Slice(0, 4) },
		"a column of 0 values has no slice [0:1]":                                                    func() { keyhash.Column{}.Slice(0, 1) },
		"a validity bitmap of 1 bytes does not have 3 bits from bit -1 on":                           func() { c.WithValidity([]byte{1}, -1) },
		"a validity bitmap of 1 bytes does not have 3 bits from bit 6 on":                            func() { c.WithValidity([]byte{1}, 6) },
		"a validity bitmap of 0 bytes does not have 3 bits from bit 0 on":                            func() { c.WithValidity([]byte{}, 0) },
		"a validity bitmap of 8 bytes does not have 65 bits from bit 0 on":                           func() { many.WithValidity(make([]byte, 8), 0) },
		"len(valid) is 1, but 65 values need 2 words":                                                func() { many.ValidBits(words) },
		fmt.Sprintf("a validity bitmap of 1 bytes does not have 0 bits from bit %d on", math.MaxInt): func() { c.Slice(0, 0).WithValidity([]byte{1}, math.MaxInt) },
	} {
		if said := panics(call); said != "keyhash: "+want {
			t.Errorf("panic %q, want %q", said, want)
		}
	}
	if words[0] != 42 {
		t.Error("something was written before the panic")
	}
}

// One call at a time, and a mean of many: the race detector drops a quarter of the memory for copies.
func TestHashingColumnsAllocatesNothing(t *testing.T) {
	outside := keyhash.New("another first byte", func(key []byte) uint64 { return uint64(len(key)) })
	room, values, offsets := make([]uint64, 0, 60), make([]int64, 60), make([]int32, 61) // hashed at once
	spans := slices.Repeat([][2]uint32{{1, 9}}, 60)
	for i := range offsets {
		offsets[i] = int32(i)
	}
	data, validity := make([]byte, 60), bytes.Repeat([]byte{0xa5}, 8)
	for _, h := range append(slices.Clone(builtins), outside) {
		for what, call := range map[string]func(){
			"int64":   func() { h.AppendColumn(room, keyhash.Values(values)) },
			"nulls":   func() { h.AppendColumn(room, keyhash.Values(values).WithValidity(validity, 3)) },
			"strings": func() { h.AppendColumn(room, must(keyhash.Strings(offsets, data))) },
			"spans":   func() { h.AppendColumn(room, keyhash.Spans(spans, data)) },
		} {
			if allocs := testing.AllocsPerRun(100, call); allocs != 0 {
				t.Errorf("%s of %s: %v allocations", h.Name(), what, allocs)
			}
		}
	}
}

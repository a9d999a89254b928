package filterblock_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/filterblock"
)

// indexRow is what an index has of a partition.
type indexRow struct {
	key    string
	handle filterblock.Handle
}

// rowsOf are the partitions of a file, one behind the other or with gaps, of varying sizes.
func rowsOf(n int, gaps bool) (all []indexRow) {
	at := uint64(0)
	for i := range n {
		size := uint64(69 + 64*(i*i%23))
		all = append(all, indexRow{fmt.Sprintf("user:%06d", 7*i), filterblock.Handle{Offset: at, Size: size}})
		at += size + 5
		if gaps && i%3 == 0 {
			at += 100
		}
	}
	return all
}

// TestIndex: what was written is read, in every format.
func TestIndex(t *testing.T) {
	for _, n := range []int{0, 1, 2, 16, 17, 100} {
		for _, gaps := range []bool{false, true} {
			for _, fullHandles := range []bool{false, true} {
				for _, internalKeys := range []bool{false, true} {
					for _, interval := range []int{0, 1, 2, 16, 1000} {
						f := filterblock.IndexFormat{FullHandles: fullHandles, InternalKeys: internalKeys, RestartInterval: interval}
						checkIndex(t, f, rowsOf(n, gaps))
					}
				}
			}
		}
	}
}

func checkIndex(t *testing.T, f filterblock.IndexFormat, rows []indexRow) {
	t.Helper()
	w := filterblock.NewIndexWriter(f)
	for range 2 { // a writer can be used again
		for _, row := range rows {
			key := []byte(row.key)
			if f.InternalKeys {
				key = append(key, "sequence"...)
			}
			w.Add(key, row.handle)
		}
		x, err := filterblock.ReadIndex(w.Finish(), f)
		if err != nil || x.Len() != len(rows) {
			t.Fatalf("%+v: %v, %d partitions of %d", f, err, x.Len(), len(rows))
		}
		for i, row := range rows {
			if string(x.Key(i)) != row.key || x.Handle(i) != row.handle {
				t.Fatalf("%+v: partition %d: %s at %v, want %v", f, i, x.Key(i), x.Handle(i), row)
			}
		}
		checkFind(t, x, rows)
	}
}

func checkFind(t *testing.T, x *filterblock.Index, rows []indexRow) {
	t.Helper()
	for i := range 7*len(rows) + 10 {
		key := fmt.Appendf(nil, "user:%06d", i)
		want := slices.IndexFunc(rows, func(r indexRow) bool { return r.key >= string(key) })
		if want < 0 {
			want = len(rows) - 1
		}
		if got, other := x.Find(key, nil), x.Find(key, bytes.Compare); got != want || other != want {
			t.Fatalf("%s is in partition %d and %d, want %d of %d", key, got, other, want, len(rows))
		}
	}
}

// row is one of a block: its key, without the given number of shared bytes, and a value.
func row(shared int, key string, value ...byte) []byte {
	r := binary.AppendUvarint(nil, uint64(shared))
	r = binary.AppendUvarint(r, uint64(len(key)))
	return append(append(r, key...), value...)
}

// rowBlock is a block of rows, with a restart at the first.
func rowBlock(rows ...[]byte) []byte {
	block := append(bytes.Join(rows, nil), 0, 0, 0, 0)
	return binary.LittleEndian.AppendUint32(block, 1)
}

// TestHostileIndexes: an error that says what is wrong, in memory that the block's size explains.
func TestHostileIndexes(t *testing.T) {
	huge := binary.AppendUvarint(nil, 1<<63)
	longKeys := [][]byte{row(0, strings.Repeat("k", 100_000), 0, 0)}
	for range 99_000 {
		longKeys = append(longKeys, row(100_000, "", 0))
	}
	full, internal := filterblock.IndexFormat{FullHandles: true}, filterblock.IndexFormat{InternalKeys: true}
	for what, c := range map[string]struct {
		block  []byte
		format filterblock.IndexFormat
		want   string // none if it is sound
	}{
		"none":           {nil, filterblock.IndexFormat{}, ""},
		"no rows":        {rowBlock(), filterblock.IndexFormat{}, ""},
		"spread":         {append(row(0, "a", 1, 1), 0, 0, 0, 0, 1, 0, 0, 1<<5), filterblock.IndexFormat{}, ""},
		"any handle":     {rowBlock(row(0, "a", append(huge, huge...)...), row(1, "b", 0), row(2, "c", 0)), filterblock.IndexFormat{}, ""},
		"short":          {[]byte{1, 2, 3}, filterblock.IndexFormat{}, "too few for rows"},
		"restarts":       {[]byte{0, 0, 0, 0, 2, 0, 0, 0}, filterblock.IndexFormat{}, "with 2 restarts"},
		"features":       {[]byte{0, 0, 0, 0, 1, 0, 0, 1 << 6}, filterblock.IndexFormat{}, "unknown features"},
		"long":           {rowBlock(row(0, "a", 1, 1), []byte{0, 9}), filterblock.IndexFormat{}, "longer than its block"},
		"long varint":    {rowBlock(bytes.Repeat([]byte{0xff}, 20)), filterblock.IndexFormat{}, "longer than its block"},
		"huge key":       {rowBlock(append([]byte{0}, huge...)), filterblock.IndexFormat{}, "longer than its block"},
		"huge value":     {rowBlock(append([]byte{0, 0}, huge...)), full, "longer than its block"},
		"long value":     {rowBlock([]byte{0, 1, 3, 'a', 1}), full, "longer than its block"},
		"beyond rows":    {rowBlock([]byte{0, 1, 2, 'a', 1}), full, "longer than its block"}, // the value ends in the restarts
		"other value":    {rowBlock([]byte{0, 1, 3, 'a', 1, 1, 1}), full, "without a handle"},
		"shared":         {rowBlock(row(1, "a", 1, 1)), filterblock.IndexFormat{}, "longer than its block"},
		"no handle":      {rowBlock(row(0, "a", 1)), filterblock.IndexFormat{}, "without a handle"},
		"no offset":      {rowBlock(row(0, "a")), filterblock.IndexFormat{}, "without a handle"},
		"no size":        {rowBlock(row(0, "a", 1, 1), row(1, "b")), filterblock.IndexFormat{}, "without a size"},
		"short internal": {rowBlock(row(0, "1234567", 1, 1)), internal, "too short for its sequence number"},
		"own limit":      {rowBlock(row(0, "long", 1, 1)), filterblock.IndexFormat{MaxKeyBytes: 3}, "which share prefixes"},
		"within it":      {rowBlock(row(0, "long", 1, 1)), filterblock.IndexFormat{MaxKeyBytes: 4}, ""},
		"long keys":      {rowBlock(longKeys...), filterblock.IndexFormat{}, "which share prefixes"},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := filterblock.ReadIndex(c.block, c.format)
		runtime.ReadMemStats(&after)
		tooLong := strings.Contains(c.want, "share prefixes") // which is sound
		if (err != nil) != (c.want != "") || err != nil && (errors.Is(err, simdbloom.ErrCorrupt) == tooLong || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want something of %q", what, err, c.want)
		}
		if took, most := after.TotalAlloc-before.TotalAlloc, uint64(4<<20+250*len(c.block)); took > most {
			t.Errorf("%s: %d bytes of memory for a block of %d", what, took, len(c.block))
		}
	}
}

package filterblock_test

import (
	"bytes"
	"encoding/binary"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom/filterblock"
)

// TestOneSharedByte: a row that shares a byte with the one before has a difference of sizes, too.
func TestOneSharedByte(t *testing.T) {
	w := filterblock.NewIndexWriter(filterblock.IndexFormat{RestartInterval: 2})
	want := []filterblock.Handle{{Size: 10}, {Offset: 15, Size: 12}}
	w.Add([]byte("ka"), want[0])
	w.Add([]byte("kb"), want[1])
	x, err := filterblock.ReadIndex(w.Finish(), filterblock.IndexFormat{})
	if err != nil || x.Len() != 2 || x.Handle(0) != want[0] || x.Handle(1) != want[1] || string(x.Key(1)) != "kb" {
		t.Errorf("%+v, %v", x, err)
	}
}

// TestIndexBytes: a block has RocksDB's bytes. A row shares the longest prefix with the one before it, unless it is a
// restart, or its handle is elsewhere than behind that one's.
func TestIndexBytes(t *testing.T) {
	type added struct {
		key          string
		offset, size uint64
	}
	handle := func(offset, size uint64) []byte {
		return binary.AppendUvarint(binary.AppendUvarint(nil, offset), size)
	}
	behind := func(difference int64) []byte { return binary.AppendVarint(nil, difference) }
	rows := []added{{"apple", 0, 300}, {"apply", 305, 310}, {"bee", 620, 300}, {"beer", 925, 300}, {"bees", 2000, 300}, {"beet", 2305, 299}}
	delta := [][]byte{
		row(0, "apple", handle(0, 300)...), row(4, "y", behind(10)...), row(0, "bee", handle(620, 300)...),
		row(0, "beer", handle(925, 300)...), row(0, "bees", handle(2000, 300)...), row(3, "t", behind(-1)...),
	}
	full := [][]byte{}
	for i, shared := range []int{0, 4, 0, 0, 3, 3} {
		r := rows[i]
		value := handle(r.offset, r.size)
		head := binary.AppendUvarint(binary.AppendUvarint(nil, uint64(shared)), uint64(len(r.key)-shared))
		full = append(full, slices.Concat(binary.AppendUvarint(head, uint64(len(value))), []byte(r.key[shared:]), value))
	}
	for fullHandles, want := range map[bool][][]byte{false: delta, true: full} {
		w := filterblock.NewIndexWriter(filterblock.IndexFormat{FullHandles: fullHandles, RestartInterval: 3})
		for _, r := range rows {
			w.Add([]byte(r.key), filterblock.Handle{Offset: r.offset, Size: r.size})
		}
		block := bytes.Join(want, nil)
		for _, restart := range []int{0, len(slices.Concat(want[:3]...)), 2} {
			block = binary.LittleEndian.AppendUint32(block, uint32(restart))
		}
		if x, err := filterblock.ReadIndex(make([]byte, 4), filterblock.IndexFormat{FullHandles: fullHandles}); err != nil || x.Len() != 0 {
			t.Errorf("a block without rows: %v", err)
		}
		if got := w.Finish(); !bytes.Equal(got, block) {
			t.Errorf("full handles %v: %q, want %q", fullHandles, got, block)
		}
	}
}

// TestInternalIndexKeys: the index key of a partition that the writer ends is its last key, behind all of its versions.
func TestInternalIndexKeys(t *testing.T) {
	for _, internal := range []bool{false, true} {
		var f file
		format := filterblock.IndexFormat{InternalKeys: internal}
		w := newWriter(t, parse(t, "bloomfilter:10"), filterblock.Options{WholeKeys: true, PartitionBytes: 200, Store: f.store, Index: format})
		keys := sortedKeys(1000)
		for _, key := range keys {
			w.Add(key)
		}
		block, err := w.Finish()
		if err != nil {
			t.Fatal(err)
		}
		x, err := filterblock.ReadIndex(block, format)
		if err != nil || x.Len() < 4 || !bytes.Equal(x.Key(x.Len()-1), keys[len(keys)-1]) {
			t.Fatalf("%d partitions, %v", x.Len(), err)
		}
		last := -1
		for i := range x.Len() {
			at := slices.IndexFunc(keys, func(key []byte) bool { return bytes.Equal(key, x.Key(i)) })
			if at <= last {
				t.Errorf("partition %d ends at key %d, after %d", i, at, last)
			}
			last = at
		}
	}
}

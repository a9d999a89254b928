//go:build !race

package filterblock_test

import (
	"runtime"
	"testing"

	"github.com/simdbloom/simdbloom/filterblock"
)

// Under the race detector, pools drop some of what is put into them.

// TestWriterMemory is that of one partition, however many keys there are.
func TestWriterMemory(t *testing.T) {
	stored, size := 0, uint64(0)
	w := newWriter(t, parse(t, "bloomfilter:10"), filterblock.Options{
		WholeKeys: true, Prefix: extractor(t, "fixed:8"), PartitionBytes: 4096,
		Store: func(partition []byte) (filterblock.Handle, error) {
			stored++
			size += uint64(len(partition))
			return filterblock.Handle{Offset: size, Size: uint64(len(partition))}, nil
		},
	})
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	key := []byte("user:0000000000")
	for range 1_000_000 {
		w.Add(key)
		for at := len(key) - 1; ; at-- { // the next number; package fmt would allocate
			if key[at]++; key[at] <= '9' {
				break
			}
			key[at] = '0'
		}
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	// The index has 20 bytes a partition. In one piece, the hashes would take 8 MB.
	if held := int64(after.HeapAlloc) - int64(before.HeapAlloc); held > 200_000 {
		t.Errorf("%d bytes are held behind %d partitions", held, stored)
	}
	finish(t, w)
	// What was allocated are the partitions, each once, and the builders' memory.
	if took := after.TotalAlloc - before.TotalAlloc; took > 2*size {
		t.Errorf("%d bytes were allocated for %d of partitions", took, size)
	}
	if stored < 300 {
		t.Errorf("%d partitions", stored)
	}
}

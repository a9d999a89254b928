package main

import (
	"testing"

	"github.com/simdbloom/simdbloom/filterblock"
)

// TestCache keeps what was used last, and no more than there is room for.
func TestCache(t *testing.T) {
	c := newCache(100)
	at := func(i int) filterblock.Handle { return filterblock.Handle{Offset: uint64(i), Size: 40} }
	for i := range 3 {
		c.Put(at(i), make([]byte, 40))
		c.Put(at(i), make([]byte, 40))
		c.Get(at(0))
	}
	for i, want := range []bool{true, false, true} {
		if partition, ok := c.Get(at(i)); ok != want || len(partition) != 0 && len(partition) != 40 {
			t.Errorf("partition %d is kept: %v, want %v", i, ok, want)
		}
	}
	c.Put(at(3), make([]byte, 101))
	if len(c.partitions) != 0 || c.used.Len() != 0 || c.room != 100 {
		t.Errorf("%d partitions, room %d, after one that has none", len(c.partitions), c.room)
	}
}

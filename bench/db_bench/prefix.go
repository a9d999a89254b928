package main

import (
	"fmt"

	"github.com/cockroachdb/pebble/v2"
)

// prefixComparer compares keys as bytes, and splits them after size bytes: a table's filter has
// these prefixes. The store remembers the name, and opens with no other size.
func prefixComparer(size int) *pebble.Comparer {
	c := *pebble.DefaultComparer
	c.Name = fmt.Sprintf("simdbloom.db_bench.FixedPrefix.%d", size)
	c.Split = func(key []byte) int { return min(len(key), size) }
	c.ImmediateSuccessor = func(dst, prefix []byte) []byte {
		begin := len(dst)
		dst = append(dst, prefix...)
		if len(prefix) < size {
			return append(dst, 0)
		}
		for i := len(dst) - 1; i >= begin; i-- {
			if dst[i]++; dst[i] != 0 {
				break
			}
		}
		return dst
	}
	return &c
}

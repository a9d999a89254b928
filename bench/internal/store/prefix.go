package store

import (
	"bytes"
	"fmt"

	"github.com/cockroachdb/pebble/v2"
)

// PrefixComparer compares keys as bytes, and splits them after size bytes: a table's filter has
// these prefixes, or whole keys if size is 0. No prefix of size bytes is greater than that of bytes
// 0xff only. So keys that begin with it are prefixes as a whole. The store remembers the name, and
// opens with no other size: a filter of other prefixes would lose keys.
func PrefixComparer(size int) *pebble.Comparer {
	if size == 0 {
		return pebble.DefaultComparer
	}
	greatest := bytes.Repeat([]byte{0xff}, size)
	c := *pebble.DefaultComparer
	c.Name = fmt.Sprintf("simdbloom.db_bench.Prefix.%d", size)
	c.Split = func(key []byte) int {
		if bytes.HasPrefix(key, greatest) {
			return len(key)
		}
		return min(len(key), size)
	}
	// In iterations over a prefix, Pebble cuts deleted ranges here. The default, a zero byte more,
	// is no prefix, and has it forget deletions.
	c.ImmediateSuccessor = func(dst, prefix []byte) []byte {
		if len(prefix) < size || bytes.HasPrefix(prefix, greatest) {
			return append(append(dst, prefix...), 0)
		}
		last := len(prefix) - 1
		for prefix[last] == 0xff {
			last--
		}
		dst = append(dst, prefix[:last+1]...)
		dst[len(dst)-1]++
		return dst
	}
	return &c
}

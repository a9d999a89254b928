//go:build !race

package goleveldb_test

import (
	"bytes"
	"testing"

	"github.com/syndtr/goleveldb/leveldb/util"

	"github.com/simdbloom/simdbloom/adapters/goleveldb"
)

// TestNothingIsAllocated is about further filters and queries. What pools hold is used
// again. (The race detector has pools drop some of it.)
func TestNothingIsAllocated(t *testing.T) {
	present := presentKeys(digests, 5000)
	var buffer util.Buffer
	buffer.Grow(1 << 20)
	for _, p := range policies(t) {
		f := goleveldb.Filter(p)
		g := f.NewGenerator()
		generate(g, &buffer, present) // makes room for the keys
		data := bytes.Clone(buffer.Bytes())
		if n := testing.AllocsPerRun(10, func() {
			buffer.Reset()
			generate(g, &buffer, present)
		}); n > 1 {
			t.Errorf("%s: %v allocations for a further filter", p, n)
		}
		buffer.Reset()
		for _, data := range [][]byte{data, data[1:], data[:len(data)/2], nil} {
			if n := testing.AllocsPerRun(100, func() { f.Contains(data, present[7]) }); n != 0 {
				t.Errorf("%s: %v allocations for a query of %d bytes", p, n, len(data))
			}
		}
	}
}

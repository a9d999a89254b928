package goleveldb

import (
	"math"

	"github.com/syndtr/goleveldb/leveldb/filter"

	"github.com/simdbloom/simdbloom/policy"
)

// generator builds the filters of one table, one after another.
type generator struct{ builder policy.Builder }

func (g *generator) Add(key []byte) { g.builder.Add(key) }

// Generate builds the filter in the buffer's own memory. Where the builder gives none, or one
// of 2 GiB or more, it writes zeros, six or more: these may contain every key, for every reader.
func (g *generator) Generate(b filter.Buffer) {
	var data []byte
	if size := g.builder.SizeBytes(); size < math.MaxInt32 {
		data = b.Alloc(size)
		if _, err := g.builder.AppendFinish(data[:0:size]); err == nil {
			return
		}
	}
	clear(data) // before Write, which may move the buffer
	b.Write(make([]byte, 6))
	g.builder.Reset()
}

package goleveldb

import (
	"math"

	"github.com/syndtr/goleveldb/leveldb/filter"

	"github.com/simdbloom/simdbloom/linear"
	"github.com/simdbloom/simdbloom/policy"
)

// generator builds the filters of one table, one after another.
type generator struct {
	builder policy.Builder
	built   []byte // memory for filters that are copied
}

func (g *generator) Add(key []byte) { g.builder.Add(key) }

// Generate builds the filter in the buffer's own memory. If that fails, or the filter has 2
// GiB or more, it writes six zeros or more, which every reader takes for a filter that may
// contain every key.
//
// The size of a linear filter is known only when it is built, so it is copied to the buffer.
func (g *generator) Generate(b filter.Buffer) {
	var data []byte
	size := g.builder.SizeBytes()
	_, isLinear := g.builder.(*linear.Builder)
	switch {
	case size >= math.MaxInt32:
	case isLinear:
		built, err := g.builder.AppendFinish(g.built[:0])
		if err == nil {
			g.built = built
			b.Write(built)
			return
		}
	default:
		data = b.Alloc(size)
		if _, err := g.builder.AppendFinish(data[:0:size]); err == nil {
			return
		}
	}
	clear(data) // before Write, which may move the buffer
	b.Write(make([]byte, 6))
	g.builder.Reset()
}

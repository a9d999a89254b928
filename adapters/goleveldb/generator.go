package goleveldb

import (
	"math"

	"github.com/syndtr/goleveldb/leveldb/filter"

	"github.com/simdbloom/simdbloom"
)

// generator builds the filters of one table, one after another.
type generator struct {
	builder *simdbloom.Builder
	built   []byte // memory for filters that are copied

	// mayDiffer is set if filters may have another size than the builder's SizeBytes: Linear
	// ones, and Ribbon filters of keys that are crafted so that none can hold them.
	mayDiffer bool
}

func (g *generator) Add(key []byte) { g.builder.Add(key) }

// Generate builds the filter in the buffer's own memory. If that fails, or the filter has 2
// GiB or more, it writes six zeros or more, which every reader reads as a filter that may
// contain every key.
//
// Some filters' size is known only when they are built: they are copied to the buffer.
func (g *generator) Generate(b filter.Buffer) {
	var data []byte
	size := g.builder.SizeBytes()
	switch {
	case size >= math.MaxInt32:
	case g.mayDiffer:
		built, err := g.builder.AppendFinish(g.built[:0])
		if err == nil {
			g.built = built
			b.Write(built)
			return
		}
	default:
		data = b.Alloc(size)
		if built, err := g.builder.AppendFinish(data[:0:size]); err == nil && len(built) == size {
			return
		}
	}
	clear(data) // before Write, which may move the buffer
	b.Write(make([]byte, 6))
	g.builder.Reset()
}

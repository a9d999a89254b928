package legacy

import (
	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/layout"
)

// SizeOf returns the size of a filter of n keys, which a test would have to add.
func SizeOf(bitsPerKey float64, n int) uint64 {
	p, err := chosen(bitsPerKey, building.Apply([]simdbloom.Option(nil)))
	if err != nil {
		panic(err)
	}
	lines, _ := p.size(uint64(n))
	return lines*64 + layout.TrailerBytes
}

package legacy

import (
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/formats/legacy"
)

// SizeOf returns the size of a filter of n keys, which a test would have to add.
func SizeOf(bitsPerKey float64, n int) uint64 {
	size, err := legacy.SizeOf(n, bitsPerKey, &building.Options{Concurrency: 1})
	if err != nil {
		panic(err)
	}
	return size
}

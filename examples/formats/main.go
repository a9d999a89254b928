// Command formats keeps filters of three formats in one slice, and looks a key up in all of them.
package main

import (
	"fmt"
	"log"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/linear"
	"github.com/simdbloom/simdbloom/ribbon"
)

func main() {
	const keys = 100_000 // of each filter
	builders := []*simdbloom.Builder{
		must(bloom.NewBuilder(10, keyhash.XX64)),
		must(ribbon.NewBuilder(10, keyhash.XX64)), // the rate of a Bloom filter of 10 bits per key
		must(linear.NewBuilder(10, keyhash.XX64)),
	}
	var filters []*simdbloom.Filter
	for table, b := range builders {
		for i := range uint64(keys) {
			b.AddUint64(uint64(table)*keys + i)
		}
		filters = append(filters, must(b.Filter()))
	}
	for _, f := range filters {
		fmt.Printf("%-9v %6d bytes, 1 false positive in %.0f\n", f.Format(), f.SizeBytes(), 1/f.EstimatedFPR())
	}

	hash := filters[0].Hash() // all have the same
	for _, key := range []uint64{7, 123_456, 200_000, 300_000} {
		fmt.Println(key, "may be in", simdbloom.AppendFilters(nil, filters, hash.SumUint64(key)))
	}
}

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

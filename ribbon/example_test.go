package ribbon_test

import (
	"errors"
	"fmt"
	"log"

	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/ribbon"
)

// Build a filter, store its bytes, open it again and look keys up.
func Example() {
	b, err := ribbon.NewBuilder(10, keyhash.XX64) // of the Bloom filter with the same rate
	if err != nil {
		log.Fatal(err)
	}
	for i := range 100_000 {
		b.Add(fmt.Appendf(nil, "user:%d", i))
	}
	data, err := b.Finish() // the bytes to store
	if err != nil {
		log.Fatal(err)
	}

	f, err := ribbon.Open(data, keyhash.XX64) // the same hash
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(f.ContainsString("user:77777"), f.ContainsString("user:100001"))
	fmt.Printf("%.1f bits/key, 1 false positive in %.0f\n", 8*float64(f.SizeBytes())/100_000, 1/f.EstimatedFPR())
	// Output:
	// true false
	// 7.0 bits/key, 1 false positive in 105
}

// A block of a RocksDB table that says "fullfilter." may be a Ribbon filter.
func ExampleMayContainHash() {
	b, err := ribbon.NewBuilder(10, keyhash.XXPH3) // RocksDB's key hash
	if err != nil {
		log.Fatal(err)
	}
	for i := range 1000 {
		b.AddString(fmt.Sprint("user:", i))
	}
	block, err := b.Finish()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(ribbon.MayContainHash(block, keyhash.XXPH3.Sum64String("user:7")))
	// Output: true
}

// Bytes that were cut off are an error.
func ExampleOpen_corrupt() {
	_, err := ribbon.Open([]byte{0xfe, 0, 2, 0, 0}, keyhash.XX64)
	fmt.Println(err, errors.Is(err, ribbon.ErrCorrupt))
	// Output: ribbon: corrupt filter: 5 bytes: too short for a segment and the trailer, 21 bytes true
}

// RocksDB builds a FastLocal filter of few keys, where it is smaller.
func ExampleFilter_Kind() {
	b, err := ribbon.NewBuilder(10, keyhash.XX64)
	if err != nil {
		log.Fatal(err)
	}
	b.AddString("apple")
	data, err := b.Finish()
	if err != nil {
		log.Fatal(err)
	}
	f, err := ribbon.Open(data, keyhash.XX64)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(f.Kind(), f.SizeBytes())
	// Output: FastLocal 69
}

// How many bits per key a rate takes, and what rate they give.
func ExampleBitsPerKeyFor() {
	bits := ribbon.BitsPerKeyFor(1_000_000, 1e-3)
	fmt.Printf("%.2f bits/key for 1 in %.0f\n", bits, 1/ribbon.PredictedFPR(1_000_000, bits))
	// Output: 15.41 bits/key for 1 in 1000
}

// How many keys a partition of 4 KiB has room for.
func ExampleEntriesFor() {
	fmt.Println(ribbon.EntriesFor(3687, 10))
	// Output: 4130
}

// A filter that must not be larger than a block of the cache has a higher rate instead.
func ExampleWithMaxBytes() {
	b, err := ribbon.NewBuilder(20, keyhash.XX64, ribbon.WithMaxBytes(4096))
	if err != nil {
		log.Fatal(err)
	}
	for i := range 3000 {
		b.AddString(fmt.Sprint("user:", i))
	}
	data, err := b.Finish()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(data) <= 4096)
	// Output: true
}

// A builder builds one filter after another, in memory that it keeps.
func ExampleBuilder() {
	b, err := ribbon.NewBuilder(10, keyhash.XXPH3)
	if err != nil {
		log.Fatal(err)
	}
	for table := range 2 {
		for i := range 1000 {
			b.AddString(fmt.Sprint(table, "/", i))
		}
		size := b.SizeBytes()
		data, err := b.Finish()
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(len(data) == size, b.Len())
	}
	// Output:
	// true 0
	// true 0
}

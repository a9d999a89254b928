package ribbon_test

import (
	"fmt"
	"log"

	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/ribbon"
)

// A filter has the rate of a Bloom filter of the given bits per key, and takes fewer. Few keys get a
// FastLocal filter, as in RocksDB: it is smaller then.
func Example() {
	b, err := ribbon.NewBuilder(10, keyhash.XX64)
	if err != nil {
		log.Fatal(err)
	}
	for _, keys := range []int{2, 100_000} {
		for i := range keys {
			b.Add(fmt.Appendf(nil, "user:%d", i))
		}
		f, err := b.Filter()
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(f.ContainsString("user:1"), f.ContainsString("user:100001"))
		fmt.Printf("%v, %d bytes, 1 false positive in %.0f\n", f.Format(), f.SizeBytes(), 1/f.EstimatedFPR())
	}
	// Output:
	// true false
	// FastLocal, 69 bytes, 1 false positive in 1517229905
	// true false
	// Ribbon, 87781 bytes, 1 false positive in 105
}

// The bits per key to give NewBuilder for a rate.
func ExampleBitsPerKeyFor() {
	bits := ribbon.BitsPerKeyFor(1_000_000, 1e-3)
	fmt.Printf("%.2f bits/key for 1 in %.0f\n", bits, 1/ribbon.PredictedFPR(1_000_000, bits))
	// Output: 15.41 bits/key for 1 in 1000
}

// A block of a RocksDB table that is named "fullfilter." may be a Ribbon filter.
func ExampleMayContainHash() {
	b, err := ribbon.NewBuilder(10, keyhash.XXPH3) // RocksDB's key hash
	if err != nil {
		log.Fatal(err)
	}
	for i := range 1000 {
		b.Add(fmt.Appendf(nil, "user:%d", i))
	}
	block, err := b.Finish()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(ribbon.MayContainHash(block, keyhash.XXPH3.Sum64String("user:7")))
	// Output: true
}

// The keys that a partition of 4 KiB has room for.
func ExampleKeysFor() {
	fmt.Println(ribbon.KeysFor(3687, 10))
	// Output: 4130
}

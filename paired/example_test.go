package paired_test

import (
	"fmt"
	"log"

	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/paired"
)

// Build a filter, look keys up, and estimate its false-positive rate.
func Example() {
	b, err := paired.NewBuilder(23.4, keyhash.XX64)
	if err != nil {
		log.Fatal(err)
	}
	for i := range 100_000 {
		b.Add(fmt.Appendf(nil, "user:%d", i))
	}
	f, err := b.Filter()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(f.ContainsString("user:77777"), f.ContainsString("user:100001"))
	fmt.Printf("%d bytes, %d probes, 1 false positive in %.0f thousand\n",
		f.SizeBytes(), f.NumProbes(), 1e-3/f.EstimatedFPR())
	// Output:
	// true false
	// 294916 bytes, 16 probes, 1 false positive in 65 thousand
}

// Small filters waste less in batches of 32 blocks: a filter is a whole number of batches.
func ExampleWithBatchBlocks() {
	for _, blocks := range []int{128, 32} {
		b, err := paired.NewBuilder(16, keyhash.XX64, paired.WithBatchBlocks(blocks))
		if err != nil {
			log.Fatal(err)
		}
		for i := range 1100 {
			b.Add(fmt.Appendf(nil, "user:%d", i))
		}
		f, err := b.Filter()
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(f.SizeBytes(), "bytes,", f.Name())
	}
	// Output:
	// 8196 bytes, simdbloom.Paired128.XX64
	// 4100 bytes, simdbloom.Paired32.XX64
}

// Verify finds a filter that no builder has written.
func ExampleVerify() {
	zeros := append(make([]byte, 8192), 1, 16, 7, 0)
	f, err := paired.Open(zeros, keyhash.XX64)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(paired.Verify(f))
	// Output: paired: corrupt filter: block 0 is paired with itself
}

// A FastLocal filter takes 28 bits per key for the same rate.
func ExampleBitsPerKeyFor() {
	fmt.Printf("%.1f\n", paired.BitsPerKeyFor(1_000_000, 1.0/59_000))
	// Output: 23.3
}

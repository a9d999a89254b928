package linear_test

import (
	"fmt"
	"log"

	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/linear"
)

// The length of a filter's fingerprints is its false-positive rate.
func Example() {
	b, err := linear.NewBuilder(17, keyhash.XX64) // bits per key
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
	fmt.Printf("%.1f bits/key, 1 false positive in %.0f\n", 8*float64(f.SizeBytes())/100_000, 1/f.EstimatedFPR())
	// Output:
	// true false
	// 17.0 bits/key, 1 false positive in 74272
}

func ExampleBitsPerKeyFor() {
	bits := linear.BitsPerKeyFor(1_000_000, 1e-4)
	fmt.Printf("%.2f bits/key for 1 in %.0f\n", bits, 1/linear.PredictedFPR(1_000_000, bits))
	// Output: 14.08 bits/key for 1 in 10081
}

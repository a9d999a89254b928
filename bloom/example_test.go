package bloom_test

import (
	"fmt"
	"log"
	"sync"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/keyhash"
)

// Build a filter, keep its raw bytes in an engine that records format and hash, open them again and
// look keys up.
func Example() {
	b, err := bloom.NewBuilder(10, keyhash.XX64)
	if err != nil {
		log.Fatal(err)
	}
	b.AddString("apple")
	b.AddString("banana")
	data, err := b.Finish()
	if err != nil {
		log.Fatal(err)
	}

	f, err := bloom.Open(data, keyhash.XX64) // the same hash
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(f.ContainsString("apple"), f.ContainsString("cherry"))
	fmt.Println(len(data), "bytes,", f.NumProbes(), "probes")
	// Output:
	// true false
	// 69 bytes, 6 probes
}

// The bits per key that a false-positive rate takes.
func ExampleBitsPerKeyFor() {
	const n = 1_000_000
	fmt.Printf("%.1f bits per key for 1 in 100\n", bloom.BitsPerKeyFor(n, 0.01))
	fmt.Printf("10 bits per key give %.4f\n", bloom.PredictedFPR(n, 10))
	// Output:
	// 9.9 bits per key for 1 in 100
	// 10 bits per key give 0.0097
}

// The false-positive rate to expect within a number of bytes.
func ExamplePredictedFPR() {
	const budget = 1 << 20
	for _, keys := range []int{500_000, 1_000_000, 2_000_000} {
		fmt.Printf("%d keys: %.4f\n", keys, bloom.PredictedFPR(keys, 100, simdbloom.WithMaxBytes(budget)))
	}
	// Output:
	// 500000 keys: 0.0006
	// 1000000 keys: 0.0196
	// 2000000 keys: 0.1346
}

// A filter for a million keys that come while it is queried.
func ExampleNewMutable() {
	m, err := bloom.NewMutable(1_000_000, 10, keyhash.XX64)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(m.AddIfAbsent([]byte("apple")), m.AddIfAbsent([]byte("apple")))
	// Output: true false
}

// A filter that goroutines add to and query at once, stored and opened again.
func ExampleNewConcurrent() {
	seen, err := bloom.NewConcurrent(1_000_000, 10, keyhash.XX64)
	if err != nil {
		log.Fatal(err)
	}
	var wait sync.WaitGroup
	for _, key := range []string{"apple", "banana"} {
		wait.Add(1)
		go func() {
			defer wait.Done()
			seen.AddString(key)
		}()
	}
	wait.Wait()
	data, err := seen.MarshalBinary()
	if err != nil {
		log.Fatal(err)
	}

	var again simdbloom.Concurrent
	if err := again.UnmarshalBinary(data); err != nil {
		log.Fatal(err)
	}
	fmt.Println(again.AddStringIfAbsent("apple"), again.AddStringIfAbsent("cherry"))
	// Output: false true
}

// A filter with a rate that is wanted, instead of bits per key.
func ExampleNewMutableForFPR() {
	m, err := bloom.NewMutableForFPR(1_000_000, 0.001, keyhash.XX64)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.1f bits per key, %.5f\n", 8*float64(m.SizeBytes())/1e6, m.PredictedFPR(1_000_000))
	// Output: 15.5 bits per key, 0.00100
}

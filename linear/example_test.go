package linear_test

import (
	"fmt"
	"log"

	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/linear"
)

// Build a filter, store its bytes, open it again and look keys up.
func Example() {
	b, err := linear.NewBuilder(17, keyhash.XX64) // bits per key
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

	f, err := linear.Open(data, keyhash.XX64) // the same hash
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(f.ContainsString("user:77777"), f.ContainsString("user:100001"))
	fmt.Printf("%.1f bits/key, fingerprints of %d bits, 1 false positive in %.0f\n",
		8*float64(f.SizeBytes())/100_000, f.FingerprintBits(), 1/f.EstimatedFPR())
	// Output:
	// true false
	// 17.0 bits/key, fingerprints of 15 bits, 1 false positive in 32768
}

// How many bits per key a rate takes, and what rate they give.
func ExampleBitsPerKeyFor() {
	bits := linear.BitsPerKeyFor(1_000_000, 1e-4)
	fmt.Printf("%.2f bits/key for 1 in %.0f\n", bits, 1/linear.PredictedFPR(1_000_000, bits))
	// Output: 14.57 bits/key for 1 in 16384
}

// A filter that must not be larger than a block of the cache has a higher rate instead.
func ExampleWithMaxBytes() {
	b, err := linear.NewBuilder(20, keyhash.XX64, linear.WithMaxBytes(4096))
	if err != nil {
		log.Fatal(err)
	}
	for i := range 2000 {
		b.Add(fmt.Appendf(nil, "user:%d", i))
	}
	data, err := b.Finish()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(data) <= 4096)
	// Output: true
}

// Several keys in one call are looked up faster than one by one.
func ExampleFilter_ContainsKeys() {
	f := fruit()
	keys := [][]byte{[]byte("apple"), []byte("cherry"), []byte("banana")}
	hits := make([]bool, len(keys))
	f.ContainsKeys(keys, hits)
	fmt.Println(hits)
	// Output: [true false true]
}

// fruit returns a filter of apple and banana.
func fruit() *linear.Filter {
	b, err := linear.NewBuilder(16, keyhash.XX64)
	if err != nil {
		log.Fatal(err)
	}
	b.AddKeys([][]byte{[]byte("apple"), []byte("banana")})
	data, err := b.Finish()
	if err != nil {
		log.Fatal(err)
	}
	f, err := linear.Open(data, keyhash.XX64)
	if err != nil {
		log.Fatal(err)
	}
	return f
}

// A builder is empty after Finish, ready for the next table.
func ExampleBuilder_Finish() {
	b, err := linear.NewBuilder(16, keyhash.XX64)
	if err != nil {
		log.Fatal(err)
	}
	for table := range 2 {
		b.Add(fmt.Appendf(nil, "key of table %d", table))
		data, err := b.Finish()
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(len(data), b.Len())
	}
	// Output:
	// 76 0
	// 76 0
}

// The size before Finish is the largest possible one.
func ExampleBuilder_SizeBytes() {
	b, err := linear.NewBuilder(40, keyhash.XX64)
	if err != nil {
		log.Fatal(err)
	}
	for key := range 10_000 {
		b.Add(fmt.Append(nil, key))
	}
	most := b.SizeBytes()
	data, err := b.Finish()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(data), "bytes, at most", most)
	// Output: 50068 bytes, at most 50120
}

// A builder is used for one filter after another.
func ExampleBuilder_AppendFinish() {
	b, err := linear.NewBuilder(17, keyhash.XX64)
	if err != nil {
		log.Fatal(err)
	}
	var file []byte
	for table := range 3 {
		for key := range 1000 {
			b.Add(fmt.Appendf(nil, "%d/%d", table, key))
		}
		if file, err = b.AppendFinish(file); err != nil {
			log.Fatal(err)
		}
	}
	fmt.Println(len(file), "bytes of three filters")
	// Output: 6452 bytes of three filters
}

// A filter says how long its fingerprints are, and so its false-positive rate.
func ExampleFilter_FingerprintBits() {
	b, err := linear.NewBuilder(17, keyhash.XX64)
	if err != nil {
		log.Fatal(err)
	}
	for key := range 100_000 {
		b.Add(fmt.Append(nil, key))
	}
	data, err := b.Finish()
	if err != nil {
		log.Fatal(err)
	}
	f, err := linear.Open(data, keyhash.XX64)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d bits, 1 in %.0f\n", f.FingerprintBits(), 1/f.EstimatedFPR())
	fmt.Println("lines:", f.Layers())
	// Output:
	// 15 bits, 1 in 32768
	// lines: [3079 226 15 1]
}

// Open takes any bytes, and says what is wrong with them.
func ExampleOpen() {
	_, err := linear.Open([]byte{1, 2, 3}, keyhash.XX64)
	fmt.Println(err)
	// Output: linear: corrupt filter: 3 bytes: too short for the trailer, 8 bytes
}

package bloom_test

import (
	"fmt"
	"log"

	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/keyhash"
)

// Build a filter, keep its bytes, open it again and ask.
func Example() {
	b, err := bloom.NewBuilder(10, keyhash.XX64)
	if err != nil {
		log.Fatal(err)
	}
	b.Add([]byte("apple"))
	b.Add([]byte("banana"))
	data, err := b.Finish() // the bytes to store
	if err != nil {
		log.Fatal(err)
	}

	f, err := bloom.Open(data, keyhash.XX64) // the same hash
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("apple:", f.Contains([]byte("apple")))
	fmt.Println("cherry:", f.ContainsString("cherry"))
	fmt.Println(len(data), "bytes,", f.NumProbes(), "probes")
	// Output:
	// apple: true
	// cherry: false
	// 69 bytes, 6 probes
}

// Several keys in one call are answered faster than one by one.
func ExampleFilter_ContainsKeys() {
	f := fruit()
	keys := [][]byte{[]byte("apple"), []byte("cherry"), []byte("banana")}
	hits := make([]bool, len(keys))
	f.ContainsKeys(keys, hits)
	fmt.Println(hits)
	// Output: [true false true]
}

// Who asks many filters for the same keys hashes them once.
func ExampleFilter_AppendHits() {
	tables := []*bloom.Filter{fruit(), fruit()}
	keys := [][]byte{[]byte("apple"), []byte("cherry"), []byte("banana")}
	hashes := keyhash.XX64.AppendHashes(nil, keys)
	for _, f := range tables {
		fmt.Println(f.AppendHits(nil, hashes))
	}
	// Output:
	// [0 2]
	// [0 2]
}

// The bytes may come from anywhere: Open says what is wrong with them.
func ExampleOpen() {
	_, err := bloom.Open([]byte{1, 2, 3}, keyhash.XX64)
	fmt.Println(err)
	// Output: bloom: corrupt filter: 3 bytes: no room for a block and the trailer
}

// A builder is used for one filter after another.
func ExampleBuilder_AppendFinish() {
	b, err := bloom.NewBuilder(10, keyhash.XX64)
	if err != nil {
		log.Fatal(err)
	}
	var file []byte
	for table := range 3 {
		for key := range 100 {
			b.Add(fmt.Appendf(nil, "%d/%d", table, key))
		}
		if file, err = b.AppendFinish(file); err != nil {
			log.Fatal(err)
		}
	}
	fmt.Println(len(file), "bytes of three filters")
	// Output: 399 bytes of three filters
}

// How many bits per key a wanted false-positive rate takes.
func ExampleBitsPerKeyFor() {
	const n = 1_000_000
	bitsPerKey := bloom.BitsPerKeyFor(n, 0.01)
	fmt.Printf("%.1f bits per key for 1 in 100\n", bitsPerKey)
	fmt.Printf("10 bits per key give %.4f\n", bloom.PredictedFPR(n, 10))
	// Output:
	// 9.9 bits per key for 1 in 100
	// 10 bits per key give 0.0097
}

func fruit() *bloom.Filter {
	b, err := bloom.NewBuilder(10, keyhash.XX64)
	if err != nil {
		log.Fatal(err)
	}
	b.Add([]byte("apple"))
	b.Add([]byte("banana"))
	data, err := b.Finish()
	if err != nil {
		log.Fatal(err)
	}
	f, err := bloom.Open(data, keyhash.XX64)
	if err != nil {
		log.Fatal(err)
	}
	return f
}

// A filter from the middle of a file is copied to where lookups are fastest.
func ExampleFilter_CopyAligned() {
	b, err := bloom.NewBuilder(10, keyhash.XX64)
	if err != nil {
		log.Fatal(err)
	}
	b.Add([]byte("apple"))
	file, err := b.AppendFinish([]byte("header"))
	if err != nil {
		log.Fatal(err)
	}
	f, err := bloom.Open(file[len("header"):], keyhash.XX64)
	if err != nil {
		log.Fatal(err)
	}
	f = f.CopyAligned()
	clear(file) // its bytes are no longer needed
	fmt.Println(f.ContainsString("apple"))
	// Output: true
}

// A filter of a cache page, whatever comes: more keys only make it err more often.
func ExampleWithMaxBytes() {
	const page = 4096
	for _, keys := range []int{2000, 4000, 8000} {
		b, err := bloom.NewBuilder(10, keyhash.XX64, bloom.WithMaxBytes(page))
		if err != nil {
			log.Fatal(err)
		}
		for i := range keys {
			b.Add(fmt.Appendf(nil, "user:%d", i))
		}
		data, err := b.Finish()
		if err != nil {
			log.Fatal(err)
		}
		f, err := bloom.Open(data, keyhash.XX64)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(keys, "keys:", f.SizeBytes(), "bytes,", f.NumProbes(), "probes")
	}
	// Output:
	// 2000 keys: 2565 bytes, 6 probes
	// 4000 keys: 4037 bytes, 5 probes
	// 8000 keys: 4037 bytes, 3 probes
}

// What rate to expect of keys in so many bytes.
func ExamplePredictedFPRWithin() {
	const budget = 1 << 20
	for _, keys := range []int{500_000, 1_000_000, 2_000_000} {
		fmt.Printf("%d keys: %.4f\n", keys, bloom.PredictedFPRWithin(keys, 100, budget))
	}
	// Output:
	// 500000 keys: 0.0006
	// 1000000 keys: 0.0196
	// 2000000 keys: 0.1346
}

package legacy_test

import (
	"fmt"
	"log"

	"github.com/simdbloom/simdbloom/legacy"
)

// Build a filter, store its bytes, open it again and look keys up.
func Example() {
	b, err := legacy.NewBuilder(10)
	if err != nil {
		log.Fatal(err)
	}
	b.AddString("apple")
	b.AddString("banana")
	data, err := b.Finish()
	if err != nil {
		log.Fatal(err)
	}

	f, err := legacy.Open(data)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("apple:", f.ContainsString("apple"))
	fmt.Println("quince:", f.ContainsString("quince"))
	fmt.Println(len(data), "bytes,", f.NumLines(), "line,", f.NumProbes(), "probes")
	// Output:
	// apple: true
	// quince: false
	// 69 bytes, 1 line, 6 probes
}

// A table reader that finds the filter's bytes in a block cache opens nothing.
func ExampleMayContain() {
	b, err := legacy.NewBuilder(10)
	if err != nil {
		log.Fatal(err)
	}
	b.AddString("apple")
	data, err := b.Finish()
	if err != nil {
		log.Fatal(err)
	}
	cache := map[string][]byte{"000012.sst": data, "000013.sst": data[:3]}

	fmt.Println(legacy.MayContain(cache["000012.sst"], []byte("apple")))
	fmt.Println(legacy.MayContain(cache["000012.sst"], []byte("quince")))
	fmt.Println("cut off:", legacy.MayContain(cache["000013.sst"], []byte("quince")))
	// Output:
	// true
	// false
	// cut off: true
}

// RocksDB writes no filter of no keys. Pebble writes five zero bytes. With keys, both write
// the same.
func ExampleWithPebble() {
	for _, options := range [][]legacy.Option{nil, {legacy.WithPebble()}} {
		b, err := legacy.NewBuilder(10, options...)
		if err != nil {
			log.Fatal(err)
		}
		empty, err := b.Finish()
		if err != nil {
			log.Fatal(err)
		}
		b.AddString("apple")
		data, err := b.Finish()
		if err != nil {
			log.Fatal(err)
		}
		f, err := legacy.Open(empty)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("[% x] is %v; a key: % x\n", empty, f.Kind(), data[64:])
	}
	// Output:
	// [] is empty; a key: 06 01 00 00 00
	// [00 00 00 00 00] is empty; a key: 06 01 00 00 00
}

// The rate collapses where the number of lines is near a power of two, a weakness of the
// format. A few more keys end that.
func ExamplePredictedFPR() {
	for _, n := range []int{3_000_000, 3_355_392, 3_358_771} {
		fmt.Printf("%d keys: %.1f %%\n", n, 100*legacy.PredictedFPR(n, 10))
	}
	// Output:
	// 3000000 keys: 1.2 %
	// 3355392 keys: 6.9 %
	// 3358771 keys: 1.3 %
}

// Where a table is not to have a larger filter, the rate rises instead.
func ExampleWithMaxBytes() {
	for _, n := range []int{3000, 6000} {
		b, err := legacy.NewBuilder(10, legacy.WithMaxBytes(4096))
		if err != nil {
			log.Fatal(err)
		}
		for key := range n {
			b.Add(fmt.Appendf(nil, "%d", key))
		}
		data, err := b.Finish()
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%d keys: %d bytes, %.0f %%\n", n, len(data), 100*legacy.PredictedFPR(n, 10, legacy.WithMaxBytes(4096)))
	}
	// Output:
	// 3000 keys: 3781 bytes, 1 %
	// 6000 keys: 4037 bytes, 8 %
}

// A builder is used for one filter after another, and may append them to a file.
func ExampleBuilder_AppendFinish() {
	b, err := legacy.NewBuilder(10)
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
	// Output: 591 bytes of three filters
}

// Keys that are looked up in many filters are hashed once.
func ExampleFilter_AppendHits() {
	b, err := legacy.NewBuilder(10)
	if err != nil {
		log.Fatal(err)
	}
	b.AddKeys([][]byte{[]byte("apple"), []byte("banana")})
	data, err := b.Finish()
	if err != nil {
		log.Fatal(err)
	}

	var hashes []uint32
	for _, key := range []string{"apple", "quince", "banana"} {
		hashes = append(hashes, legacy.Hash([]byte(key)))
	}
	f, err := legacy.Open(data)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(f.AppendHits(nil, hashes))
	// Output: [0 2]
}

// Open takes any bytes, and says what is wrong with them.
func ExampleOpen() {
	_, err := legacy.Open([]byte{6, 1, 0, 0, 0})
	fmt.Println(err)
	f, err := legacy.Open(make([]byte, 69))
	fmt.Println(f.Kind(), f.Contains([]byte("any key")), err)
	// Output:
	// legacy: corrupt filter: 5 bytes: too short for a line and the trailer, 6 bytes
	// reserved true <nil>
}

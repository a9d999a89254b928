package legacy_test

import (
	"fmt"
	"log"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/legacy"
)

// Build a filter and look keys up. The zero Hash stands for the format's own.
func Example() {
	b, err := legacy.NewBuilder(10, keyhash.Hash{})
	if err != nil {
		log.Fatal(err)
	}
	b.AddString("apple")
	b.AddString("banana")
	f, err := b.Filter()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(f.ContainsString("apple"), f.ContainsString("quince"))
	fmt.Println(f.SizeBytes(), "bytes,", f.NumProbes(), "probes,", f.Hash().Name())
	// Output:
	// true false
	// 69 bytes, 6 probes, RocksDB32
}

// A table reader that finds the filter's bytes in a block cache opens nothing.
func ExampleMayContain() {
	b, err := legacy.NewBuilder(10, keyhash.Hash{})
	if err != nil {
		log.Fatal(err)
	}
	b.AddString("apple")
	data, err := b.Finish()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(legacy.MayContain(data, []byte("apple")), legacy.MayContain(data, []byte("quince")))
	fmt.Println("cut off:", legacy.MayContain(data[:3], []byte("quince")))
	// Output:
	// true false
	// cut off: true
}

// Without keys RocksDB writes no bytes, and Pebble five zeros. With keys, both write the same.
func ExampleWithPebble() {
	for _, options := range [][]simdbloom.Option{nil, {legacy.WithPebble()}} {
		b, err := legacy.NewBuilder(10, keyhash.Hash{}, options...)
		if err != nil {
			log.Fatal(err)
		}
		f, err := b.Filter()
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("[% x] is %v\n", f.Bytes(), f.Format())
	}
	// Output:
	// [] is empty
	// [00 00 00 00 00] is empty
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

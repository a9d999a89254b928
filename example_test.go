package simdbloom_test

import (
	"errors"
	"fmt"
	"log"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/legacy"
	"github.com/simdbloom/simdbloom/linear"
	"github.com/simdbloom/simdbloom/paired"
)

// must returns the value, or ends the program.
func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

// filterOf returns a filter of keys.
func filterOf(keys ...string) *simdbloom.Filter {
	b := must(bloom.NewBuilder(10, keyhash.XX64))
	for _, key := range keys {
		b.AddString(key)
	}
	return must(b.Filter())
}

// Build a filter, look keys up, store it and read it again.
func Example() {
	b, err := linear.NewBuilder(16, keyhash.XX64) // bits per key, key hash
	if err != nil {
		log.Fatal(err)
	}
	b.AddString("apple")
	b.Add([]byte("banana"))
	b.AddUint64(42)
	f, err := b.Filter()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(f.ContainsString("apple"), f.ContainsString("cherry"), f.ContainsUint64(42))

	data, err := f.MarshalBinary() // format, key hash and checksums included
	if err != nil {
		log.Fatal(err)
	}
	var g simdbloom.Filter
	if err := g.UnmarshalBinary(data); err != nil {
		log.Fatal(err)
	}
	fmt.Println(g.ContainsString("banana"), g.Name())
	// Output:
	// true false true
	// true simdbloom.Linear.XX64
}

// One call looks up many keys, in less time than one by one.
func ExampleFilter() {
	f := filterOf("apple", "banana")
	hits := make([]bool, 3)
	f.ContainsKeys([][]byte{[]byte("apple"), []byte("cherry"), []byte("banana")}, hits)
	fmt.Println(hits)
	fmt.Println(f.Format(), f.SizeBytes(), "bytes,", f.NumProbes(), "probes, keys hashed with", f.Hash().Name())
	// Output:
	// [true false true]
	// FastLocal 69 bytes, 6 probes, keys hashed with XX64
}

// Keys that are looked up in several filters are hashed once.
func ExampleFilter_AppendHits() {
	keys := [][]byte{[]byte("apple"), []byte("cherry"), []byte("banana")}
	hashes := keyhash.XX64.AppendHashes(nil, keys)
	for _, f := range []*simdbloom.Filter{filterOf("apple", "banana"), filterOf("cherry")} {
		fmt.Println(f.AppendHits(nil, hashes))
	}
	// Output:
	// [0 2]
	// [1]
}

// Keys that are integers are hashed and looked up many at a time.
func ExampleFilter_ContainsUint64s() {
	b := must(bloom.NewBuilder(10, keyhash.XX64))
	b.AddUint64s([]uint64{1, 2, 3})
	hits := make([]bool, 4)
	must(b.Filter()).ContainsUint64s([]uint64{3, 4, 5, 1}, hits)
	fmt.Println(hits)
	// Output: [true false false true]
}

// A filter from the middle of a file is copied to where lookups are fastest.
func ExampleFilter_CopyAligned() {
	b := must(bloom.NewBuilder(10, keyhash.XX64))
	b.AddString("apple")
	file := must(b.AppendFinish([]byte("header")))

	f := must(bloom.Open(file[len("header"):], keyhash.XX64)).CopyAligned()
	clear(file) // its bytes are no longer needed
	fmt.Println(f.ContainsString("apple"))
	// Output: true
}

// A builder builds one filter after another, here those of three tables in one file.
func ExampleBuilder() {
	b := must(bloom.NewBuilder(10, keyhash.XX64))
	var file []byte
	for table := range 3 {
		for key := range 100 {
			b.Add(fmt.Appendf(nil, "%d/%d", table, key))
		}
		fmt.Println(b.Len(), "keys,", b.SizeBytes(), "bytes")
		file = must(b.AppendFinish(file)) // b is empty again
	}
	fmt.Println(len(file), "bytes")
	// Output:
	// 100 keys, 133 bytes
	// 100 keys, 133 bytes
	// 100 keys, 133 bytes
	// 399 bytes
}

// An option that a format does not support is an error.
func ExampleOption() {
	options := []simdbloom.Option{simdbloom.WithConcurrency(4), simdbloom.WithSizeBytes(64<<10 + 5)}
	b := must(bloom.NewBuilder(10, keyhash.XX64, options...))
	b.AddString("apple")
	fmt.Println(b.SizeBytes(), "bytes")

	_, err := linear.NewBuilder(10, keyhash.XX64, options...)
	fmt.Println(err)
	// Output:
	// 65541 bytes
	// simdbloom: Linear: the format has no option WithSizeBytes
}

// A filter of at most a page. More keys only raise its false-positive rate.
func ExampleWithMaxBytes() {
	const page = 4096
	b := must(bloom.NewBuilder(10, keyhash.XX64, simdbloom.WithMaxBytes(page)))
	for _, keys := range []int{2000, 4000, 8000} {
		for i := range keys {
			b.Add(fmt.Appendf(nil, "user:%d", i))
		}
		f := must(b.Filter())
		fmt.Printf("%d keys: %d bytes, %d probes, 1 in %.0f\n",
			keys, f.SizeBytes(), f.NumProbes(), 1/bloom.PredictedFPR(keys, 10, simdbloom.WithMaxBytes(page)))
	}
	// Output:
	// 2000 keys: 2565 bytes, 6 probes, 1 in 115
	// 4000 keys: 4037 bytes, 5 probes, 1 in 44
	// 8000 keys: 4037 bytes, 3 probes, 1 in 7
}

// Every filter has exactly the size of its place in a file.
func ExampleWithSizeBytes() {
	b := must(paired.NewBuilder(16, keyhash.XX64, paired.WithBatchBlocks(32), simdbloom.WithSizeBytes(2*2048+4)))
	for _, keys := range []int{100, 1000} {
		for i := range keys {
			b.AddUint64(uint64(i))
		}
		f := must(b.Filter())
		fmt.Println(keys, "keys:", f.SizeBytes(), "bytes,", f.NumProbes(), "probes")
	}
	// Output:
	// 100 keys: 4100 bytes, 24 probes
	// 1000 keys: 4100 bytes, 22 probes
}

// The readers of a format also open bytes of others. Format says which they are.
func ExampleFormat() {
	for _, data := range [][]byte{
		filterOf("apple").Bytes(),
		nil,             // a filter without keys
		make([]byte, 6), // what RocksDB writes if it cannot build a filter
	} {
		f := must(bloom.Open(data, keyhash.XX64))
		fmt.Println(f.Format(), f.ContainsString("apple"), f.ContainsString("cherry"))
	}
	// Output:
	// FastLocal true false
	// empty false false
	// reserved true true
}

// Open takes any bytes, and says what is wrong with them.
func ExampleOpen() {
	_, err := simdbloom.Open(simdbloom.FastLocal, []byte{1, 2, 3}, keyhash.XX64)
	fmt.Println(err)
	fmt.Println(errors.Is(err, simdbloom.ErrCorrupt))
	// Output:
	// simdbloom: FastLocal: corrupt filter: 3 bytes: too short for a block and the trailer, 69 bytes
	// true
}

// An engine that records a filter's name beside its bytes opens filters of all formats.
func ExampleOpenNamed() {
	type table struct {
		filterName string
		filter     []byte
	}
	b := must(legacy.NewBuilder(10, keyhash.Hash{})) // the zero Hash: the format's own
	b.AddString("apple")
	var tables []table
	for _, f := range []*simdbloom.Filter{filterOf("apple"), must(b.Filter())} {
		tables = append(tables, table{f.Name(), f.Bytes()})
	}
	for _, t := range tables {
		f := must(simdbloom.OpenNamed(t.filterName, t.filter, keyhash.Hash{})) // the name says the hash
		fmt.Println(t.filterName, f.ContainsString("apple"), f.ContainsString("cherry"))
	}
	// Output:
	// simdbloom.FastLocal.XX64 true false
	// simdbloom.Legacy.RocksDB32 true false
}

package bloom_test

import (
	"fmt"
	"log"

	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/keyhash"
)

// Build a filter, store its bytes, open it again and look keys up.
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

// Several keys in one call are looked up faster than one by one.
func ExampleFilter_ContainsKeys() {
	f := fruit()
	keys := [][]byte{[]byte("apple"), []byte("cherry"), []byte("banana")}
	hits := make([]bool, len(keys))
	f.ContainsKeys(keys, hits)
	fmt.Println(hits)
	// Output: [true false true]
}

// Keys that are looked up in many filters are hashed once.
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

// Open takes any bytes, and says what is wrong with them.
func ExampleOpen() {
	_, err := bloom.Open([]byte{1, 2, 3}, keyhash.XX64)
	fmt.Println(err)
	// Output: bloom: corrupt filter: 3 bytes: too short for a block and the trailer, 69 bytes
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

// Many keys in one call are added faster than one by one.
func ExampleBuilder_AddKeys() {
	b, err := bloom.NewBuilder(10, keyhash.XX64)
	if err != nil {
		log.Fatal(err)
	}
	b.AddKeys([][]byte{[]byte("apple"), []byte("banana"), []byte("banana")})
	b.AddString("cherry")
	fmt.Println(b.Len(), "keys,", b.SizeBytes(), "bytes")
	// Output: 3 keys, 69 bytes
}

// A filter has all that is needed to store it and to open it again: its bytes, and
// the key hash, whose name belongs beside them.
func ExampleFilter_Bytes() {
	f := fruit().CopyAligned()
	fmt.Println(len(f.Bytes()), "bytes, keys hashed with", f.Hash().Name())

	again, err := bloom.Open(f.Bytes(), f.Hash())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(again.ContainsString("apple"), again.ContainsString("cherry"))
	// Output:
	// 69 bytes, keys hashed with XX64
	// true false
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

// A filter of at most a page. More keys only raise its false-positive rate.
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

// What false-positive rate to expect within a number of bytes.
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

// A Get of an LSM tree looks into the newest table first. Tables whose filters do not
// contain the key are not read.
func ExampleAppendFilters() {
	tables := []map[string]string{ // the newest first
		{"apple": "red"},
		{"banana": "yellow", "cherry": "dark red"},
		{"apple": "green", "cherry": "red"},
	}
	filters := make([]*bloom.Filter, len(tables))
	for i, table := range tables {
		filters[i] = filterOf(table)
	}
	for _, key := range []string{"apple", "cherry", "date"} {
		for _, i := range bloom.AppendFilters(nil, filters, keyhash.XX64.Sum64String(key)) {
			if value, ok := tables[i][key]; ok {
				fmt.Printf("%s: %s, from table %d\n", key, value, i)
				break
			}
		}
	}
	// Output:
	// apple: red, from table 0
	// cherry: dark red, from table 1
}

// A multi-get over the levels of an LSM tree: each level is read for the keys that it
// may contain and that no newer level had.
func ExampleCandidates() {
	levels := []map[string]string{ // the newest first
		{"apple": "red"},
		{"banana": "yellow", "cherry": "dark red"},
		{"apple": "green", "cherry": "red", "date": "brown"},
	}
	filters := make([]*bloom.Filter, len(levels))
	for i, level := range levels {
		filters[i] = filterOf(level)
	}

	keys := [][]byte{[]byte("apple"), []byte("cherry"), []byte("date"), []byte("elderberry")}
	hashes := keyhash.XX64.AppendHashes(nil, keys)
	wanted := make([]uint64, (len(keys)+63)/64)
	for i := range wanted {
		wanted[i] = ^uint64(0) // all of the keys
	}
	for level, candidates := range bloom.Candidates(filters, hashes, wanted) {
		for _, i := range candidates {
			// A value or a deletion would end the search for a key, but not an operand of
			// a merge.
			if value, ok := levels[level][string(keys[i])]; ok {
				fmt.Printf("level %d: %s is %s\n", level, keys[i], value)
				wanted[i/64] &^= 1 << (i % 64)
			}
		}
	}
	for i, key := range keys {
		if wanted[i/64]>>(i%64)&1 != 0 {
			fmt.Printf("%s was not found\n", key)
		}
	}
	// Output:
	// level 0: apple is red
	// level 1: cherry is dark red
	// level 2: date is brown
	// elderberry was not found
}

// filterOf returns a filter of a table's keys.
func filterOf(table map[string]string) *bloom.Filter {
	b, err := bloom.NewBuilder(10, keyhash.XX64)
	if err != nil {
		log.Fatal(err)
	}
	for key := range table {
		b.AddString(key)
	}
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

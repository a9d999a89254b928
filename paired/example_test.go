package paired_test

import (
	"fmt"
	"log"

	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/paired"
)

// Build a filter, store its bytes, open it again and look keys up.
func Example() {
	b, err := paired.NewBuilder(23.4, keyhash.XX64)
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

	f, err := paired.Open(data, keyhash.XX64) // the same hash
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
	tables := []*paired.Filter{fruit(), fruit()}
	keys := [][]byte{[]byte("apple"), []byte("cherry"), []byte("banana")}
	hashes := keyhash.XX64.AppendHashes(nil, keys)
	for _, f := range tables {
		fmt.Println(f.AppendHits(nil, hashes))
	}
	// Output:
	// [0 2]
	// [0 2]
}

// fruit returns a filter of apple and banana.
func fruit() *paired.Filter {
	b, err := paired.NewBuilder(16, keyhash.XX64, paired.WithBatchBlocks(32))
	if err != nil {
		log.Fatal(err)
	}
	b.Add([]byte("apple"))
	b.Add([]byte("banana"))
	data, err := b.Finish()
	if err != nil {
		log.Fatal(err)
	}
	f, err := paired.Open(data, keyhash.XX64)
	if err != nil {
		log.Fatal(err)
	}
	return f
}

// Many keys in one call are added faster than one by one.
func ExampleBuilder_AddKeys() {
	b, err := paired.NewBuilder(23.4, keyhash.XX64, paired.WithBatchBlocks(32))
	if err != nil {
		log.Fatal(err)
	}
	b.AddKeys([][]byte{[]byte("apple"), []byte("banana"), []byte("banana")})
	b.AddString("cherry")
	fmt.Println(b.Len(), "keys,", b.SizeBytes(), "bytes")
	// Output: 3 keys, 2052 bytes
}

// Small filters waste less in batches of 32 lines; a filter is a whole number of
// batches.
func ExampleWithBatchBlocks() {
	for _, blocks := range []int{128, 32} {
		b, err := paired.NewBuilder(16, keyhash.XX64, paired.WithBatchBlocks(blocks))
		if err != nil {
			log.Fatal(err)
		}
		for i := range 1100 {
			b.Add(fmt.Appendf(nil, "user:%d", i))
		}
		fmt.Println(b.SizeBytes(), "bytes for", b.Len(), "keys")
	}
	// Output:
	// 8196 bytes for 1100 keys
	// 4100 bytes for 1100 keys
}

// Verify finds a filter that no builder has written.
func ExampleFilter_Verify() {
	zeros := append(make([]byte, 8192), 1, 16, 7, 0)
	f, err := paired.Open(zeros, keyhash.XX64)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(f.Verify())
	// Output: paired: corrupt filter: line 0 is paired with itself
}

// A FastLocal filter takes 28 bits per key for the same rate.
func ExampleBitsPerKeyFor() {
	fmt.Printf("%.1f\n", paired.BitsPerKeyFor(1_000_000, 1.0/59_000))
	// Output: 23.3
}

// A filter of at most 20 kB. It has the number of probes and the batches with the
// lowest false-positive rate for its keys.
func ExampleWithMaxBytes() {
	for _, keys := range []int{6000, 10_000, 30_000} {
		b, err := paired.NewBuilder(23.4, keyhash.XX64, paired.WithMaxBytes(20_000))
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
		f, err := paired.Open(data, keyhash.XX64)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%d keys: %d bytes, %d probes, batches of %d\n", keys, f.SizeBytes(), f.NumProbes(), f.BatchBlocks())
	}
	// Output:
	// 6000 keys: 18436 bytes, 16 probes, batches of 32
	// 10000 keys: 18436 bytes, 10 probes, batches of 32
	// 30000 keys: 18436 bytes, 4 probes, batches of 32
}

// What false-positive rate to expect within a number of bytes.
func ExamplePredictedFPRWithin() {
	const budget = 1 << 20
	for _, keys := range []int{500_000, 1_000_000, 2_000_000} {
		fmt.Printf("%d keys: %.5f\n", keys, paired.PredictedFPRWithin(keys, 100, budget))
	}
	// Output:
	// 500000 keys: 0.00038
	// 1000000 keys: 0.01891
	// 2000000 keys: 0.14678
}

// A Get of an LSM tree looks into the newest table first. Tables whose filters do not
// contain the key are not read.
func ExampleAppendFilters() {
	tables := []map[string]string{ // the newest first
		{"apple": "red"},
		{"banana": "yellow", "cherry": "dark red"},
		{"apple": "green", "cherry": "red"},
	}
	filters := make([]*paired.Filter, len(tables))
	for i, table := range tables {
		filters[i] = filterOf(table)
	}
	for _, key := range []string{"apple", "cherry", "date"} {
		for _, i := range paired.AppendFilters(nil, filters, keyhash.XX64.Sum64String(key)) {
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
	filters := make([]*paired.Filter, len(levels))
	for i, level := range levels {
		filters[i] = filterOf(level)
	}

	keys := [][]byte{[]byte("apple"), []byte("cherry"), []byte("date"), []byte("elderberry")}
	hashes := keyhash.XX64.AppendHashes(nil, keys)
	wanted := make([]uint64, (len(keys)+63)/64)
	for i := range wanted {
		wanted[i] = ^uint64(0) // all of the keys
	}
	for level, candidates := range paired.Candidates(filters, hashes, wanted) {
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
func filterOf(table map[string]string) *paired.Filter {
	b, err := paired.NewBuilder(23.4, keyhash.XX64)
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
	f, err := paired.Open(data, keyhash.XX64)
	if err != nil {
		log.Fatal(err)
	}
	return f
}

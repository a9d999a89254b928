package policy_test

import (
	"fmt"
	"log"

	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/policy"
	"github.com/simdbloom/simdbloom/ribbon"
)

// A filter by the name that Speedb's options have for it.
func ExampleParse() {
	p, err := policy.Parse("speedb.PairedBloomFilter:23.4")
	if err != nil {
		log.Fatal(err)
	}
	b := p.NewBuilder()
	b.Add([]byte("apple"))
	data, err := b.Finish()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(p.MayContain(data, []byte("apple")), p.MayContain(data, []byte("cherry")))
	fmt.Println("recorded beside the filters:", p.Name())
	// Output:
	// true false
	// recorded beside the filters: simdbloom.Paired32.XXPH3
}

// One builder builds the filter of one table after another.
func ExampleBuilder() {
	p, err := policy.Parse("rocksdb.BloomFilter:10")
	if err != nil {
		log.Fatal(err)
	}
	var b policy.Builder = p.NewBuilder()
	for _, keys := range [][]string{{"apple", "banana"}, {"cherry"}} {
		for _, key := range keys {
			b.AddString(key)
		}
		fmt.Print(b.Len(), " keys, ")
		data, err := b.Finish() // b is empty again
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(len(data), "bytes")
	}
	// Output:
	// 2 keys, 69 bytes
	// 1 keys, 69 bytes
}

// A filter that stays open answers many keys in one call. What only one package's filters
// have is found by a type assertion.
func ExampleFilter() {
	p := policy.FastLocal(10)
	b := p.NewBuilder()
	b.AddKeys([][]byte{[]byte("apple"), []byte("banana")})
	data, err := b.Finish()
	if err != nil {
		log.Fatal(err)
	}

	f, err := p.Open(data)
	if err != nil {
		log.Fatal(err)
	}
	hits := make([]bool, 3)
	f.ContainsKeys([][]byte{[]byte("apple"), []byte("cherry"), []byte("banana")}, hits)
	fmt.Println(hits)
	if own, ok := f.(interface{ Kind() bloom.Kind }); ok {
		fmt.Println(own.Kind())
	}
	// Output:
	// [true false true]
	// FastLocal
}

// An adapter for a database looks up keys in bytes that the database hands over.
func ExampleLookupOf() {
	p := policy.Paired(23.4)
	b := p.NewBuilder()
	b.AddString("apple")
	data := policy.AppendFilter(nil, b)

	mayContain := policy.LookupOf(p) // once
	fmt.Println(mayContain(data, []byte("apple")), mayContain(data, []byte("cherry")))
	// Output: true false
}

// The tables of the bottommost level hold most of a store's keys: Speedb rounds
// their filters down to whole batches.
func ExampleWithRoundDown() {
	p, err := policy.Parse("speedb.PairedBloomFilter:10")
	if err != nil {
		log.Fatal(err)
	}
	up, down := p.NewBuilder(), p.NewBuilder(policy.WithRoundDown())
	for i := range 3000 {
		key := fmt.Appendf(nil, "user:%d", i)
		up.Add(key)
		down.Add(key)
	}
	fmt.Println(up.SizeBytes(), down.SizeBytes())
	// Output: 4100 2052
}

// Most keys of a store are in its last levels, where memory counts most: there a table gets a
// Ribbon filter, and above a FastLocal one, which is built and looked up in less time.
func ExampleWithLevel() {
	p, err := policy.Parse("ribbonfilter:10:2") // as RocksDB with bloom_before_level=2
	if err != nil {
		log.Fatal(err)
	}
	for _, level := range []int{-1, 1, 2} { // -1: flushed from memory
		b := p.NewBuilder(policy.WithLevel(level))
		for i := range 10_000 {
			b.Add(fmt.Appendf(nil, "user:%d", i))
		}
		data, err := b.Finish()
		if err != nil {
			log.Fatal(err)
		}
		f, err := ribbon.Open(data, p.Hash()) // reads both
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("level %2d: %-9v %5d bytes, 1 false positive in %.0f\n",
			level, f.Kind(), len(data), 1/p.PredictedFPR(10_000, policy.WithLevel(level)))
	}
	// Output:
	// level -1: FastLocal 12549 bytes, 1 false positive in 105
	// level  1: FastLocal 12549 bytes, 1 false positive in 105
	// level  2: Ribbon     8805 bytes, 1 false positive in 106
}

// A store that limits the memory of a table's filter, however many keys there are.
func ExampleWithMaxBytes() {
	p, err := policy.Parse("rocksdb.BloomFilter:10")
	if err != nil {
		log.Fatal(err)
	}
	for _, keys := range []int{1000, 100_000, 200_000} {
		b := p.NewBuilder(policy.WithMaxBytes(100_000), policy.WithConcurrency(4))
		for i := range keys {
			b.Add(fmt.Appendf(nil, "user:%d", i))
		}
		rate := p.PredictedFPR(keys, policy.WithMaxBytes(100_000))
		fmt.Printf("%6d keys: %d bytes, 1 false positive in %.0f\n", keys, b.SizeBytes(), 1/rate)
	}
	// Output:
	//   1000 keys: 1285 bytes, 1 false positive in 115
	// 100000 keys: 99973 bytes, 1 false positive in 43
	// 200000 keys: 99973 bytes, 1 false positive in 7
}

package policy_test

import (
	"fmt"
	"log"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/policy"
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

// A store opens filters by the name that it recorded, whatever policy it has today.
func ExampleForName() {
	b := policy.Paired(23.4).NewBuilder()
	b.AddString("apple")
	data := policy.AppendFilter(nil, b)

	p, err := policy.ForName("simdbloom.Paired128.XX64")
	if err != nil {
		log.Fatal(err)
	}
	f, err := p.Open(data)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(f.Format(), f.ContainsString("apple"), f.ContainsString("cherry")) // a filter of few keys is FastLocal's
	// Output: FastLocal true false
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
		f, err := b.Filter()
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("level %2d: %-9v %5d bytes, 1 false positive in %.0f\n",
			level, f.Format(), f.SizeBytes(), 1/p.PredictedFPR(10_000, policy.WithLevel(level)))
	}
	// Output:
	// level -1: FastLocal 12549 bytes, 1 false positive in 105
	// level  1: FastLocal 12549 bytes, 1 false positive in 105
	// level  2: Ribbon     8805 bytes, 1 false positive in 106
}

// A store that limits the memory of a table's filter, however many keys there are.
func ExamplePolicy_PredictedFPR() {
	p, err := policy.Parse("rocksdb.BloomFilter:10")
	if err != nil {
		log.Fatal(err)
	}
	for _, keys := range []int{1000, 100_000, 200_000} {
		b := p.NewBuilder(simdbloom.WithMaxBytes(100_000), simdbloom.WithConcurrency(4))
		for i := range keys {
			b.Add(fmt.Appendf(nil, "user:%d", i))
		}
		rate := p.PredictedFPR(keys, simdbloom.WithMaxBytes(100_000))
		fmt.Printf("%6d keys: %d bytes, 1 false positive in %.0f\n", keys, b.SizeBytes(), 1/rate)
	}
	// Output:
	//   1000 keys: 1285 bytes, 1 false positive in 115
	// 100000 keys: 99973 bytes, 1 false positive in 43
	// 200000 keys: 99973 bytes, 1 false positive in 7
}

// Bits per key for the levels of an LSM tree: less than half of the reads, in the memory of 10 in every level.
func ExamplePolicy_ByLevel() {
	p := policy.FastLocal(10)
	keys := []int{100_000, 1_000_000, 10_000_000}
	levels, err := p.ByLevel(int64(keys[0]), int64(keys[1]), int64(keys[2]))
	if err != nil {
		log.Fatal(err)
	}
	reads, same := 0.0, 0.0
	for i, level := range levels {
		fpr := level.PredictedFPR(keys[i])
		fmt.Printf("%d keys: %.1f bits per key, a rate of %.2f %%\n", keys[i], level.BitsPerKey(), 100*fpr)
		reads += 1000 * fpr
		same += 1000 * p.PredictedFPR(keys[i])
	}
	fmt.Printf("%.1f reads per 1000 absent keys, and %.1f with %v in every level\n", reads, same, p)
	// Output:
	// 100000 keys: 20.8 bits per key, a rate of 0.02 %
	// 1000000 keys: 14.7 bits per key, a rate of 0.14 %
	// 10000000 keys: 9.4 bits per key, a rate of 1.24 %
	// 13.9 reads per 1000 absent keys, and 29.0 with simdbloom.FastLocal:10 in every level
}

// Tables of any number of keys have the rate.
func ExampleWithFPR() {
	p, err := policy.WithFPR(simdbloom.Paired, 0.001)
	if err != nil {
		log.Fatal(err)
	}
	for _, n := range []int{100, 10_000} {
		b := p.NewBuilder()
		for i := range uint64(n) {
			b.AddUint64(i)
		}
		fmt.Println(n, "keys:", b.SizeBytes(), "bytes,", p.PredictedFPR(n) <= 0.001)
	}
	fmt.Println(p)
	// Output:
	// 100 keys: 197 bytes, true
	// 10000 keys: 18436 bytes, true
	// simdbloom.Paired:fpr=0.001
}

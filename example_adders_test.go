package simdbloom_test

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/keyhash"
)

// Add keys and look them up in turn.
func ExampleMutable() {
	seen := must(bloom.NewMutable(1_000_000, 10, keyhash.XX64)) // a million keys, at 10 bits each
	for _, word := range []string{"apple", "banana", "apple", "cherry"} {
		if seen.ContainsString(word) {
			fmt.Println("again:", word)
		}
		seen.AddString(word)
	}
	// Output: again: apple
}

// AddIfAbsent looks up and adds in one step.
func ExampleMutable_AddIfAbsent() {
	seen := must(bloom.NewMutable(1000, 10, keyhash.XX64))
	for _, word := range []string{"apple", "banana", "apple"} {
		fmt.Println(word, seen.AddIfAbsent([]byte(word)))
	}
	// Output:
	// apple true
	// banana true
	// apple false
}

// The values of a column that are new, batch by batch.
func ExampleMutable_AddColumnIfAbsent() {
	seen := must(bloom.NewMutable(1000, 10, keyhash.XX64))
	for _, batch := range [][]int64{{4, 8, 4}, {8, 15}} {
		added := make([]uint64, (len(batch)+63)/64) // a bit for each value
		seen.AddColumnIfAbsent(keyhash.Values(batch), added)
		for i, value := range batch {
			if added[i/64]>>(i%64)&1 != 0 {
				fmt.Println("new:", value)
			}
		}
	}
	// Output:
	// new: 4
	// new: 8
	// new: 15
}

// A set of unknown size: when the newest filter has as many keys as it was made for, a larger one
// is put before it.
func ExampleMutable_Capacity() {
	newest := func(keys int) *simdbloom.Mutable { return must(bloom.NewMutable(keys, 12, keyhash.XX64)) }
	filters, added := []*simdbloom.Mutable{newest(1000)}, 0
	contains := func(hash uint64) bool {
		return slices.ContainsFunc(filters, func(m *simdbloom.Mutable) bool { return m.ContainsHash(hash) })
	}
	for i := range uint64(10_000) {
		hash := keyhash.XX64.SumUint64(i)
		if contains(hash) {
			continue
		}
		if capacity := filters[0].Capacity(); added == capacity {
			filters, added = slices.Insert(filters, 0, newest(2*capacity)), 0
		}
		filters[0].AddHash(hash)
		added++
	}
	fmt.Println(len(filters), "filters,", contains(keyhash.XX64.SumUint64(77)))
	// Output: 4 filters, true
}

// More keys than expected are all found. The false-positive rate rises.
func ExampleMutable_Full() {
	m := must(bloom.NewMutable(10_000, 10, keyhash.XX64))
	for i := range 20_000 {
		m.Add(fmt.Appendf(nil, "user:%d", i))
		if (i+1)%10_000 == 0 {
			fmt.Printf("%d keys: full %v, rate %.2f\n", i+1, m.Full(), m.EstimatedFPR())
		}
	}
	// Output:
	// 10000 keys: full false, rate 0.01
	// 20000 keys: full true, rate 0.12
}

// Filters of the same size, which several workers fill, are united.
func ExampleMutable_Union() {
	all := must(bloom.NewMutable(1000, 10, keyhash.XX64))
	for _, words := range [][]string{{"apple", "banana"}, {"cherry"}} {
		some := must(bloom.NewMutable(1000, 10, keyhash.XX64))
		for _, word := range words {
			some.AddString(word)
		}
		if err := all.Union(some); err != nil {
			fmt.Println(err)
		}
	}
	fmt.Printf("%.0f keys, %v\n", all.EstimatedKeys(), all.ContainsString("cherry"))
	// Output: 3 keys, true
}

// A filter of exactly a mebibyte, which FoldTo can halve.
func ExampleNewMutable() {
	m := must(simdbloom.NewMutable(simdbloom.SplitBlock, 1_000_000, 10, keyhash.XX64, simdbloom.WithSizeBytes(1<<20)))
	m.AddColumn(keyhash.Values([]int64{-7, 7, 49}))
	fmt.Println(m.SizeBytes(), m.FoldTo(0.01), m.SizeBytes(), m.ContainsUint64(49))

	_, err := bloom.NewMutable(1_000_000, 10, keyhash.XX64, simdbloom.WithSizeBytes(1<<20))
	fmt.Println(err)
	// Output:
	// 1048576 15 32 true
	// simdbloom: WithSizeBytes must be 5 more than a multiple of 64, such as 1048517 and 1048581, not 1048576
}

// Keys are added to a filter that was stored.
func ExampleOpenMutable() {
	stored := filterOf("apple").Bytes()
	m := must(simdbloom.OpenMutable(simdbloom.FastLocal, stored, keyhash.XX64)) // a copy of the bytes
	m.AddString("banana")
	fmt.Println(m.ContainsString("apple"), m.ContainsString("banana"))
	// Output: true true
}

// A stored Mutable takes more keys.
func ExampleMutable_UnmarshalBinary() {
	seen := must(bloom.NewMutable(1000, 10, keyhash.XX64))
	seen.AddString("apple")
	data := must(seen.MarshalBinary())

	var again simdbloom.Mutable
	if err := again.UnmarshalBinary(data); err != nil {
		fmt.Println(err)
	}
	again.AddString("banana")
	fmt.Println(again.ContainsString("apple"), again.ContainsString("banana"), again.ContainsString("cherry"))
	// Output: true true false
}

// Many goroutines meet URLs. "New" means that nobody had added the URL before the call: goroutines that meet a new one
// at the same moment may all be told so. "Not new" is wrong for a few new URLs, at the false-positive rate.
func ExampleConcurrent_AddStringIfAbsent() {
	seen := must(bloom.NewConcurrentForFPR(1_000_000, 0.001, keyhash.XX64))
	pages := [][]string{
		{"https://example.com/", "https://example.com/a"},
		{"https://example.com/", "https://example.com/b"},
	}
	var fetched atomic.Int64
	var crawling sync.WaitGroup
	for _, links := range pages {
		crawling.Add(1)
		go func() {
			defer crawling.Done()
			for _, url := range links {
				if seen.AddStringIfAbsent(url) {
					fetched.Add(1) // here: fetch the URL; a second time does no harm
				}
			}
		}()
	}
	crawling.Wait()
	fmt.Println(fetched.Load() >= 3, seen.AddStringIfAbsent("https://example.com/b"), seen.AddStringIfAbsent("https://example.com/c"))
	// Output: true false true
}

// Goroutines add to one filter without a lock.
func ExampleConcurrent() {
	seen := must(bloom.NewConcurrent(1_000_000, 10, keyhash.XX64))
	var adding sync.WaitGroup
	for worker := range 4 {
		adding.Add(1)
		go func() {
			defer adding.Done()
			for i := range 1000 {
				seen.Add(fmt.Appendf(nil, "worker %d, key %d", worker, i))
			}
		}()
	}
	adding.Wait() // all additions happened before what follows
	fmt.Println(seen.ContainsString("worker 2, key 999"), seen.ContainsString("worker 5, key 0"))

	f := seen.Snapshot() // an immutable filter, of a copy
	fmt.Println(f.ContainsString("worker 2, key 999"))
	// Output:
	// true false
	// true
}

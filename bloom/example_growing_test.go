package bloom_test

import (
	"fmt"
	"log"
	"slices"
	"sync"

	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/keyhash"
)

// Add keys and look them up in turn.
func ExampleMutable() {
	seen, err := bloom.NewMutable(1_000_000, 10, keyhash.XX64) // a million keys, at 10 bits each
	if err != nil {
		log.Fatal(err)
	}
	for _, word := range []string{"apple", "banana", "apple", "cherry"} {
		if seen.ContainsString(word) {
			fmt.Println("again:", word)
		}
		seen.AddString(word)
	}
	// Output: again: apple
}

// A set that grows: when the newest filter has as many keys as it was made for, a larger one
// is put before it.
func ExampleNewMutable() {
	newest := func(keys int) *bloom.Mutable {
		m, err := bloom.NewMutable(keys, 12, keyhash.XX64)
		if err != nil {
			log.Fatal(err)
		}
		return m
	}
	filters, added := []*bloom.Mutable{newest(1000)}, 0
	contains := func(hash uint64) bool {
		return slices.ContainsFunc(filters, func(m *bloom.Mutable) bool { return m.ContainsHash(hash) })
	}
	for i := range 10_000 {
		hash := keyhash.XX64.Sum64(fmt.Appendf(nil, "user:%d", i))
		if contains(hash) {
			continue
		}
		if capacity := filters[0].Capacity(); added == capacity {
			filters, added = slices.Insert(filters, 0, newest(2*capacity)), 0
		}
		filters[0].AddHash(hash)
		added++
	}
	fmt.Println(len(filters), "filters,", contains(keyhash.XX64.Sum64String("user:77")))
	// Output: 4 filters, true
}

// AddIfAbsent looks up and adds in one step.
func ExampleMutable_AddIfAbsent() {
	seen, err := bloom.NewMutable(1000, 10, keyhash.XX64)
	if err != nil {
		log.Fatal(err)
	}
	for _, word := range []string{"apple", "banana", "apple"} {
		fmt.Println(word, seen.AddIfAbsent([]byte(word)))
	}
	// Output:
	// apple true
	// banana true
	// apple false
}

// More keys than expected are found, too, but more often one that was not added.
func ExampleMutable_Full() {
	m, err := bloom.NewMutable(10_000, 10, keyhash.XX64)
	if err != nil {
		log.Fatal(err)
	}
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

// Keys are added to a filter that was stored.
func ExampleOpenMutable() {
	m, err := bloom.NewMutable(1000, 10, keyhash.XX64)
	if err != nil {
		log.Fatal(err)
	}
	m.AddString("apple")
	stored := m.Bytes()

	again, err := bloom.OpenMutable(stored, keyhash.XX64) // the same hash
	if err != nil {
		log.Fatal(err)
	}
	again.AddString("banana")
	fmt.Println(again.ContainsString("apple"), again.ContainsString("banana"), m.ContainsString("banana"))
	// Output: true true false
}

// Filters of the same size, which several workers fill, are united.
func ExampleMutable_Union() {
	all, err := bloom.NewMutable(1000, 10, keyhash.XX64)
	if err != nil {
		log.Fatal(err)
	}
	for _, words := range [][]string{{"apple", "banana"}, {"cherry"}} {
		some, err := bloom.NewMutable(1000, 10, keyhash.XX64)
		if err != nil {
			log.Fatal(err)
		}
		for _, word := range words {
			some.AddString(word)
		}
		if err := all.Union(some); err != nil {
			log.Fatal(err)
		}
	}
	fmt.Printf("%.0f keys, %v\n", all.EstimatedKeys(), all.ContainsString("cherry"))
	// Output: 3 keys, true
}

// Goroutines add to one filter without a lock.
func ExampleConcurrent() {
	seen, err := bloom.NewConcurrent(1_000_000, 10, keyhash.XX64)
	if err != nil {
		log.Fatal(err)
	}
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

	f, err := bloom.Open(seen.Bytes(), keyhash.XX64) // an immutable filter, of a copy
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(f.ContainsString("worker 2, key 999"))
	// Output:
	// true false
	// true
}

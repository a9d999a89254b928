package filterblock_test

import (
	"fmt"
	"log"

	"github.com/simdbloom/simdbloom/filterblock"
)

// The index alone: where partitions are, and which has a key.
func ExampleNewIndexWriter() {
	w := filterblock.NewIndexWriter(filterblock.IndexFormat{})
	w.Add([]byte("grape"), filterblock.Handle{Offset: 0, Size: 3653})
	w.Add([]byte("peach"), filterblock.Handle{Offset: 3658, Size: 1029})
	block := w.Finish()

	x, err := filterblock.ReadIndex(block, filterblock.IndexFormat{})
	if err != nil {
		log.Fatal(err)
	}
	for _, key := range []string{"apple", "grape", "lemon", "plum"} {
		i := x.Find([]byte(key), nil)
		fmt.Printf("%s: up to %s, at %d\n", key, x.Key(i), x.Handle(i).Offset)
	}
	// Output:
	// apple: up to grape, at 0
	// grape: up to grape, at 0
	// lemon: up to peach, at 3658
	// plum: up to peach, at 3658
}

func ExampleReadIndex() {
	_, err := filterblock.ReadIndex([]byte("not an index"), filterblock.IndexFormat{})
	fmt.Println(err)
	// Output: filterblock: the index of partitions: corrupt filter: a block with unknown features, 0x5
}

// keeping is a Cache that keeps every partition. It is for one goroutine.
type keeping map[filterblock.Handle][]byte

func (c keeping) Get(h filterblock.Handle) (partition []byte, ok bool) {
	partition, ok = c[h]
	return partition, ok
}

func (c keeping) Put(h filterblock.Handle, partition []byte) { c[h] = partition }

// With a cache, a partition is loaded once.
func ExampleCache() {
	p, index, file := partitioned()
	loads := 0
	load := func(h filterblock.Handle) ([]byte, error) {
		loads++
		return file[h.Offset : h.Offset+h.Size], nil
	}
	r, err := filterblock.OpenPartitioned(p, index, load, filterblock.ReadOptions{WholeKeys: true, Cache: keeping{}})
	if err != nil {
		log.Fatal(err)
	}
	for range 10 {
		r.MayContain([]byte("user:000042"))
	}
	fmt.Println(loads, "load")
	// Output: 1 load
}

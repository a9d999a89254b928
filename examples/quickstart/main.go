package main

import (
	"fmt"
	"log"

	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/paired"
	"github.com/simdbloom/simdbloom/policy"
)

func main() {
	// Build. The key hash is part of a filter: look up with the one that built it.
	b, err := paired.NewBuilder(23.4, keyhash.XX64) // bits per key
	if err != nil {
		log.Fatal(err)
	}
	for i := range 1_000_000 {
		b.Add(fmt.Appendf(nil, "user:%08d", i))
	}
	data, err := b.Finish() // the bytes to store
	if err != nil {
		log.Fatal(err)
	}

	// Look up one key, or many in one call, which is faster.
	f, err := paired.Open(data, keyhash.XX64) // aliases data
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(f.Contains([]byte("user:00000007")), f.ContainsString("user:99999999"))
	keys := [][]byte{[]byte("user:00000007"), []byte("user:99999999")}
	hits := make([]bool, len(keys))
	f.ContainsKeys(keys, hits)
	fmt.Println(hits)

	// Or by name, as databases configure filters: RocksDB's and Speedb's names
	// build and read their bytes.
	p, err := policy.Parse("rocksdb.BloomFilter:10")
	if err != nil {
		log.Fatal(err)
	}
	pb := p.NewBuilder()
	pb.Add([]byte("apple"))
	block, err := pb.Finish()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(p.MayContain(block, []byte("apple")), p.MayContain(block, []byte("cherry")))
}

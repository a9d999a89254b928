package main

import (
	"fmt"
	"log"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/linear"
)

func main() {
	b := must(linear.NewBuilder(16, keyhash.XX64)) // 16 bits per key
	b.AddString("apple")
	b.AddString("banana")
	data := must(must(b.Filter()).MarshalBinary()) // to store: with format, key hash and checksums

	var f simdbloom.Filter                          // of any format
	if err := f.UnmarshalBinary(data); err != nil { // checksums are verified
		log.Fatal(err)
	}
	fmt.Println(f.ContainsString("apple"), f.ContainsString("cherry"))

	keys, hits := [][]byte{[]byte("banana"), []byte("quince")}, make([]bool, 2)
	f.ContainsKeys(keys, hits) // many keys in one call: faster
	fmt.Println(hits)
}

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

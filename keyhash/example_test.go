package keyhash_test

import (
	"fmt"
	"hash/maphash"

	"github.com/simdbloom/simdbloom/keyhash"
)

// Hash keys once, then look them up in any number of filters.
func ExampleHash_AppendHashes() {
	keys := [][]byte{[]byte("apple"), []byte("banana")}
	hashes := keyhash.XX64.AppendHashes(nil, keys)
	fmt.Println(len(hashes), hashes[0] == keyhash.XX64.Sum64String("apple"))
	// Output: 2 true
}

// Keys that are numbers hash fastest many at a time, here in their own place. A []int64 and other numbers are a column,
// too.
func ExampleValues() {
	keys := []uint64{1, 2, 3}
	hashes := keyhash.XX64.AppendColumn(keys[:0], keyhash.Values(keys))
	fmt.Println(len(hashes), hashes[0] == keyhash.XX64.SumUint64(1))
	// Output: 3 true
}

// A database that has its own 64-bit hash keeps it.
func ExampleNew() {
	seed := maphash.MakeSeed() // so these filters end with the process
	mine := keyhash.New("maphash", func(key []byte) uint64 { return maphash.Bytes(seed, key) })
	fmt.Println(mine.Name(), mine.Sum64String("apple") == maphash.String(seed, "apple"))
	// Output: maphash true
}

// A column of strings lies in one slice of bytes. Bad offsets are an error.
func ExampleColumn() {
	column, err := keyhash.Strings([]int32{0, 5, 11}, []byte("applebanana"))
	fmt.Println(column.Len(), err, keyhash.XX64.AppendColumn(nil, column)[1] == keyhash.XX64.Sum64String("banana"))
	// Output: 2 <nil> true
}

// Keys are hashed where they are in a text, without a slice each.
func ExampleSpans() {
	text := []byte("apple,1\nbanana,2\n")
	column := keyhash.Spans([][2]uint32{{0, 5}, {8, 14}}, text)
	fmt.Println(column.Len(), keyhash.XX64.AppendColumn(nil, column)[1] == keyhash.XX64.Sum64String("banana"))
	// Output: 2 true
}

// The hashes of Parquet's and Arrow's columns, here of one with a null.
func ExampleHash_AppendColumn() {
	column := keyhash.Values([]int32{1, 0, -1}).WithValidity([]byte{0b101}, 0)
	fmt.Printf("%x\n", keyhash.XX64.AppendColumn(nil, column))
	// Output: [f42f94001fcb5351 7f78e4bda3addf93]
}

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

// Keys that are numbers hash fastest many at a time, here in their own place.
func ExampleHash_AppendUint64s() {
	keys := []uint64{1, 2, 3}
	hashes := keyhash.XX64.AppendUint64s(keys[:0], keys)
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

package simdbloom_test

import (
	"fmt"

	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/keyhash"
)

// A join drops the rows of its larger side whose keys are not in the smaller one, before it looks at
// anything else of them.
func ExampleFilter_ContainsColumn() {
	customers := []int64{17, 4, 23}
	b := must(bloom.NewBuilder(16, keyhash.XX64))
	b.AddColumn(keyhash.Values(customers))
	f := must(b.Filter())

	// Four orders, of which the second has no customer.
	orders := keyhash.Values([]int64{4, 4, 5, 23}).WithValidity([]byte{0b1101}, 0)
	hits := make([]uint64, 1)
	f.ContainsColumn(orders, hits)
	fmt.Printf("%04b %d\n", hits[0], f.AppendColumnHits(nil, orders))
	// Output: 1001 [0 3]
}

// Strings are looked up where Arrow has them.
func ExampleFilter_AppendColumnHits() {
	names, err := keyhash.Strings([]int32{0, 5, 11, 17, 17}, []byte("applebananacherry"))
	if err != nil {
		panic(err) // an offset is negative, decreasing, or beyond the bytes
	}
	f := filterOf("apple", "cherry")
	fmt.Println(f.AppendColumnHits(nil, names))
	// Output: [0 2]
}

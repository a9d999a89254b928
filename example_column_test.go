package simdbloom_test

import (
	"fmt"
	"maps"
	"slices"

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

// A hash join of int64 columns. Rows whose key the filter excludes do not reach the hash table. If too few rows are
// dropped, the join stops asking the filter: each lookup costs a few nanoseconds, a row that reaches the hash table
// tens.
func Example_join() {
	customers := map[int64]string{17: "Ann", 4: "Bo", 23: "Cem"}
	b := must(bloom.NewBuilder(16, keyhash.XX64))
	b.AddColumn(keyhash.Values(slices.Collect(maps.Keys(customers))))
	filter := must(b.Filter())

	looked, dropped := 0, 0
	for _, orders := range [][]int64{{4, 5, 23, 6}, {17, 8, 9, 4}} { // batches of a few thousand rows are best
		rows := filter.AppendColumnHits(nil, keyhash.Values(orders))
		looked, dropped = looked+len(orders), dropped+len(orders)-len(rows)
		for _, row := range rows {
			if name, ok := customers[orders[row]]; ok { // the filter may be wrong
				fmt.Println("order of", name)
			}
		}
		if dropped < looked/10 { // then the rest of the join does without the filter
			break
		}
	}
	fmt.Printf("%d of %d rows dropped\n", dropped, looked)
	// Output:
	// order of Bo
	// order of Cem
	// order of Ann
	// order of Bo
	// 4 of 8 rows dropped
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

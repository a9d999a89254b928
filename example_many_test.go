package simdbloom_test

import (
	"fmt"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/keyhash"
)

// tables are those of an LSM tree, the newest first.
var tables = []map[string]string{
	{"apple": "red"},
	{"banana": "yellow", "cherry": "dark red"},
	{"apple": "green", "cherry": "red", "date": "brown"},
}

// filters returns a filter of each table's keys.
func filters() (all []*simdbloom.Filter) {
	for _, table := range tables {
		var keys []string
		for key := range table {
			keys = append(keys, key)
		}
		all = append(all, filterOf(keys...))
	}
	return all
}

// A Get of an LSM tree reads the newest table first, and no table whose filter does not contain the key.
func ExampleAppendFilters() {
	filters := filters()
	for _, key := range []string{"apple", "cherry", "elderberry"} {
		for _, i := range simdbloom.AppendFilters(nil, filters, keyhash.XX64.Sum64String(key)) {
			if value, ok := tables[i][key]; ok {
				fmt.Printf("%s: %s, from table %d\n", key, value, i)
				break
			}
		}
	}
	// Output:
	// apple: red, from table 0
	// cherry: dark red, from table 1
}

// A multi-get of an LSM tree reads each table for the keys that it may contain and that no newer
// table had.
func ExampleCandidates() {
	keys := [][]byte{[]byte("apple"), []byte("cherry"), []byte("date"), []byte("elderberry")}
	hashes := keyhash.XX64.AppendHashes(nil, keys)
	wanted := make([]uint64, (len(keys)+63)/64)
	for i := range wanted {
		wanted[i] = ^uint64(0) // all of the keys
	}
	for table, candidates := range simdbloom.Candidates(filters(), hashes, wanted) {
		for _, i := range candidates {
			// A value or a deletion ends the search for a key; an operand of a merge would not.
			if value, ok := tables[table][string(keys[i])]; ok {
				fmt.Printf("table %d: %s is %s\n", table, keys[i], value)
				wanted[i/64] &^= 1 << (i % 64)
			}
		}
	}
	for i, key := range keys {
		if wanted[i/64]>>(i%64)&1 != 0 {
			fmt.Printf("%s was not found\n", key)
		}
	}
	// Output:
	// table 0: apple is red
	// table 1: cherry is dark red
	// table 2: date is brown
	// elderberry was not found
}

package simdbloom_test

import (
	"fmt"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/bloom"
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

// Many numbers, some of them null, in the filters of many segments: they are hashed once, by a kernel.
func ExampleCandidates_numbers() {
	var segments []*simdbloom.Filter
	for first := range int64(3) {
		b := must(bloom.NewBuilder(20, keyhash.XX64))
		b.AddColumn(keyhash.Values([]int64{100 * first, 100*first + 1, 100*first + 2}))
		segments = append(segments, must(b.Filter()))
	}

	ids := []int64{201, 7, 0, 2, 101}
	column := keyhash.Values(ids).WithValidity([]byte{0b11011}, 0) // the third is null
	hashes := keyhash.XX64.AppendColumn(nil, column.WithValidity(nil, 0))
	wanted := make([]uint64, (len(ids)+63)/64)
	column.ValidBits(wanted)
	for segment, found := range simdbloom.Candidates(segments, hashes, wanted) {
		for _, i := range found {
			fmt.Printf("segment %d may have %d\n", segment, ids[i])
		}
	}
	// Output:
	// segment 0 may have 2
	// segment 1 may have 101
	// segment 2 may have 201
}

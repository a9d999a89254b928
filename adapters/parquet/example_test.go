package parquet_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/adapters/parquet"
	"github.com/simdbloom/simdbloom/splitblock"
)

// exampleFile is a file whose row groups have the ids 1 to 3 and 3 to 5.
func exampleFile() []byte {
	var filters []*simdbloom.Filter
	for _, ids := range [][]int64{{1, 2, 3}, {3, 4, 5}} {
		f, err := parquet.NewFilter(parquet.AppendHashes(nil, ids), 0.01)
		if err != nil {
			log.Fatal(err)
		}
		filters = append(filters, f)
	}
	without := image(columns, 2)
	var file bytes.Buffer
	if err := parquet.WriteWithFilters(&file, bytes.NewReader(without), int64(len(without)), parquet.Filters{"id": filters}); err != nil {
		log.Fatal(err)
	}
	return file.Bytes()
}

func Example() {
	data := exampleFile()
	file, err := parquet.Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		log.Fatal(err)
	}
	rowGroups, err := parquet.Prune(file, "id", []int64{4, 17})
	fmt.Println("read row groups", rowGroups, err)
	// Output: read row groups [1] <nil>
}

// Which ids each row group may have, and not only whether it may have any.
func ExampleFile() {
	file, err := parquet.OpenBytes(exampleFile())
	if err != nil {
		log.Fatal(err)
	}
	filters, err := file.Filters("id")
	if err != nil {
		log.Fatal(err)
	}
	ids := []int64{2, 3, 17}
	wanted := []uint64{1<<len(ids) - 1}
	for rowGroup, found := range simdbloom.Candidates(filters, parquet.AppendHashes(nil, ids), wanted) {
		for _, i := range found {
			fmt.Println("row group", rowGroup, "may have", ids[i])
		}
	}
	// Output:
	// row group 0 may have 2
	// row group 0 may have 3
	// row group 1 may have 3
}

func ExampleColumn() {
	file, err := parquet.OpenBytes(exampleFile())
	if err != nil {
		log.Fatal(err)
	}
	for _, column := range file.Columns() {
		fmt.Printf("%s %s %d %q\n", column.Name(), column.Type, column.Length, column.Logical)
	}
	// Output:
	// id INT64 0 ""
	// nested.name BYTE_ARRAY 0 "STRING"
	// nested.key FIXED_LEN_BYTE_ARRAY 4 ""
	// nested.ratio DOUBLE 0 ""
}

// A string and its bytes have one hash, and so do the two integer types of an INT64 column.
func ExampleValue() {
	fmt.Printf("%x\n", parquet.AppendHashes(nil, []string{"hello"}))
	fmt.Printf("%x\n", parquet.AppendHashes(nil, [][]byte{[]byte("hello")}))
	fmt.Printf("%x\n", parquet.AppendHashes(nil, []int64{-1}))
	fmt.Printf("%x\n", parquet.AppendHashes(nil, []uint64{1<<64 - 1}))
	// Output:
	// [26c7827d889f6da3]
	// [26c7827d889f6da3]
	// [85d136adb773c6c9]
	// [85d136adb773c6c9]
}

// Each request to a store takes as long as reading 4 MiB.
func ExampleOption() {
	object := bytes.NewReader(exampleFile())
	file, err := parquet.Open(object, object.Size(), parquet.WithReadCost(4<<20))
	if err != nil {
		log.Fatal(err)
	}
	rowGroups, err := parquet.Prune(file, "id", []int64{2})
	fmt.Println("read row groups", rowGroups, err)
	// Output: read row groups [0] <nil>
}

func ExampleFilterError() {
	data := exampleFile()
	data[bytes.Index(data, splitblock.AppendHeader(nil, 32))] ^= 1 // of the first filter's header
	file, err := parquet.OpenBytes(data)
	if err != nil {
		panic(err)
	}
	rowGroups, err := parquet.Prune(file, "id", []int64{4711}) // the row group stays
	fmt.Println(rowGroups, err)
	for _, unusable := range file.Unusable() {
		fmt.Println(unusable.RowGroup, unusable.Name, errors.Is(unusable, simdbloom.ErrCorrupt))
	}
	// Output:
	// [0] <nil>
	// 0 id true
}

// DuckDB does not find some floating-point numbers by right filters.
func ExampleWithAnyType() {
	f, err := parquet.NewFilter(parquet.AppendHashes(nil, []float64{0.5}), 0.01)
	if err != nil {
		panic(err)
	}
	file, filters := image(columns, 1), parquet.Filters{"nested.ratio": {f}}
	write := func(options ...parquet.WriteOption) error {
		return parquet.WriteWithFilters(io.Discard, bytes.NewReader(file), int64(len(file)), filters, options...)
	}
	fmt.Println(write() != nil, write(parquet.WithAnyType()))
	// Output: true <nil>
}

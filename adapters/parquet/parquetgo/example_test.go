package parquetgo_test

import (
	"bytes"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"

	parquetgo "github.com/parquet-go/parquet-go"

	"github.com/simdbloom/simdbloom/adapters/parquet"
	adapter "github.com/simdbloom/simdbloom/adapters/parquet/parquetgo"
)

// Example writes a file with parquet-go, adds filters, and prunes its row groups.
func Example() {
	type order struct {
		ID   int64  `parquet:"id"`
		Name string `parquet:"name"`
	}
	folder, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "orders.parquet")
	err = parquetgo.WriteFile(path, []order{{1, "apple"}, {5, "pear"}, {2, "plum"}, {9, "fig"}}, parquetgo.MaxRowsPerRowGroup(2))
	if err != nil {
		log.Fatal(err)
	}

	if err := addFilters(path, 0.01, "id", "name"); err != nil {
		log.Fatal(err)
	}

	data, err := os.ReadFile(path) // or map it
	if err != nil {
		log.Fatal(err)
	}
	file, err := parquet.OpenBytes(data)
	if err != nil {
		log.Fatal(err)
	}
	ids, err := parquet.Prune(file, "id", []int64{3, 4, 5})
	names, namesErr := parquet.Prune(file, "name", []string{"fig", "pear"})
	fmt.Println(ids, err, names, namesErr)
	// Output: [0] <nil> [0 1] <nil>
}

// addFilters adds filters of some columns to a file.
func addFilters(path string, fpr float64, columns ...string) error {
	r, err := os.Open(path)
	if err != nil {
		return err
	}
	defer r.Close()
	info, err := r.Stat()
	if err != nil {
		return err
	}
	file, err := parquetgo.OpenFile(r, info.Size())
	if err != nil {
		return err
	}
	filters, err := adapter.Build(file, fpr, columns...)
	if err := errors.Join(err, r.Close()); err != nil { // Windows does not replace an open file
		return err
	}
	return parquet.AddFilters(path, path, filters)
}

// ExampleVerify looks every value of a file up in the filters that parquet-go wrote.
func ExampleVerify() {
	type order struct {
		ID int64 `parquet:"id"`
	}
	var data bytes.Buffer
	filters := parquetgo.BloomFilters(parquetgo.SplitBlockFilter(10, "id"))
	if err := parquetgo.Write(&data, []order{{17}, {4711}}, filters); err != nil {
		log.Fatal(err)
	}
	file, err := parquetgo.OpenFile(bytes.NewReader(data.Bytes()), int64(data.Len()))
	if err != nil {
		log.Fatal(err)
	}
	verified, err := adapter.Verify(file)
	if err != nil {
		log.Fatal(err)
	}
	for _, v := range verified {
		fmt.Println(v.Column, v.RowGroup, v.Values, v.Missing, v.Err)
	}
	// Output:
	// id 0 2 0 <nil>
}

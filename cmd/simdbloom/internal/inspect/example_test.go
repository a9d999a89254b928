package inspect_test

import (
	"fmt"
	"log"
	"os"

	"github.com/simdbloom/simdbloom/adapters/parquet"
	"github.com/simdbloom/simdbloom/cmd/simdbloom/internal/inspect"
	"github.com/simdbloom/simdbloom/splitblock"
)

// exampleFile has a column whose only row group has the values 0 to 999.
func exampleFile() *parquet.File {
	ids := make([]int64, 1000)
	for i := range ids {
		ids[i] = int64(i)
	}
	filter, err := parquet.NewFilter(parquet.AppendHashes(nil, ids), 0.01)
	if err != nil {
		log.Fatal(err)
	}
	data := append([]byte("PAR1"), splitblock.AppendHeader(nil, filter.SizeBytes())...)
	data = append(data, filter.Bytes()...)
	file, err := opened(data, []parquet.Column{{Path: []string{"id"}, Type: "INT64"}}, [][]int{{4}})
	if err != nil {
		log.Fatal(err)
	}
	return file
}

func Example() {
	file := exampleFile()
	if err := inspect.Write(os.Stdout, file, 0.001); err != nil {
		log.Fatal(err)
	}
	if err := inspect.WriteRowGroups(os.Stdout, file, "id", []string{"17", "4711"}); err != nil {
		log.Fatal(err)
	}
	// Output:
	// column  type   filters  bytes  bits set  values  rate      bytes for 0.1 %
	// id      INT64  1 of 1   2048   38.8 %    1007    0.0982 %  4096
	// 17: may be in 1 of 1 row groups: [0]
	// 4711: may be in 0 of 1 row groups: []
}

func ExampleColumn() {
	columns, err := inspect.Columns(exampleFile(), 0.001)
	if err != nil {
		log.Fatal(err)
	}
	for _, c := range columns {
		fmt.Println(c.Name(), c.SizeBytes, "bytes, better", c.Better)
	}
	// Output: id 2048 bytes, better 4096
}

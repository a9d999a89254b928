package parquet_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/simdbloom/simdbloom/adapters/parquet"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/sliced"
)

// The filters of all row groups of a folder of Parquet files go into one file, which answers which row groups may have
// a value, and reads no Parquet file.
func Example_sliced() {
	folder, err := os.MkdirTemp("", "parquet")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	type rowGroup struct{ file, number int }
	var rowGroups []rowGroup // of the filters' ids
	filters := sliced.New(keyhash.XX64)
	for i := range 20 {
		file, err := parquet.OpenBytes(exampleFile()) // of your files
		if err != nil {
			log.Fatal(err)
		}
		all, err := file.Filters("id")
		if err != nil {
			log.Fatal(err)
		}
		for number, f := range all {
			if f == nil {
				continue // without a filter: read the row group for every value
			}
			if _, err := filters.Append(f); err != nil {
				log.Fatal(err)
			}
			rowGroups = append(rowGroups, rowGroup{i, number})
		}
	}
	sidecar := filepath.Join(folder, "id.sliced")
	if err := filters.WriteFile(sidecar); err != nil {
		log.Fatal(err)
	}

	opened, err := sliced.Open(sidecar)
	if err != nil {
		log.Fatal(err)
	}
	defer opened.Close()
	hits := opened.AppendHits(nil, parquet.AppendHashes(nil, []int64{4})[0])
	fmt.Println(len(hits), "of", len(rowGroups), "row groups, the first is", rowGroups[hits[0]])
	// Output:
	// 20 of 40 row groups, the first is {0 1}
}

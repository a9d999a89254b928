package table_test

import (
	"fmt"
	"log"
	"path/filepath"

	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/sliced"
)

// One key in the filters of all tables of a folder, at once. In a store of thousands of tables, this needs a hundredth
// of the time of a lookup in each.
func Example_sliced() {
	names, err := filepath.Glob("testdata/fastlocal-*.sst")
	if err != nil {
		log.Fatal(err)
	}
	filters := sliced.New(keyhash.XXPH3) // RocksDB's
	var tables []string                  // of the filters' ids
	for _, name := range names {
		file, t := opened(name)
		for f, err := range t.Filters() {
			if err != nil {
				log.Fatal(err)
			}
			opened, err := t.OpenFilter(f.Data)
			if err != nil {
				log.Fatal(err)
			}
			if _, err := filters.Append(opened[0]); err != nil {
				log.Fatal(err)
			}
			tables = append(tables, filepath.Base(name))
		}
		file.Close()
	}
	for _, key := range []string{"key00005", "apple"} {
		fmt.Printf("%s may be in %d of %d tables\n", key, len(filters.AppendKeyHits(nil, []byte(key))), len(tables))
	}
	// Output:
	// key00005 may be in 5 of 5 tables
	// apple may be in 0 of 5 tables
}

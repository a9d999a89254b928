package table_test

import (
	"fmt"
	"log"
	"os"

	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/cmd/sstfilter/table"
	"github.com/simdbloom/simdbloom/keyhash"
)

// The filter of a table that RocksDB wrote, opened by package bloom.
func ExampleOpen() {
	file, err := os.Open("../testdata/fastlocal-xxh3.sst")
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		log.Fatal(err)
	}

	t, err := table.Open(file, info.Size())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(t.Format)
	fmt.Println(t.FilterName, "of", t.Properties.NumEntries, "entries")
	for filter, err := range t.Filters() {
		if err != nil {
			log.Fatal(err)
		}
		f, err := bloom.Open(filter.Data, keyhash.XXPH3)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(f.Kind(), "in", f.SizeBytes(), "bytes,", f.NumProbes(), "probes")
	}
	// Output:
	// RocksDB format_version 5, XXH3 checksums
	// rocksdb.BuiltinBloomFilter of 100 entries
	// FastLocal in 133 bytes, 6 probes
}

package table_test

import (
	"fmt"
	"log"
	"os"

	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/legacy"
	"github.com/simdbloom/simdbloom/table"
)

// The filter of a table that RocksDB wrote, opened by package bloom.
func ExampleOpen() {
	file, err := os.Open("testdata/fastlocal-xxh3.sst")
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
		fmt.Println(f.Format(), "in", f.SizeBytes(), "bytes,", f.NumProbes(), "probes")
	}
	// Output:
	// RocksDB format_version 5, XXH3 checksums
	// rocksdb.BuiltinBloomFilter of 100 entries
	// FastLocal in 133 bytes, 6 probes
}

// The partition of RocksDB's partitioned filter that has a key.
func ExampleTable_FindFilters() {
	file, err := os.Open("testdata/partitioned-3.sst")
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
	key := []byte("key00500")
	first, end := t.FindFilters(key)
	fmt.Println(t.NumFilters(), "partitions, to look into:", end-first)
	for i := first; i < end; i++ {
		filter, err := t.ReadFilter(i)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(i, legacy.MayContain(filter.Data, key), legacy.MayContain(filter.Data, []byte("key00500b")))
	}
	// Output:
	// 6 partitions, to look into: 1
	// 2 true false
}

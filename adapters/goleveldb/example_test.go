package goleveldb_test

import (
	"fmt"
	"log"
	"os"

	"github.com/syndtr/goleveldb/leveldb"
	"github.com/syndtr/goleveldb/leveldb/opt"

	simdbloom "github.com/simdbloom/simdbloom/adapters/goleveldb"
)

// A store whose new tables have FastLocal filters, and whose old ones keep theirs, whether
// LevelDB's or simdbloom's.
func Example() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)

	db, err := leveldb.OpenFile(dir, &opt.Options{
		Filter:       simdbloom.FastLocal(10), // was filter.NewBloomFilter(10)
		AltFilters:   simdbloom.AltFilters(),
		FilterBaseLg: 30,
	})
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()

	if err := db.Put([]byte("apple"), []byte("red"), nil); err != nil {
		log.Fatal(err)
	}
	colour, err := db.Get([]byte("apple"), nil)
	fmt.Println(string(colour), err)
	_, err = db.Get([]byte("cherry"), nil)
	fmt.Println(err)
	// Output:
	// red <nil>
	// leveldb: not found
}

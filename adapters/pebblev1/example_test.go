package pebblev1_test

import (
	"fmt"
	"log"

	"github.com/cockroachdb/pebble"
	"github.com/cockroachdb/pebble/vfs"

	simdbloom "github.com/simdbloom/simdbloom/adapters/pebblev1"
)

// The line to change is that with Levels. Get needs the Comparer.
func Example() {
	comparer := *pebble.DefaultComparer
	comparer.Split = func(key []byte) int { return len(key) }
	opts := &pebble.Options{
		FS:       vfs.NewMem(),
		Comparer: &comparer,
		Levels:   []pebble.LevelOptions{{FilterPolicy: simdbloom.Paired(23.4)}}, // was bloom.FilterPolicy(10)
		Filters:  simdbloom.Filters(),                                           // for tables from before
		Logger:   silent{},
	}
	db, err := pebble.Open("store", opts)
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	if err := db.Set([]byte("apple"), []byte("red"), pebble.Sync); err != nil {
		log.Fatal(err)
	}
	value, closer, err := simdbloom.Get(db, []byte("apple")) // db.Get, with the filters of L6
	if err != nil {
		log.Fatal(err)
	}
	defer closer.Close()
	fmt.Printf("%s\n", value)
	// Output: red
}

// silent keeps the example's store from logging.
type silent struct{}

func (silent) Infof(string, ...any)              {}
func (silent) Fatalf(format string, args ...any) { log.Fatalf(format, args...) }

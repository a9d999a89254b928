package pebble_test

import (
	"errors"
	"fmt"
	"log"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/bloom"
	"github.com/cockroachdb/pebble/v2/vfs"

	simdbloom "github.com/simdbloom/simdbloom/adapters/pebble"
)

// A store of Pebble's own filters gets faster lookups with one line, and nothing else changes.
func ExampleLegacy() {
	fs := vfs.NewMem()
	open := func(p pebble.FilterPolicy) *pebble.DB {
		o := &pebble.Options{FS: fs, Logger: silent{}}
		for i := range o.Levels {
			o.Levels[i].FilterPolicy = p
		}
		db, err := pebble.Open("store", o)
		if err != nil {
			log.Fatal(err)
		}
		return db
	}
	db := open(bloom.FilterPolicy(10)) // before
	if err := db.Set([]byte("key"), []byte("value"), pebble.Sync); err != nil {
		log.Fatal(err)
	}
	if err := db.Close(); err != nil {
		log.Fatal(err)
	}

	db = open(simdbloom.Legacy(10)) // now
	value, closer, err := db.Get([]byte("key"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(value))
	if err := errors.Join(closer.Close(), db.Close()); err != nil {
		log.Fatal(err)
	}
	// Output: value
}

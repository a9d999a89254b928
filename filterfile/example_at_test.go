package filterfile_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/filterfile"
	"github.com/simdbloom/simdbloom/keyhash"
)

// objects is a store of files, such as a client of an object store would be.
type objects map[string][]byte

func (o objects) ReadRange(_ context.Context, name string, p []byte, off int64) error {
	n, err := bytes.NewReader(o[name]).ReadAt(p, off)
	if n == len(p) {
		return nil
	}
	return err // io.EOF
}

// Look up a key in a filter file of which ranges are read.
func ExampleOpenAt() {
	b, err := bloom.NewBuilder(10, keyhash.XX64)
	if err != nil {
		log.Fatal(err)
	}
	b.AddString("apple")
	f, err := b.Filter()
	if err != nil {
		log.Fatal(err)
	}
	data, err := filterfile.Append(nil, f)
	if err != nil {
		log.Fatal(err)
	}

	ctx := context.Background()
	remote, err := filterfile.OpenAt(ctx, objects{"fruit.filter": data}, "fruit.filter")
	if err != nil {
		log.Fatal(err)
	}
	for _, key := range []string{"apple", "pear"} {
		hit, err := remote.Contains(ctx, []byte(key))
		if errors.Is(err, simdbloom.ErrCorrupt) {
			log.Print(err) // hit is true
		}
		fmt.Println(key, hit)
	}
	// Output:
	// apple true
	// pear false
}

// A store of one's own, here of files in memory.
func ExampleRanges() {
	var store filterfile.Ranges = objects{"fruit.filter": []byte("0123456789")}
	p := make([]byte, 4)
	err := store.ReadRange(context.Background(), "fruit.filter", p, 3)
	fmt.Println(string(p), err)
	// Output: 3456 <nil>
}

package filterfile_test

import (
	"bytes"
	"encoding/gob"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/filterfile"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/paired"
)

// fruit returns a filter of two keys with the given key hash.
func fruit(hash keyhash.Hash) *simdbloom.Filter {
	b, err := paired.NewBuilder(16, hash)
	if err != nil {
		log.Fatal(err)
	}
	b.AddString("apple")
	b.AddString("banana")
	f, err := b.Filter()
	if err != nil {
		log.Fatal(err)
	}
	return f
}

// Write a filter to a file, and open it again.
func Example() {
	folder, err := os.MkdirTemp("", "filterfile")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "fruit.filter")

	err = filterfile.WriteFile(path, fruit(keyhash.XX64), filterfile.WithKeys(2), filterfile.WithBitsPerKey(16))
	if err != nil {
		log.Fatal(err)
	}

	f, err := filterfile.Open(path)
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	fmt.Println("apple:", f.ContainsString("apple"))
	fmt.Println("cherry:", f.ContainsString("cherry"))
	fmt.Println(f.Info().Format, f.Info().Keys)
	// Output:
	// apple: true
	// cherry: false
	// simdbloom.Paired128.XX64 2
}

// Send a filter through a stream, such as the body of an HTTP request.
func ExampleRead() {
	var stream bytes.Buffer
	if err := filterfile.Write(&stream, fruit(keyhash.XX64)); err != nil {
		log.Fatal(err)
	}
	f, err := filterfile.Read(&stream)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(f.ContainsString("banana"), f.ContainsString("quince"))
	// Output: true false
}

// A filter of any format as a field of a value that gob encodes, with the number of its keys.
func ExampleNew() {
	type shelf struct {
		Name  string
		Fruit *simdbloom.Filter
	}
	f, err := filterfile.New(fruit(keyhash.XX64), filterfile.WithKeys(2))
	if err != nil {
		log.Fatal(err)
	}
	var stored bytes.Buffer
	if err := gob.NewEncoder(&stored).Encode(shelf{"upper", f.Filter}); err != nil {
		log.Fatal(err)
	}

	var read shelf
	if err := gob.NewDecoder(&stored).Decode(&read); err != nil {
		log.Fatal(err)
	}
	fmt.Println(read.Name, read.Fruit.ContainsString("apple"), read.Fruit.ContainsString("fig"))
	fmt.Println((&filterfile.File{Filter: read.Fruit}).Info().Keys)
	// Output:
	// upper true false
	// 2
}

// Open a large filter without reading all of it. What lookups need is checked by then.
func ExampleWithLazyCheck() {
	data, err := filterfile.Append(nil, fruit(keyhash.XX64))
	if err != nil {
		log.Fatal(err)
	}
	f, err := filterfile.OpenBytes(data, filterfile.WithLazyCheck())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(f.ContainsString("apple"))
	fmt.Println(f.Err()) // an error as soon as a lookup finds a wrong checksum
	// Output:
	// true
	// <nil>
}

// A key hash of your own is needed again when the filter is opened.
func ExampleWithHash() {
	hash := keyhash.New("example.com/fruit", func(key []byte) uint64 { return keyhash.XX64.Sum64(key[:1]) })
	data, err := filterfile.Append(nil, fruit(hash))
	if err != nil {
		log.Fatal(err)
	}
	_, err = filterfile.OpenBytes(data)
	fmt.Println(errors.Is(err, simdbloom.ErrUnknown))
	f, err := filterfile.OpenBytes(data, filterfile.WithHash(hash))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(f.ContainsString("avocado"))
	// Output:
	// true
	// true
}

// What a file says, without its filter and whatever its key hash.
func ExampleReadInfo() {
	var file bytes.Buffer
	if err := filterfile.Write(&file, fruit(keyhash.XX64), filterfile.WithKeys(2)); err != nil {
		log.Fatal(err)
	}
	info, err := filterfile.ReadInfo(&file)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s, hash %s, %d keys, %d bytes at %d\n", info.Format, info.Hash, info.Keys, info.Length, info.Offset)
	// Output: simdbloom.Paired128.XX64, hash XX64, 2 keys, 69 bytes at 128
}

// A filter of any format can be written.
func ExampleSource() {
	for _, f := range []filterfile.Source{fruit(keyhash.XX64), fruit(keyhash.XXPH3)} {
		g, err := filterfile.New(f)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(g.Info().Format)
	}
	// Output:
	// simdbloom.Paired128.XX64
	// simdbloom.Paired128.XXPH3
}

func ExampleWithKeys() {
	f, err := filterfile.New(fruit(keyhash.XX64), filterfile.WithKeys(2))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(f.Info().Keys)
	// Output: 2
}

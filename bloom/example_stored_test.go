package bloom_test

import (
	"bytes"
	"encoding/gob"
	"errors"
	"fmt"
	"log"

	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/filterfile"
	"github.com/simdbloom/simdbloom/keyhash"
)

// A filter is a field of a value that gob encodes.
func ExampleFilter_MarshalBinary() {
	type shelf struct {
		Name  string
		Fruit *bloom.Filter
	}
	var stored bytes.Buffer
	if err := gob.NewEncoder(&stored).Encode(shelf{"upper", fruit()}); err != nil {
		log.Fatal(err)
	}

	var read shelf
	if err := gob.NewDecoder(&stored).Decode(&read); err != nil {
		log.Fatal(err)
	}
	fmt.Println(read.Name, read.Fruit.ContainsString("apple"), read.Fruit.ContainsString("cherry"))
	// Output: upper true false
}

// A filter is a value in a key-value store. Whatever happens to the bytes there, a wrong one is an
// error.
func ExampleFilter_UnmarshalBinary() {
	store := make(map[string][]byte)
	data, err := fruit().MarshalBinary()
	if err != nil {
		log.Fatal(err)
	}
	store["fruit"] = data

	var f bloom.Filter
	if err := f.UnmarshalBinary(store["fruit"]); err != nil {
		log.Fatal(err)
	}
	fmt.Println(f.ContainsString("apple"), f.ContainsString("cherry"))

	store["fruit"][len(data)-7] ^= 1
	err = f.UnmarshalBinary(store["fruit"])
	fmt.Println(errors.Is(err, bloom.ErrCorrupt))
	fmt.Println(f.ContainsString("apple")) // it is what it was
	// Output:
	// true false
	// true
	// true
}

// With a key hash of your own, the filter that is filled has it before.
func ExampleFilter_ReadFrom() {
	hash := keyhash.New("example.com/fruit", func(key []byte) uint64 { return keyhash.XX64.Sum64(key[:1]) })
	b, err := bloom.NewBuilder(10, hash)
	if err != nil {
		log.Fatal(err)
	}
	b.AddString("apple")
	data, err := b.Finish()
	if err != nil {
		log.Fatal(err)
	}
	f, err := bloom.Open(data, hash)
	if err != nil {
		log.Fatal(err)
	}
	var body bytes.Buffer // of an HTTP request, for one
	if _, err := f.WriteTo(&body); err != nil {
		log.Fatal(err)
	}

	_, err = new(bloom.Filter).ReadFrom(bytes.NewReader(body.Bytes()))
	fmt.Println(errors.Is(err, filterfile.ErrUnknown))
	read, err := bloom.Open(nil, hash)
	if err != nil {
		log.Fatal(err)
	}
	if _, err := read.ReadFrom(&body); err != nil {
		log.Fatal(err)
	}
	fmt.Println(read.ContainsString("avocado"), read.ContainsString("cherry"))
	// Output:
	// true
	// true false
}

// A Mutable that was stored takes more keys.
func ExampleMutable_UnmarshalBinary() {
	seen, err := bloom.NewMutable(1000, 10, keyhash.XX64)
	if err != nil {
		log.Fatal(err)
	}
	seen.AddString("apple")
	data, err := seen.MarshalBinary()
	if err != nil {
		log.Fatal(err)
	}

	var again bloom.Mutable
	if err := again.UnmarshalBinary(data); err != nil {
		log.Fatal(err)
	}
	again.AddString("banana")
	fmt.Println(again.ContainsString("apple"), again.ContainsString("banana"), again.ContainsString("cherry"))
	// Output: true true false
}

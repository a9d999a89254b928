package simdbloom_test

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"errors"
	"fmt"
	"log"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/keyhash"
)

// A filter is a field of a value that gob encodes.
func ExampleFilter_MarshalBinary() {
	type shelf struct {
		Name  string
		Fruit *simdbloom.Filter
	}
	var stored bytes.Buffer
	if err := gob.NewEncoder(&stored).Encode(shelf{"upper", filterOf("apple", "banana")}); err != nil {
		log.Fatal(err)
	}

	var read shelf
	if err := gob.NewDecoder(&stored).Decode(&read); err != nil {
		log.Fatal(err)
	}
	fmt.Println(read.Name, read.Fruit.ContainsString("apple"), read.Fruit.ContainsString("cherry"))
	// Output: upper true false
}

// A filter is a value in a key-value store. A flipped bit there is an error.
func ExampleFilter_UnmarshalBinary() {
	store := map[string][]byte{"fruit": must(filterOf("apple", "banana").MarshalBinary())}

	var f simdbloom.Filter // of any format
	if err := f.UnmarshalBinary(store["fruit"]); err != nil {
		log.Fatal(err)
	}
	fmt.Println(f.Format(), f.ContainsString("apple"), f.ContainsString("cherry"))

	store["fruit"][len(store["fruit"])-7] ^= 1
	err := f.UnmarshalBinary(store["fruit"])
	fmt.Println(errors.Is(err, simdbloom.ErrCorrupt))
	fmt.Println(f.ContainsString("apple")) // f is what it was
	// Output:
	// FastLocal true false
	// true
	// true
}

// In JSON a filter is a string.
func ExampleFilter_MarshalText() {
	type shelf struct {
		Name  string            `json:"name"`
		Fruit *simdbloom.Filter `json:"fruit"`
	}
	text := must(json.Marshal(shelf{"upper", filterOf("apple", "banana")}))
	fmt.Printf("%.32s…\n", text)

	var read shelf
	if err := json.Unmarshal(text, &read); err != nil {
		log.Fatal(err)
	}
	fmt.Println(read.Name, read.Fruit.ContainsString("apple"), read.Fruit.ContainsString("cherry"))
	// Output:
	// {"name":"upper","fruit":"iVNCRg0…
	// upper true false
}

// With a key hash of your own, the filter that is filled has it before.
func ExampleFilter_ReadFrom() {
	hash := keyhash.New("example.com/fruit", func(key []byte) uint64 { return keyhash.XX64.Sum64(key[:1]) })
	b := must(bloom.NewBuilder(10, hash))
	b.AddString("apple")
	var body bytes.Buffer // of an HTTP request, for one
	if _, err := must(b.Filter()).WriteTo(&body); err != nil {
		log.Fatal(err)
	}

	_, err := new(simdbloom.Filter).ReadFrom(bytes.NewReader(body.Bytes()))
	fmt.Println(errors.Is(err, simdbloom.ErrUnknown))
	read := must(bloom.Open(nil, hash))
	if _, err := read.ReadFrom(&body); err != nil {
		log.Fatal(err)
	}
	fmt.Println(read.ContainsString("avocado"), read.ContainsString("cherry"))
	// Output:
	// true
	// true false
}

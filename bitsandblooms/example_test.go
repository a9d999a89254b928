package bitsandblooms_test

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"log"

	"github.com/simdbloom/simdbloom/bitsandblooms"
)

// These are the 40 bytes of New(70, 3) of bits-and-blooms/bloom, with the key "apple".
func ExampleOpen() {
	data, err := hex.DecodeString("0000000000000046" + "0000000000000003" + "0000000000000046" + "0080088000000000" + "0000000000000000")
	if err != nil {
		log.Fatal(err)
	}
	f, err := bitsandblooms.Open(data)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(f.M(), f.K(), f.ContainsString("apple"), f.ContainsString("cherry"))
	// Output: 70 3 true false
}

// Weaviate's .bloom files begin with a checksum of the rest.
func ExampleOpen_weaviate() {
	file := weaviateFile()
	if len(file) < 4 || crc32.ChecksumIEEE(file[4:]) != binary.LittleEndian.Uint32(file) {
		log.Fatal("wrong checksum")
	}
	f, err := bitsandblooms.Open(file[4:])
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(f.ContainsString("apple"))
	// Output: true
}

func weaviateFile() []byte {
	f, err := bitsandblooms.NewForRate(1000, 0.001)
	if err != nil {
		log.Fatal(err)
	}
	f.AddString("apple")
	checksum := binary.LittleEndian.AppendUint32(nil, crc32.ChecksumIEEE(f.Bytes()))
	return append(checksum, f.Bytes()...)
}

// A key is hashed once for all filters.
func ExampleSum() {
	var filters []*bitsandblooms.Filter
	for _, fruit := range []string{"apple", "banana", "cherry", "banana"} {
		f, err := bitsandblooms.NewForRate(1000, 0.001)
		if err != nil {
			log.Fatal(err)
		}
		f.AddString(fruit)
		filters = append(filters, f.Filter())
	}
	hash := bitsandblooms.SumString("banana")
	fmt.Println(filters[0].ContainsHash(hash), bitsandblooms.AppendFilters(nil, filters, hash))
	// Output: false [1 3]
}

// The bytes are those that bits-and-blooms/bloom writes.
func ExampleNewForRate() {
	m, err := bitsandblooms.NewForRate(10, 0.01)
	if err != nil {
		log.Fatal(err)
	}
	m.AddString("apple")
	fmt.Printf("%x\n", m.Bytes())

	f, err := bitsandblooms.Open(m.Bytes())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(f.ContainsString("apple"), f.ContainsString("cherry"))
	// Output:
	// 00000000000000600000000000000007000000000000006000000080000088000000000088100008
	// true false
}

package blobloom_test

import (
	"fmt"
	"log"

	"github.com/simdbloom/simdbloom/blobloom"
	"github.com/simdbloom/simdbloom/keyhash"
)

// programs stands for the hash that a program adds keys by, such as xxh3.Hash, which is Milvus's.
var programs = keyhash.New("program's", keyhash.XX64.Sum64)

// A filter of the size and k that the module's New is given. Its bytes are the module's Dump of the same keys.
func Example() {
	m, err := blobloom.New(1<<15, 10, programs)
	if err != nil {
		log.Fatal(err)
	}
	m.AddString("hello")
	dump := m.Bytes()

	f, err := blobloom.Open(dump, programs)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s, %d bytes, %d probes\n", dump[:8], f.SizeBytes(), f.NumProbes())
	fmt.Println(f.ContainsString("hello"), f.ContainsString("world"))
	// Output:
	// blobloom, 4160 bytes, 9 probes
	// true false
}

// The bits per key that a false-positive rate takes.
func ExampleBitsPerKeyFor() {
	bitsPerKey := blobloom.BitsPerKeyFor(1_000_000, 0.01)
	fmt.Printf("%.1f bits per key: 1 in %.0f\n", bitsPerKey, 1/blobloom.PredictedFPR(1_000_000, bitsPerKey))
	// Output: 10.0 bits per key: 1 in 100
}

package splitblock_test

import (
	"encoding/hex"
	"fmt"
	"log"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/splitblock"
)

// The bits of a Parquet column's filter, as Arrow's writers size it. A file has them behind a
// BloomFilterHeader.
func Example() {
	values := []string{"hello", "parquet", "bloom", "filter"}
	size := splitblock.SizeFor(len(values), 0.01)
	b, err := splitblock.NewBuilder(10, keyhash.XX64, simdbloom.WithSizeBytes(size))
	if err != nil {
		log.Fatal(err)
	}
	for _, value := range values {
		b.AddString(value)
	}
	data, err := b.Finish()
	if err != nil {
		log.Fatal(err)
	}

	f, err := splitblock.Open(data, keyhash.XX64)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(data), "bytes,", f.ContainsString("parquet"), f.ContainsString("Parquet"))
	fmt.Println(hex.EncodeToString(data))
	// Output:
	// 32 bytes, true false
	// 0400b000000a4010010540008000083020028004002020881001005002100808
}

// Numbers are hashed as their plain encoding: 8 little-endian bytes of an INT64.
func ExampleOpen() {
	m, err := splitblock.NewMutable(1000, 10.5, keyhash.XX64)
	if err != nil {
		log.Fatal(err)
	}
	for id := range uint64(1000) {
		m.AddUint64(id)
	}
	f, err := splitblock.Open(m.Bytes(), keyhash.XX64)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(f.ContainsUint64(7), f.ContainsUint64(7000))
	// Output: true false
}

// Nobody knows how many keys will come: a filter for a million is folded when they have come.
func ExampleNewMutable() {
	m, err := splitblock.NewMutable(1_000_000, 16.777216, keyhash.XX64)
	if err != nil {
		log.Fatal(err)
	}
	for id := range uint64(10_000) {
		m.AddUint64(id)
	}
	fmt.Println(m.SizeBytes(), "bytes")
	fmt.Println("folded", m.FoldTo(0.01), "times:", m.SizeBytes(), "bytes,", m.ContainsUint64(7))
	// Output:
	// 2097152 bytes
	// folded 7 times: 16384 bytes, true
}

// The bits per key that a false-positive rate takes, and the bytes that Arrow's writers choose.
func ExampleBitsPerKeyFor() {
	const n = 1_000_000
	bitsPerKey := splitblock.BitsPerKeyFor(n, 0.001)
	fmt.Printf("%.1f bits per key, %d KiB\n", bitsPerKey, int(bitsPerKey*n/8)>>10)
	fmt.Printf("%d KiB\n", splitblock.SizeFor(n, 0.001)>>10)
	// Output:
	// 16.9 bits per key, 2061 KiB
	// 2048 KiB
}

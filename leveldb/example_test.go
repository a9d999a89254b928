package leveldb_test

import (
	"fmt"
	"log"

	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/leveldb"
)

// LevelDB before 1.18 had another hash of keys that are not ASCII. The zero Hash is that of today.
func Example() {
	key := []byte("smörgås\xe5")
	b, err := leveldb.NewBuilder(10, keyhash.RocksDB32)
	if err != nil {
		log.Fatal(err)
	}
	b.Add(key)
	data, err := b.Finish()
	if err != nil {
		log.Fatal(err)
	}
	for _, hash := range []keyhash.Hash{{}, keyhash.RocksDB32} {
		f, err := leveldb.Open(data, hash)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(f.Hash().Name(), f.Contains(key))
	}
	// Output:
	// LevelDB32 false
	// RocksDB32 true
}

// A table has a filter for every 2 KiB of the file.
func ExampleBlockBuilder() {
	b := leveldb.NewBlockBuilder(10, 11, keyhash.Hash{})
	offset := uint64(0)
	for block := range 3 { // data blocks of 4,100 bytes
		b.StartBlock(offset)
		for key := range 100 {
			b.Add(fmt.Appendf(nil, "%d/%02d", block, key))
		}
		offset += 4100
	}
	b.StartBlock(offset) // where they end
	data := b.Finish()

	block, err := leveldb.OpenBlock(data, keyhash.Hash{})
	if err != nil {
		log.Fatal(err)
	}
	key := []byte("1/42")
	for _, offset := range []uint64{0, 4100, 8200} {
		fmt.Println(offset, block.MayContain(offset, key))
	}
	for i := range block.Filters() {
		fmt.Print(len(block.Filter(i)), " ")
	}
	fmt.Println("bytes")
	// Output:
	// 0 false
	// 4100 true
	// 8200 false
	// 126 0 126 0 126 0 bytes
}

// OpenBlock takes any bytes, and says what is wrong with them.
func ExampleOpenBlock() {
	_, err := leveldb.OpenBlock([]byte{0, 0, 0, 0, 9, 0, 0, 0, 11}, keyhash.Hash{})
	fmt.Println(err)
	// Output: leveldb: corrupt filter: 9 bytes: the filters' offsets would begin behind the block
}

// What more keys make of a false-positive rate.
func ExamplePredictedFPR() {
	bitsPerKey := leveldb.BitsPerKeyFor(3001, 0.01)
	fmt.Println(bitsPerKey, "bits per key")
	for _, n := range []int{3001, 100_003, 300_000} {
		fmt.Printf("%d keys: 1 in %.0f\n", n, 1/leveldb.PredictedFPR(n, bitsPerKey))
	}
	// Output:
	// 10 bits per key
	// 3001 keys: 1 in 118
	// 100003 keys: 1 in 83
	// 300000 keys: 1 in 48
}

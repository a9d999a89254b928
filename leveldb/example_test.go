package leveldb_test

import (
	"encoding/binary"
	"fmt"
	"log"
	"slices"

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

// A table has a filter for every 2 KiB of the file: the filters, where each begins, where the first of these offsets
// is, and the base. Here data blocks of 4,100 bytes begin in three of six ranges.
func ExampleOpenBlock() {
	var filters, offsets []byte
	for kib := 0; kib < 12; kib += 2 {
		offsets = binary.LittleEndian.AppendUint32(offsets, uint32(len(filters)))
		if kib%4 == 0 {
			var hashes []uint64
			for key := range 100 {
				hashes = append(hashes, keyhash.LevelDB32.Sum64(fmt.Appendf(nil, "%d/%02d", kib/4, key)))
			}
			filters = leveldb.AppendFilter(filters, 10, hashes)
		}
	}
	data := binary.LittleEndian.AppendUint32(slices.Concat(filters, offsets), uint32(len(filters)))
	data = append(data, 11) // a filter for every 2^11 bytes

	block, err := leveldb.OpenBlock(data, keyhash.Hash{})
	if err != nil {
		log.Fatal(err)
	}
	for _, offset := range []uint64{0, 4100, 8200} {
		fmt.Println(offset, block.MayContain(offset, []byte("1/42")))
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
func ExampleOpenBlock_corrupt() {
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

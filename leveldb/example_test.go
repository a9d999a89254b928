package leveldb_test

import (
	"fmt"
	"log"

	"github.com/simdbloom/simdbloom/leveldb"
)

// Build a filter, store its bytes, open it again and look keys up.
func Example() {
	b, err := leveldb.NewBuilder(10)
	if err != nil {
		log.Fatal(err)
	}
	b.AddString("apple")
	b.AddString("banana")
	data, err := b.Finish()
	if err != nil {
		log.Fatal(err)
	}

	f, err := leveldb.Open(data)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("apple:", f.ContainsString("apple"))
	fmt.Println("quince:", f.ContainsString("quince"))
	fmt.Println(len(data), "bytes,", f.NumProbes(), "probes")
	// Output:
	// apple: true
	// quince: false
	// 9 bytes, 6 probes
}

// A filter named leveldb.BuiltinBloomFilter is goleveldb's or an old LevelDB's. Their hashes
// differ for keys that are not ASCII.
func ExampleWithEitherHash() {
	key := []byte("smörgås\xe5")
	b, err := leveldb.NewBuilder(10, leveldb.WithSignedHash()) // an old LevelDB
	if err != nil {
		log.Fatal(err)
	}
	b.Add(key)
	data, err := b.Finish()
	if err != nil {
		log.Fatal(err)
	}

	fmt.Println("by LevelDB's hash of today:", leveldb.MayContain(data, key))
	f, err := leveldb.Open(data, leveldb.WithEitherHash())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("by either hash:", f.Contains(key))
	// Output:
	// by LevelDB's hash of today: false
	// by either hash: true
}

// A table has a filter for every 2 KiB of the file.
func ExampleBlockBuilder() {
	b := leveldb.NewBlockBuilder(10, 11)
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

	block, err := leveldb.OpenBlock(data)
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

// RocksDB's block-based filter also has the prefixes of keys.
func ExampleWithPrefixes() {
	user := func(key []byte) ([]byte, bool) { return key[:min(4, len(key))], true }
	b := leveldb.NewBlockBuilder(10, 11, leveldb.WithSignedHash(), leveldb.WithPrefixes(user))
	b.StartBlock(0)
	b.Add([]byte("anna/mail"))
	b.Add([]byte("anna/name"))
	fmt.Println(b.Len(), "entries")

	block, err := leveldb.OpenBlock(b.Finish(), leveldb.WithSignedHash())
	if err != nil {
		log.Fatal(err)
	}
	for _, key := range []string{"anna/mail", "anna", "bert"} {
		fmt.Println(key, block.MayContain(0, []byte(key)))
	}
	// Output:
	// 3 entries
	// anna/mail true
	// anna true
	// bert false
}

// A table reader that finds the block's bytes in a cache opens nothing.
func ExampleMayContainInBlock() {
	b := leveldb.NewBlockBuilder(10, 11)
	b.Add([]byte("apple"))
	data := b.Finish()
	fmt.Println(leveldb.MayContainInBlock(data, 0, []byte("apple")), leveldb.MayContainInBlock(data, 0, []byte("cherry")))
	// Output: true false
}

// Open takes any bytes, and says what is wrong with them.
func ExampleOpenBlock() {
	_, err := leveldb.OpenBlock([]byte{0, 0, 0, 0, 9, 0, 0, 0, 11})
	fmt.Println(err)
	// Output: leveldb: corrupt filter: 9 bytes: the filters' offsets would begin behind the block
}

// A builder is used for one filter after another.
func ExampleBuilder_AppendFinish() {
	b, err := leveldb.NewBuilder(10)
	if err != nil {
		log.Fatal(err)
	}
	var file []byte
	for table := range 3 {
		for key := range 100 {
			b.Add(fmt.Appendf(nil, "%d/%d", table, key))
		}
		if file, err = b.AppendFinish(file); err != nil {
			log.Fatal(err)
		}
	}
	fmt.Println(len(file), "bytes of three filters")
	// Output: 378 bytes of three filters
}

// Keys that are looked up in many filters are hashed once.
func ExampleFilter_AppendHits() {
	b, err := leveldb.NewBuilder(10)
	if err != nil {
		log.Fatal(err)
	}
	b.AddKeys([][]byte{[]byte("apple"), []byte("banana")})
	data, err := b.Finish()
	if err != nil {
		log.Fatal(err)
	}

	var hashes []uint32
	for _, key := range []string{"apple", "quince", "banana"} {
		hashes = append(hashes, leveldb.Hash([]byte(key)))
	}
	f, err := leveldb.Open(data)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(f.AppendHits(nil, hashes))
	// Output: [0 2]
}

// What a false-positive rate takes, and what more keys than that make of it.
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

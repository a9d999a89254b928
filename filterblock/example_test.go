package filterblock_test

import (
	"bytes"
	"errors"
	"fmt"
	"log"

	"github.com/simdbloom/simdbloom/filterblock"
	"github.com/simdbloom/simdbloom/policy"
)

// A table's filter of keys and of their first 5 bytes. The table records what it was made of.
func Example() {
	p, err := policy.Parse("rocksdb.BloomFilter:10")
	if err != nil {
		log.Fatal(err)
	}
	users, err := filterblock.ParseExtractor("fixed:5")
	if err != nil {
		log.Fatal(err)
	}
	w, err := filterblock.NewWriter(p, filterblock.Options{WholeKeys: true, Prefix: users})
	if err != nil {
		log.Fatal(err)
	}
	for _, key := range []string{"alice:1", "alice:2", "carol:1"} {
		w.Add([]byte(key))
	}
	block, err := w.Finish() // the bytes to store in the table
	if err != nil {
		log.Fatal(err)
	}

	r, err := filterblock.Open(p, block, filterblock.ReadOptions{WholeKeys: true, Prefix: users})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("alice:2:", r.MayContain([]byte("alice:2")))
	fmt.Println("alice:3:", r.MayContain([]byte("alice:3")))
	fmt.Println("keys from alice:3 on that begin with alice:", r.MayContainSeek([]byte("alice:3")))
	fmt.Println("keys that begin with brian:", r.MayContainPrefix([]byte("brian")))
	// Output:
	// alice:2: true
	// alice:3: false
	// keys from alice:3 on that begin with alice: true
	// keys that begin with brian: false
}

// The same options for filters in one piece and in partitions: PartitionBytes says which.
func ExampleOptions() {
	partitions := 0
	o := filterblock.Options{
		WholeKeys: true,
		Store: func(partition []byte) (filterblock.Handle, error) {
			partitions++ // a table writes it here
			return filterblock.Handle{}, nil
		},
	}
	for _, o.PartitionBytes = range []int{0, 4096} {
		w, err := filterblock.NewWriter(policy.FastLocal(10), o)
		if err != nil {
			log.Fatal(err)
		}
		for i := range 10_000 {
			w.Add(fmt.Appendf(nil, "user:%06d", i))
		}
		block, err := w.Finish()
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(partitions, "partitions, and a block of", len(block), "bytes")
	}
	// Output:
	// 0 partitions, and a block of 12549 bytes
	// 4 partitions, and a block of 80 bytes
}

// Options that do not say what the filter was made of are an error, since no lookup could be answered.
func ExampleReadOptions() {
	_, err := filterblock.Open(policy.FastLocal(10), nil, filterblock.ReadOptions{})
	fmt.Println(err)
	// Output: filterblock: WholeKeys, Prefix and PrefixName are not set: the options must say what the filter was made of
}

// A filter in partitions of about 4 KiB. The index over them says where each is in the file, so that
// a lookup reads one.
func ExampleNewWriter() {
	p, err := policy.Parse("rocksdb.BloomFilter:10")
	if err != nil {
		log.Fatal(err)
	}
	var file bytes.Buffer
	w, err := filterblock.NewWriter(p, filterblock.Options{
		WholeKeys:      true,
		PartitionBytes: 4096,
		Store: func(partition []byte) (filterblock.Handle, error) {
			h := filterblock.Handle{Offset: uint64(file.Len()), Size: uint64(len(partition))}
			_, err := file.Write(partition)
			return h, err
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	for i := range 100_000 {
		w.Add(fmt.Appendf(nil, "user:%06d", i)) // in order
	}
	index, err := w.Finish()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(file.Len(), "bytes of partitions,", len(index), "of their index")
	// Output: 125231 bytes of partitions, 768 of their index
}

// Look keys up, with the partitions in a file.
func ExampleOpenPartitioned() {
	p, index, file := partitioned()
	loads := 0
	load := func(h filterblock.Handle) ([]byte, error) {
		loads++
		if size := uint64(len(file)); h.Offset > size || h.Size > size-h.Offset {
			return nil, errors.New("a partition beyond the end of the file")
		}
		return file[h.Offset : h.Offset+h.Size], nil
	}
	r, err := filterblock.OpenPartitioned(p, index, load, filterblock.ReadOptions{
		WholeKeys: true,
		OnError:   func(h filterblock.Handle, err error) { log.Println(h, err) },
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("user:000042:", r.MayContain([]byte("user:000042")))
	fmt.Println("user:000042x:", r.MayContain([]byte("user:000042x")))
	fmt.Println(loads, "loads of a partition")

	var keys [][]byte
	for i := range 1000 {
		keys = append(keys, fmt.Appendf(nil, "user:%06d", i))
	}
	hits := make([]bool, len(keys))
	r.MayContainKeys(keys, hits)
	fmt.Println(loads, "after a batch of 1000 keys that are next to each other")
	// Output:
	// user:000042: true
	// user:000042x: false
	// 2 loads of a partition
	// 3 after a batch of 1000 keys that are next to each other
}

// partitioned returns the filter of 100,000 keys, and its policy.
func partitioned() (p *policy.Policy, index, file []byte) {
	p, err := policy.Parse("rocksdb.BloomFilter:10")
	if err != nil {
		log.Fatal(err)
	}
	w, err := filterblock.NewWriter(p, filterblock.Options{
		WholeKeys: true, PartitionBytes: 4096,
		Store: func(partition []byte) (filterblock.Handle, error) {
			h := filterblock.Handle{Offset: uint64(len(file)), Size: uint64(len(partition))}
			file = append(file, partition...)
			return h, nil
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	for i := range 100_000 {
		w.Add(fmt.Appendf(nil, "user:%06d", i))
	}
	if index, err = w.Finish(); err != nil {
		log.Fatal(err)
	}
	return p, index, file
}

// Open a filter block of RocksDB by its table's properties.
func ExampleOpen() {
	p, err := policy.Parse("rocksdb.BloomFilter:10")
	if err != nil {
		log.Fatal(err)
	}
	var block []byte // of a table without keys
	r, err := filterblock.Open(p, block, filterblock.ReadOptions{
		WholeKeys:  true,                      // rocksdb.block.based.table.whole.key.filtering
		PrefixName: "rocksdb.CappedPrefix.12", // rocksdb.prefix.extractor.name
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r.MayContain([]byte("key")))
	fmt.Println(r.MayContainPrefix([]byte("key"))) // the options have no extractor
	// Output:
	// false
	// true
}

func ExampleParseExtractor() {
	for _, text := range []string{"fixed:3", "capped:3", "noop"} {
		e, err := filterblock.ParseExtractor(text)
		if err != nil {
			log.Fatal(err)
		}
		for _, key := range []string{"user", "me"} {
			prefix, ok := e.Prefix([]byte(key))
			fmt.Printf("%s: %q, %v\n", e.Name(), prefix, ok)
		}
	}
	// Output:
	// rocksdb.FixedPrefix.3: "use", true
	// rocksdb.FixedPrefix.3: "me", false
	// rocksdb.CappedPrefix.3: "use", true
	// rocksdb.CappedPrefix.3: "me", true
	// rocksdb.Noop: "user", true
	// rocksdb.Noop: "me", true
}

// A prefix of one's own: a key up to its first colon.
func ExampleNewExtractor() {
	e := filterblock.NewExtractor("example.Colon", func(key []byte) (prefix []byte, ok bool) {
		at := bytes.IndexByte(key, ':')
		return key[:at+1], at >= 0
	})
	prefix, ok := e.Prefix([]byte("alice:1"))
	fmt.Printf("%q, %v\n", prefix, ok)
	// Output: "alice:", true
}

package table_test

import (
	"fmt"
	"log"
	"os"

	"github.com/simdbloom/simdbloom/filterblock"
	"github.com/simdbloom/simdbloom/table"
)

// opened opens one of the tables that RocksDB wrote.
func opened(name string) (*os.File, *table.Table) {
	file, err := os.Open(name)
	if err != nil {
		log.Fatal(err)
	}
	info, err := file.Stat()
	if err != nil {
		log.Fatal(err)
	}
	t, err := table.Open(file, info.Size())
	if err != nil {
		log.Fatal(err)
	}
	return file, t
}

// Which keys RocksDB's table may contain: those that are there, and a false positive now and then.
func ExampleTable_MayContain() {
	file, t := opened("testdata/partitioned.sst")
	defer file.Close()

	for _, key := range []string{"key00500", "apple"} {
		may, err := t.MayContain([]byte(key))
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(key, may)
	}
	// Output:
	// key00500 true
	// apple false
}

// The table has keys from key00000 to key00099, and its filter their first seven bytes.
func ExampleTable_MayContainPrefix() {
	file, t := opened("testdata/prefixes.sst")
	defer file.Close()

	for _, prefix := range []string{"key0005", "key0077", "key0"} {
		may, err := t.MayContainPrefix([]byte(prefix))
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(prefix, may)
	}
	// Output:
	// key0005 true
	// key0077 false
	// key0 true
}

// Many keys: each partition is read once.
func ExampleTable_MayContainKeys() {
	file, t := opened("testdata/partitioned-ribbon.sst")
	defer file.Close()

	keys := [][]byte{[]byte("key00999"), []byte("cherry"), []byte("key00000")}
	hits := make([]bool, len(keys))
	if err := t.MayContainKeys(keys, hits); err != nil {
		log.Fatal(err)
	}
	fmt.Println(hits)
	// Output:
	// [true false true]
}

// Why a filter cannot answer.
func ExampleTable_Answers() {
	file, t := opened("testdata/prefixes.sst")
	defer file.Close()

	answers, err := t.Answers([]table.Query{
		{Key: []byte("key00012")},
		{Key: []byte("key00"), Prefix: true},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%v, by %s\n", answers[0].MayContain, answers[0].Prefix)
	fmt.Printf("%v: %s\n", answers[1].MayContain, answers[1].Why)
	// Output:
	// true, by key0001
	// true: the filter has longer prefixes, by rocksdb.FixedPrefix.7
}

// The filters of a table, one after the other.
func ExampleTable_OpenFilter() {
	file, t := opened("testdata/partitioned-ribbon.sst")
	defer file.Close()

	for stored, err := range t.Filters() {
		if err != nil {
			log.Fatal(err)
		}
		f, err := t.OpenFilter(stored.Data)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("up to %s: %v\n", stored.Last, f[0].Contains([]byte("key00500")))
	}
	// Output:
	// up to key00265: false
	// up to key00531: true
	// up to key00797: false
	// up to key00999: false
}

// LevelDB's tables do not record the order of their keys, so that each filter may have a key: there is one for
// every 2 KiB. With the order, one filter is looked up.
func ExampleParseOrder() {
	for _, name := range []string{"reverse", "rocksdb.ReverseBytewiseComparator", "numbers"} {
		order, err := table.ParseOrder(name)
		fmt.Println(order, err != nil)
	}
	// Output:
	// reverse false
	// rocksdb.ReverseBytewiseComparator false
	// any true
}

func ExampleWithOrder() {
	file, err := os.Open("testdata/leveldb.ldb")
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		log.Fatal(err)
	}

	hits := make([]bool, 1000)
	keys := make([][]byte, len(hits))
	for i := range keys {
		keys[i] = fmt.Appendf(nil, "absent%d", i)
	}
	for _, options := range [][]table.Option{nil, {table.WithOrder(table.Bytewise)}} {
		t, err := table.Open(file, info.Size(), options...)
		if err != nil {
			log.Fatal(err)
		}
		if err := t.MayContainKeys(keys, hits); err != nil {
			log.Fatal(err)
		}
		found := 0
		for _, hit := range hits {
			if hit {
				found++
			}
		}
		fmt.Println(found, "of", len(keys), "absent keys are found")
	}
	// Output:
	// 44 of 1000 absent keys are found
	// 3 of 1000 absent keys are found
}

// kept keeps all partitions.
type kept map[filterblock.Handle][]byte

func (k kept) Get(h filterblock.Handle) ([]byte, bool) {
	partition, ok := k[h]
	return partition, ok
}

func (k kept) Put(h filterblock.Handle, partition []byte) { k[h] = partition }

// A table that is queried many times, by one goroutine: partitions stay in memory, and the answers are
// counted.
func ExampleTable_Reader() {
	file, t := opened("testdata/partitioned.sst")
	defer file.Close()

	var counters filterblock.Counters
	partitions := make(kept)
	r, err := t.Reader(filterblock.ReadOptions{Cache: partitions, Counters: &counters})
	if err != nil {
		log.Fatal(err)
	}
	for i := range 2000 {
		r.MayContain(fmt.Appendf(nil, "key%05d", 5*i))
	}
	counts := counters.Read()
	fmt.Println(counts.Queries(), "lookups,", counts.Useful, "without a read;", len(partitions), "partitions were read")
	// Output:
	// 2000 lookups, 1791 without a read; 6 partitions were read
}

// counter is a file that counts what is read of it.
type counter struct {
	*os.File
	bytes map[string]uint64
}

func (c *counter) ReadBlock(data []byte, block table.Block) (int, error) {
	c.bytes[block.Name] += block.Size
	return c.ReadAt(data, int64(block.Offset))
}

// What a lookup in a partitioned filter reads.
func ExampleBlockReader() {
	file, err := os.Open("testdata/partitioned.sst")
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		log.Fatal(err)
	}

	counted := &counter{file, make(map[string]uint64)}
	t, err := table.Open(counted, info.Size())
	if err != nil {
		log.Fatal(err)
	}
	if _, err := t.MayContain([]byte("key00500")); err != nil {
		log.Fatal(err)
	}
	fmt.Println(counted.bytes["filter's index"], "bytes of the filter's index")
	fmt.Println(counted.bytes["filter's partition 3 of 6"], "bytes of 6 partitions of", t.Properties.FilterBytes)
	// Output:
	// 106 bytes of the filter's index
	// 261 bytes of 6 partitions of 1480
}

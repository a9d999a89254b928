package pebblev1_test

import (
	"bytes"
	"expvar"
	"fmt"
	"log"

	"github.com/cockroachdb/pebble"
	"github.com/cockroachdb/pebble/vfs"

	simdbloom "github.com/simdbloom/simdbloom/adapters/pebblev1"
)

// The line to change is that with Levels. GetMany needs the Comparer.
func Example() {
	comparer := *pebble.DefaultComparer
	comparer.Split = func(key []byte) int { return len(key) }
	opts := &pebble.Options{
		FS:       vfs.NewMem(),
		Comparer: &comparer,
		Levels:   []pebble.LevelOptions{{FilterPolicy: simdbloom.Paired(23.4)}}, // was bloom.FilterPolicy(10)
		Filters:  simdbloom.Filters(),                                           // for tables from before
		Logger:   silent{},
	}
	db, err := pebble.Open("store", opts)
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	if err := db.Set([]byte("apple"), []byte("red"), pebble.Sync); err != nil {
		log.Fatal(err)
	}
	value, closer, err := db.Get([]byte("apple"))
	if err != nil {
		log.Fatal(err)
	}
	defer closer.Close()
	fmt.Printf("%s\n", value)
	// Output: red
}

// Many keys at once, through one iterator.
func ExampleGetMany() {
	comparer := *pebble.DefaultComparer
	comparer.Split = func(key []byte) int { return len(key) } // which v1's own does not have
	db, err := pebble.Open("store", &pebble.Options{FS: vfs.NewMem(), Comparer: &comparer, Logger: silent{}})
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	for i := range 10 {
		if err := db.Set(fmt.Appendf(nil, "user:%d", 2*i), fmt.Appendf(nil, "value %d", i), pebble.Sync); err != nil {
			log.Fatal(err)
		}
	}
	keys := [][]byte{[]byte("user:4"), []byte("user:3"), []byte("user:2")}
	err = simdbloom.GetMany(db, keys, func(i int, value []byte) error {
		fmt.Printf("%s: %s\n", keys[i], value)
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
	// Output:
	// user:2: value 1
	// user:4: value 2
}

// metrics are served at /debug/vars by programs that serve http.DefaultServeMux.
var metrics = expvar.NewMap("store")

// The real false-positive rate of a store's filters, published by expvar. Lookups report whether they found their key.
func ExampleCounted() {
	var counters simdbloom.Counters
	metrics.Set("filters", &counters)
	opts := &pebble.Options{
		FS:     vfs.NewMem(),
		Levels: []pebble.LevelOptions{{FilterPolicy: simdbloom.Counted(simdbloom.FastLocal(10), &counters)}},
		Logger: silent{},
	}
	db, err := pebble.Open("store", opts)
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	for i := range 10_000 {
		db.Set(fmt.Appendf(nil, "user:%d", 2*i), []byte("value"), pebble.NoSync)
	}
	db.Flush()

	for i := range 20_000 {
		key := fmt.Appendf(nil, "user:%d", i)
		counters.BeginLookup(key)
		_, closer, err := db.Get(key)
		counters.EndLookup(key, err == nil)
		if err == nil {
			closer.Close()
		}
	}
	fmt.Println(expvar.Get("store"))
	counts := counters.Read()
	fmt.Printf("%d absent keys, %d read in vain\n", counts.Useful+counts.FalsePositives(), counts.FalsePositives())
	// Output:
	// {"filters": {"bloom.filter.queries":19999,"bloom.filter.useful":9893,"bloom.filter.full.positive":10106,"bloom.filter.full.true.positive":10000,"bloom.filter.full.false.positive":106,"bloom.filter.fpr":0.0106010601060106,"bloom.filter.prefix.checked":0,"bloom.filter.prefix.useful":0,"bloom.filter.prefix.true.positive":0,"bloom.filter.prefix.false.positive":0,"bloom.filter.prefix.fpr":0,"seek.filtered":0,"seek.filter.match":0,"seek.data.useful.filter.match":0,"seek.fpr":0}}
	// 9999 absent keys, 106 read in vain
}

// The rates of point lookups and of seeks, in a store whose keys have the user as their prefix.
func ExampleCountedPrefixes() {
	comparer := *pebble.DefaultComparer
	comparer.Name = "user:time"
	comparer.Split = func(key []byte) int {
		user, _, _ := bytes.Cut(key, []byte(":"))
		return len(user)
	}
	comparer.ImmediateSuccessor = func(dst, prefix []byte) []byte { return append(append(dst, prefix...), ':'+1) }
	var counters simdbloom.Counters
	policy := simdbloom.CountedPrefixes(simdbloom.FastLocal(10), &counters)
	opts := &pebble.Options{FS: vfs.NewMem(), Comparer: &comparer, Logger: silent{}, Levels: []pebble.LevelOptions{{FilterPolicy: policy}}}
	opts.Filters = simdbloom.Filters(policy)
	db, err := pebble.Open("store", opts)
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	for i := range 1000 {
		db.Set(fmt.Appendf(nil, "user%04d:0930", 2*i), []byte("value"), pebble.NoSync)
	}
	db.Flush()

	iter, err := db.NewIter(nil)
	if err != nil {
		log.Fatal(err)
	}
	defer iter.Close()
	for i := range 2000 {
		key := fmt.Appendf(nil, "user%04d:0930", i)
		prefix := key[:comparer.Split(key)]
		counters.BeginLookup(prefix)
		_, closer, err := db.Get(key)
		counters.EndLookup(prefix, err == nil)
		if err == nil {
			closer.Close()
		}
		if iter.SeekPrefixGE(prefix) {
			counters.FoundSeek(iter.Key())
		}
	}
	counts := counters.Read()
	fmt.Printf("%d queries by lookups, rate %.2f %%\n", counts.Queries(), 100*counts.FPR())
	fmt.Printf("%d queries by seeks, rate %.2f %%\n", counts.SeekFiltered+counts.SeekMatches, 100*counts.SeekFPR())
	// Output:
	// 1999 queries by lookups, rate 1.10 %
	// 1999 queries by seeks, rate 1.10 %
}

// silent keeps the examples' stores from logging.
type silent struct{}

func (silent) Infof(string, ...any)              {}
func (silent) Fatalf(format string, args ...any) { log.Fatalf(format, args...) }
